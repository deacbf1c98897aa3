// SPDX-License-Identifier: BSD-3-Clause
// The shared memory of a block whose size its launch says.
#pragma once

#include <cuda_runtime.h>

namespace nwgpu::cuda {

template <class T>
__device__ inline T * dynamic_shared()
{
#ifdef NWGPU_CUDA_EMULATED
    return static_cast<T *>(emulated::current->shared);
#else
    extern __shared__ uint4 all[];
    return reinterpret_cast<T *>(all);
#endif
}

} // namespace nwgpu::cuda
