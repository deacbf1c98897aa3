// SPDX-License-Identifier: BSD-3-Clause
// Some changes of unit costs that lie close together: fronts (docs/proofs.md, lemma 23) of few diagonals along few
// letters, which one comparison per diagonal has told apart.  Included once per instruction set, inside foreach_target.
#if defined(NWGPU_CPU_CLOSE_CHANGES_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef NWGPU_CPU_CLOSE_CHANGES_INL_HPP
#undef NWGPU_CPU_CLOSE_CHANGES_INL_HPP
#else
#define NWGPU_CPU_CLOSE_CHANGES_INL_HPP
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "cpu/furthest/separate_changes.hpp"

HWY_BEFORE_NAMESPACE();
namespace nwgpu::cpu::HWY_NAMESPACE {
namespace {

// Letters that are compared at a time.
constexpr std::int64_t letters_ahead = hwy::HWY_NAMESPACE::MaxLanes(hwy::HWY_NAMESPACE::ScalableTag<std::uint8_t>{});
constexpr std::int64_t most_close_changes = 4;
// So many equal letters behind changes, and more than on other diagonals, end them.
constexpr std::int64_t letters_between = 9;

// A bit for each place where letters differ; bits behind those compared are 0.
HWY_INLINE std::uint64_t different(std::uint8_t const * a, std::uint8_t const * b)
{
    namespace hn = hwy::HWY_NAMESPACE;
    hn::ScalableTag<std::uint8_t> const d;
    std::uint64_t bits = 0;
    hn::StoreMaskBits(d, hn::Ne(hn::LoadU(d, a), hn::LoadU(d, b)), reinterpret_cast<std::uint8_t *>(&bits));
    return bits;
}

// From letter `from` on: the next one that differs, `end` where none does.
HWY_INLINE std::int64_t next_different(std::uint64_t bits, std::int64_t from, std::int64_t end)
{
    std::uint64_t const left = from < 64 ? bits >> from : 0;
    return left == 0 ? end : std::min(end, from + std::countr_zero(left));
}

// Of numbers for the diagonals from -5 to 5.
template <class Numbers>
HWY_INLINE auto & at(Numbers & numbers, std::int64_t k)
{
    return numbers[static_cast<std::size_t>(k + most_close_changes + 1)];
}

class CloseChanges {
public:
    // Letter i of the query and that of this diagonal differ.
    HWY_INLINE CloseChanges(SeparateChanges const & job, std::int64_t i, std::int64_t diagonal) :
        job_{job}, i_{i}, diagonal_{diagonal}
    {}

    // False: they are too many, or too near to an end of a sequence.
    HWY_INLINE bool find()
    {
        std::int64_t const j = i_ + diagonal_, most = most_close_changes;
        if (j < most || i_ + letters_ahead > job_.m || j + most + letters_ahead > job_.n)
            return false;
        for (std::int64_t k = -most; k <= most; ++k)
            at(bits_, k) = different(job_.query + i_, job_.target + j + k);
        for (std::int64_t k = -most - 1; k <= most + 1; ++k)
            at(fronts_[0], k) = nowhere;
        at(fronts_[0], 0) = 0;
        for (cost_ = 1; cost_ <= most; ++cost_) {
            Front const & before = fronts_[static_cast<std::size_t>(cost_) - 1];
            Front & front = fronts_[static_cast<std::size_t>(cost_)];
            front.fill(nowhere);
            std::int64_t best = nowhere, begin = 0;
            other_ = nowhere;
            for (std::int64_t k = -cost_; k <= cost_; ++k) {
                std::int64_t const changed = std::max({at(before, k) + 1, at(before, k - 1), at(before, k + 1) + 1}),
                                   reach = next_different(at(bits_, k), changed, letters_ahead);
                at(front, k) = reach;
                if (reach > best) {
                    other_ = best;
                    best = reach;
                    begin = changed;
                    leaves_on_ = k;
                } else {
                    other_ = std::max(other_, reach);
                }
            }
            if (best >= begin + letters_between && best >= other_ + letters_between) {
                begin_ = begin;
                return true;
            }
        }
        return false;
    }

    std::int64_t cost() const { return cost_; }
    // As SeparateChanges::Place has them.
    std::int64_t last() const { return i_ + begin_ - 1; }
    std::int64_t clear() const { return i_ + other_ + 1; }

    // add(at, kind) for each change, the last one first, as the tie rule goes back from behind them (lemma 23, c).
    template <class Add>
    HWY_INLINE void walk(Add const & add) const
    {
        using Kind = SeparateChanges::Kind;
        std::int64_t x = begin_, k = leaves_on_, s = cost_;
        auto const reach = [&](std::int64_t diagonal) {
            return at(fronts_[static_cast<std::size_t>(s) - 1], diagonal);
        };
        while (s > 0) {
            while (i_ + x > 0 && i_ + x + diagonal_ + k > 0 &&
                   job_.query[i_ + x - 1] == job_.target[i_ + x - 1 + diagonal_ + k])
                --x;
            if (x - 1 <= reach(k)) {
                add(i_ + --x, Kind::mismatch);
                --s;
            } else if (x - 1 <= reach(k + 1)) {
                do { // a longer gap attains only with all shorter ones
                    add(i_ + --x, Kind::insertion);
                    ++k;
                    --s;
                } while (s > 0 && x - 1 <= reach(k + 1));
            } else {
                do {
                    add(i_ + x, Kind::deletion);
                    --k;
                    --s;
                } while (s > 0 && x <= reach(k - 1));
            }
        }
    }

private:
    static constexpr std::int64_t nowhere = -1000;
    static constexpr std::size_t diagonals = 2 * most_close_changes + 3;
    using Front = std::array<std::int64_t, diagonals>; // letters from i_ on

    SeparateChanges const & job_;
    std::int64_t const i_, diagonal_;
    std::int64_t cost_ = 0, begin_ = 0, other_ = 0, leaves_on_ = 0;
    std::array<std::uint64_t, diagonals> bits_;
    std::array<Front, most_close_changes + 1> fronts_;
};

} // namespace
} // namespace nwgpu::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
