// SPDX-License-Identifier: BSD-3-Clause
#include "conformance/counted.hpp"

#include <cstdint>
#include <cstdlib>
#include <new>

#include <malloc.h>

std::atomic<std::size_t> nwgpu::test::allocated{0}, nwgpu::test::peak{0}, nwgpu::test::most_allocated{SIZE_MAX};

using nwgpu::test::allocated, nwgpu::test::peak, nwgpu::test::most_allocated;

namespace {

void * allocate(std::size_t bytes, std::size_t alignment)
{
    std::size_t const most = most_allocated;
    void * const memory = bytes > most || allocated > most - bytes
                              ? nullptr
                              : std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
    if (!memory)
        throw std::bad_alloc{};
    std::size_t const now = allocated += malloc_usable_size(memory);
    for (std::size_t before = peak; now > before && !peak.compare_exchange_weak(before, now);) {
    }
    return memory;
}

void release(void * memory)
{
    if (memory)
        allocated -= malloc_usable_size(memory);
    std::free(memory);
}

} // namespace

void * operator new(std::size_t bytes) { return allocate(bytes, 16); }
void * operator new(std::size_t bytes, std::align_val_t alignment)
{
    return allocate(bytes, static_cast<std::size_t>(alignment));
}
void operator delete(void * memory) noexcept { release(memory); }
void operator delete(void * memory, std::size_t) noexcept { release(memory); }
void operator delete(void * memory, std::align_val_t) noexcept { release(memory); }
void operator delete(void * memory, std::size_t, std::align_val_t) noexcept { release(memory); }
