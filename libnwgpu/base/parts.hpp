// SPDX-License-Identifier: BSD-3-Clause
// Work on long arrays by all threads of a team: in parts, whose number and order do not depend on the threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <sys/mman.h>

#include "base/ceil_div.hpp"
#include "base/team.hpp"

namespace nwgpu {

// work(first, last) for neighbouring parts of 0 .. count - 1; on this thread where there is no team, or little to do.
template <class Work>
void in_parts(Team * team, std::uint64_t count, std::uint64_t part, Work const & work)
{
    std::uint64_t const parts = ceil_div(count, part);
    std::atomic<std::uint64_t> next{0};
    auto const body = [&](int) {
        for (std::uint64_t k = next.fetch_add(1); k < parts; k = next.fetch_add(1))
            work(k * part, std::min((k + 1) * part, count));
    };
    if (!team || parts < 4)
        body(0);
    else
        team->run(team->size(), body);
}

// The system clears a page of memory when it is first written to, which takes longer than writing it; less for large
// pages, which this asks for.
inline void prefer_large_pages(void * memory, std::size_t bytes)
{
#ifdef MADV_HUGEPAGE
    constexpr std::uintptr_t large = 2 << 20;
    auto const first = (reinterpret_cast<std::uintptr_t>(memory) + large - 1) / large * large,
               last = (reinterpret_cast<std::uintptr_t>(memory) + bytes) / large * large;
    if (first < last)
        madvise(reinterpret_cast<void *>(first), last - first, MADV_HUGEPAGE); // a wish
#else
    static_cast<void>(memory);
    static_cast<void>(bytes);
#endif
}

// Reserves room for so many elements, and has all threads write to its pages.
template <class T>
void reserve_pages(Team * team, std::vector<T> & array, std::size_t room)
{
    constexpr std::size_t page = 4096, least = 1 << 20;
    std::size_t const used = array.size() * sizeof(T);
    array.reserve(room);
    std::size_t const bytes = room * sizeof(T) - used;
    if (!team || bytes < least)
        return;
    auto * const memory = reinterpret_cast<std::byte *>(array.data()) + used; // no element is there yet
    prefer_large_pages(memory, bytes);
    in_parts(team, ceil_div(bytes, page), 64, [&](std::uint64_t first, std::uint64_t last) {
        for (std::uint64_t k = first; k < last; ++k)
            memory[k * page] = std::byte{0};
    });
}

} // namespace nwgpu
