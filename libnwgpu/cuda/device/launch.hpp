// SPDX-License-Identifier: BSD-3-Clause
// How kernels are started.  NWGPU_CUDA_EMULATED: by tests/emulated, on a machine without a GPU.
#pragma once

#include <cstddef>
#include <type_traits>

#include <cuda_runtime_api.h>

#include "cuda/device/device.hpp"

namespace nwgpu::cuda {

// What the runtime's functions know a kernel by.
template <class... P>
void const * address_of(void (*kernel)(P...))
{
#ifdef NWGPU_CUDA_EMULATED
    emulated::note_kernel(kernel);
#endif
    return reinterpret_cast<void const *>(kernel);
}

// `shared`: bytes per block beside what the kernel declares.
template <class... P>
void launch(cudaStream_t stream, dim3 blocks, dim3 threads, std::size_t shared, void (*kernel)(P...),
            std::type_identity_t<P> const &... arguments)
{
    void * all[] = {const_cast<void *>(static_cast<void const *>(&arguments))...};
    check(cudaLaunchKernel(address_of(kernel), blocks, threads, all, shared, stream), "starting a kernel");
}

} // namespace nwgpu::cuda
