// SPDX-License-Identifier: BSD-3-Clause
// Marks functions that kernels use, too.
#pragma once

#ifdef __CUDACC__
#define NWGPU_HOST_DEVICE __host__ __device__
#else
#define NWGPU_HOST_DEVICE
#endif
