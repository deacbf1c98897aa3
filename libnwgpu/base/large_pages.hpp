// SPDX-License-Identifier: BSD-3-Clause
// A wish for large pages.  The system clears a page of memory when it is first written to, which takes longer than
// writing it; less for large pages.
#pragma once

#include <cstddef>
#include <cstdint>

#include <sys/mman.h>

namespace nwgpu {

inline void prefer_large_pages(void * memory, std::size_t bytes)
{
#ifdef MADV_HUGEPAGE
    constexpr std::uintptr_t large = 2 << 20;
    auto const first = (reinterpret_cast<std::uintptr_t>(memory) + large - 1) / large * large,
               last = (reinterpret_cast<std::uintptr_t>(memory) + bytes) / large * large;
    if (first < last)
        madvise(reinterpret_cast<void *>(first), last - first, MADV_HUGEPAGE);
#else
    static_cast<void>(memory);
    static_cast<void>(bytes);
#endif
}

// For an array whose memory is not written to yet, beyond its elements.
template <class Array>
void prefer_large_pages(Array & array)
{
    prefer_large_pages(array.data() + array.size(), (array.capacity() - array.size()) * sizeof(*array.data()));
}

} // namespace nwgpu
