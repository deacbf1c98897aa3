// SPDX-License-Identifier: BSD-3-Clause
// The shared memory of a block whose size its launch says, as an array of a kernel.
#pragma once

#include <cuda_runtime.h>

#ifdef NWGPU_CUDA_EMULATED
#define NWGPU_DYNAMIC_SHARED(type, name) auto * const name = static_cast<type *>(nwgpu::emulated::current->shared)
#else
#define NWGPU_DYNAMIC_SHARED(type, name) extern __shared__ __align__(16) type name[]
#endif
