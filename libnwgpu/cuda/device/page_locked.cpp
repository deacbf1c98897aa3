// SPDX-License-Identifier: BSD-3-Clause
#include "cuda/device/page_locked.hpp"

#include <new>

#include <cuda_runtime_api.h>

#include "base/large_pages.hpp"
#include "cuda/device/with_device.hpp"

namespace nwgpu::cuda {

namespace {

constexpr std::align_val_t large_page{2 << 20};

} // namespace

void * make_on_large_pages(std::size_t bytes) noexcept
{
    void * const memory = ::operator new(bytes, large_page, std::nothrow);
    if (memory)
        prefer_large_pages(memory, bytes);
    return memory;
}

void free_on_large_pages(void * memory) noexcept { ::operator delete(memory, large_page); }

void * make_page_locked(std::size_t bytes, int device) noexcept
{
    void * const memory = make_on_large_pages(bytes);
    bool is_locked = false;
    if (memory)
        with_device(device,
                    [&] { is_locked = cudaHostRegister(memory, bytes, cudaHostRegisterPortable) == cudaSuccess; });
    if (is_locked)
        return memory;
    free_on_large_pages(memory);
    return nullptr;
}

void free_page_locked(void * memory, int device) noexcept
{
    if (!memory)
        return;
    cudaError_t error = cudaSuccess;
    with_device(device, [&] { error = cudaHostUnregister(memory); });
    // While a device may still write there, for all that it knows, nobody else may have the pages.
    bool const in_use = error == cudaErrorStreamCaptureUnsupported || error == cudaErrorStreamCaptureImplicit ||
                        error == cudaErrorNotPermitted;
    if (!in_use)
        free_on_large_pages(memory);
}

} // namespace nwgpu::cuda
