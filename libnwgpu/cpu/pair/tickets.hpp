// SPDX-License-Identifier: BSD-3-Clause
// Which thread computes what of a sweep (sweep.hpp): strips as a whole, then tiles of the strips that are left.  What a
// strip or a tile waits for was taken before it, so nothing can deadlock.
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

namespace nwgpu::cpu {

class Tickets {
public:
    explicit Tickets(std::uint64_t strips) : strips_{strips} {}

    // A thread comes; whether it is the first one.
    bool come() { return here_++ == 0; }
    bool is_alone() const { return here_.load(std::memory_order_relaxed) == 1; }
    // No more work is taken.
    void give_up() { given_up_.store(true, std::memory_order_relaxed); }
    bool given_up() const { return given_up_.load(std::memory_order_relaxed); }

    // Of the first thread, until others come, since wide tiles take less time; and of all where few tiles can be
    // computed at the same time: then a strip's tiles had better wait for no more than those above.
    template <class Compute>
    void take_strips(Compute const & compute)
    {
        std::uint64_t s = strips_taken_;
        while (s < strips_ && !given_up())
            if (strips_taken_.compare_exchange_weak(s, s + 1)) {
                compute(s);
                s = strips_taken_;
            }
    }

    // Tiles of the strips that are left; tiles(s): numbers of the first and the last one of strip s.  Those with the
    // same sum of their numbers by rows and columns are taken one after the other: what a tile waits for was taken long
    // before it, so that a slow thread takes fewer tiles and keeps none of the others waiting.
    template <class Tiles, class Compute>
    void take_tiles(Tiles const & tiles, Compute const & compute)
    {
        std::uint64_t const begin = strips_taken_.fetch_or(others_have_come) & ~others_have_come;
        std::uint64_t first = begin, last = begin; // strips that have a tile of this sum
        std::uint64_t sum = begin < strips_ ? begin + tiles(begin).first : 0, before = 0;
        while (!given_up()) {
            std::uint64_t const ticket = tickets_++; // of which others wait for the end, whatever happens
            for (;; ++sum) {
                while (first < strips_ && first + tiles(first).second < sum)
                    ++first;
                if (first == strips_)
                    return;
                while (last < strips_ && last + tiles(last).first <= sum)
                    ++last;
                if (ticket - before < last - first)
                    break;
                before += last - first;
            }
            std::uint64_t const s = first + (ticket - before);
            compute(s, sum - s);
        }
    }

private:
    static constexpr std::uint64_t others_have_come = std::uint64_t{1} << 63;

    std::uint64_t const strips_;
    std::atomic<bool> given_up_{false};
    std::atomic<int> here_{0}; // threads that have come
    // Strips that are taken as a whole, and whether there will be no more of them; tiles of the others.
    std::atomic<std::uint64_t> strips_taken_{0}, tickets_{0};
};

} // namespace nwgpu::cpu
