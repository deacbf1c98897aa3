// SPDX-License-Identifier: BSD-3-Clause
#include "align/host_memory.hpp"

#include <new>

#include "cuda/engine.hpp"

namespace nwgpu {

namespace {

// Lies in front of the caller's memory, so that it can be freed without the context that made it.
struct alignas(64) Header {
    bool page_locked;
};
constexpr std::align_val_t alignment{alignof(Header)};

} // namespace

void * allocate_host(std::uint64_t bytes, std::optional<int> device)
{
    std::uint64_t const all = bytes + sizeof(Header);
    void * const block = device ? cuda::allocate_pinned(all, *device) : ::operator new(all, alignment);
    return new (block) Header{device.has_value()} + 1;
}

void free_host(void * memory) noexcept
{
    if (!memory)
        return;
    Header * const header = static_cast<Header *>(memory) - 1;
    if (header->page_locked)
        cuda::free_pinned(header);
    else
        ::operator delete(header, alignment);
}

} // namespace nwgpu
