// SPDX-License-Identifier: BSD-3-Clause
// Some changes that lie close together: fronts (docs/proofs.md, lemma 23) of few diagonals along few letters, which one
// comparison per diagonal has told apart.  Included once per instruction set, inside foreach_target.
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
#include <cstdlib>

#include "base/equal_letters.hpp"
#include "cpu/furthest/equal_letters-inl.hpp"
#include "cpu/furthest/separate_changes.hpp"

HWY_BEFORE_NAMESPACE();
namespace nwgpu::cpu::HWY_NAMESPACE {
namespace {

// Letters that are compared at a time.
constexpr std::int64_t letters_ahead = letters_at_once;
// Diagonals on either side, where gaps cost something to open and where not, and changes.
constexpr std::int64_t most_aside = 8, most_aside_linear = 4, most_close_changes = 4;
// So many equal letters behind changes, and more than on other diagonals, end them.  In short queries few: what is told
// wrongly is not proven, which is seldom, and places with one change are told and proven much faster.  Where a gap
// costs more than a mismatch, its word needs more letters.
HWY_INLINE std::int64_t letters_between(std::int64_t letters, Penalties const & costs)
{
    constexpr int fewest = 6, most = 9;
    return costs.open > 0 || costs.mismatch < costs.extend
               ? most
               : std::clamp(static_cast<int>(std::bit_width(static_cast<std::uint64_t>(letters))) - 4, fewest, most);
}

class CloseChanges {
public:
    // Letter i of the query and that of this diagonal differ.  `between`: of letters_between.
    HWY_INLINE CloseChanges(SeparateChanges::Sequences const & sequences, Penalties const & costs, std::int64_t i,
                            std::int64_t diagonal, std::int64_t between) :
        sequences_{sequences}, costs_{costs}, i_{i}, diagonal_{diagonal}, between_{between}
    {}

    // False: they are too many, or too near to an end of a sequence.
    HWY_INLINE bool find() { return costs_.open > 0 ? find_by<true>() : find_by<false>(); }

    std::int64_t cost() const { return cost_; }
    // As SeparateChanges::Place has them.
    std::int64_t last() const { return i_ + begin_ - 1; }
    std::int64_t clear() const { return i_ + other_ + 1; }

    // add(at, kind) for each change, the last one first, as the tie rule goes back from behind them (lemma 23, c).
    // False: a gap has too many places.
    template <class Add>
    HWY_INLINE bool walk(Add const & add) const
    {
        using Kind = SeparateChanges::Kind;
        std::int64_t x = begin_, k = leaves_on_, s = cost_;
        auto const reaches = [&](std::int64_t letter, std::int64_t penalty, std::int64_t diagonal) {
            return penalty >= 0 && std::abs(diagonal) <= aside_ &&
                   letter <= fronts_[static_cast<std::size_t>(penalty)].reach[at(diagonal)];
        };
        while (s > 0) {
            std::int64_t const i = i_ + x, j = i + diagonal_ + k, most = std::min({x + letters_ahead, i, j});
            if (most > 0)
                x -= static_cast<std::int64_t>(equal_letters_before(sequences_.query + i, sequences_.target + j,
                                                                    static_cast<std::uint64_t>(most)));
            if (reaches(x - 1, s - costs_.mismatch, k)) {
                add(i_ + --x, Kind::mismatch);
                s -= costs_.mismatch;
                continue;
            }
            // The longest gap that attains.
            std::int64_t insertion = 0, deletion = 0;
            for (std::int64_t l = 1; l <= 2 * most_aside && costs_.open + l * costs_.extend <= s; ++l) {
                if (reaches(x - l, s - costs_.open - l * costs_.extend, k + l))
                    insertion = l;
                if (reaches(x, s - costs_.open - l * costs_.extend, k - l))
                    deletion = l;
            }
            s -= costs_.open + std::max<std::int64_t>(1, insertion > 0 ? insertion : deletion) * costs_.extend;
            k += insertion > 0 ? insertion : -deletion;
            for (std::int64_t l = insertion; l > 0; --l)
                add(i_ + --x, Kind::insertion);
            for (std::int64_t l = insertion > 0 ? 0 : deletion; l > 0; --l)
                add(i_ + x, Kind::deletion);
        }
        return x > -letters_ahead && k == 0;
    }

private:
    static constexpr std::int32_t nowhere = -1000;
    static constexpr std::size_t diagonals = 2 * most_aside + 3; // with one that no path has on either side
    using Numbers = std::array<std::int32_t, diagonals>;         // letters from i_ on
    struct Front {
        Numbers reach, insertion, deletion; // with penalties up to its own; with its own, in a gap
    };

    static constexpr std::size_t at(std::int64_t k) { return static_cast<std::size_t>(k + most_aside + 1); }
    // Numbers of a front with so much less penalty.
    template <class Part>
    HWY_INLINE std::int64_t before(std::int64_t penalty, Part const & part, std::int64_t k) const
    {
        return penalty < 0 ? nowhere : (fronts_[static_cast<std::size_t>(penalty)].*part)[at(k)];
    }

    template <bool opens>
    HWY_INLINE bool find_by()
    {
        constexpr std::int64_t aside_at_most = opens ? most_aside : most_aside_linear;
        // With less than another diagonal costs.
        std::int64_t const j = i_ + diagonal_, gap = costs_.open + costs_.extend,
                           most = std::min({SeparateChanges::most_cost,
                                            most_close_changes * std::max(costs_.mismatch, gap),
                                            costs_.open + (aside_at_most + 1) * costs_.extend - 1});
        if (j < aside_at_most || i_ + letters_ahead > sequences_.m || j + aside_at_most + letters_ahead > sequences_.n)
            return false;
        aside_ = 0;
        compare(0);
        clear<opens>(fronts_[0]);
        fronts_[0].reach[at(0)] = 0;
        for (cost_ = 1; cost_ <= most; ++cost_) {
            while (costs_.open + (aside_ + 1) * costs_.extend <= cost_) {
                ++aside_;
                compare(aside_);
                compare(-aside_);
            }
            if (go_on<opens>(cost_, gap))
                return true;
        }
        return false;
    }
    HWY_INLINE void compare(std::int64_t k)
    {
        bits_[at(k)] = different_letters(sequences_.query + i_, sequences_.target + i_ + diagonal_ + k) |
                       ~std::uint64_t{0} << letters_ahead;
    }
    template <bool opens>
    HWY_INLINE static void clear(Front & front)
    {
        constexpr std::int64_t aside = opens ? most_aside : most_aside_linear;
        for (std::int64_t k = -aside - 1; k <= aside + 1; ++k) {
            front.reach[at(k)] = nowhere;
            if constexpr (opens)
                front.insertion[at(k)] = front.deletion[at(k)] = nowhere;
        }
    }

    // The front of penalty s; whether it tells the way.  Where gaps cost nothing to open, going on with one is like
    // opening one.
    template <bool opens>
    HWY_INLINE bool go_on(std::int64_t s, std::int64_t gap)
    {
        Front & front = fronts_[static_cast<std::size_t>(s)];
        clear<opens>(front);
        std::int64_t best = nowhere;
        other_ = nowhere;
        for (std::int64_t k = -aside_; k <= aside_; ++k) {
            std::int64_t insertion = before(s - gap, &Front::reach, k + 1),
                         deletion = before(s - gap, &Front::reach, k - 1);
            if constexpr (opens) {
                insertion = std::max(insertion, before(s - costs_.extend, &Front::insertion, k + 1));
                deletion = std::max(deletion, before(s - costs_.extend, &Front::deletion, k - 1));
            }
            ++insertion;
            std::int64_t const changed =
                                   std::max({insertion, deletion, 1 + before(s - costs_.mismatch, &Front::reach, k)}),
                               with_less = before(s - 1, &Front::reach, k);
            std::int64_t reach = with_less;
            // Without a branch, which could not be foreseen.
            std::int64_t const from = std::max<std::int64_t>(changed, 0),
                               next = std::min(letters_ahead, from + std::countr_zero(bits_[at(k)] >> from));
            reach = changed >= 0 && changed > with_less ? next : reach;
            if constexpr (opens) {
                front.insertion[at(k)] = static_cast<std::int32_t>(insertion);
                front.deletion[at(k)] = static_cast<std::int32_t>(deletion);
            }
            front.reach[at(k)] = static_cast<std::int32_t>(reach);
            if (reach > best) {
                other_ = best;
                best = reach;
                begin_ = changed > with_less ? changed : reach; // where only less penalty leads, there is no end
                leaves_on_ = k;
            } else {
                other_ = std::max(other_, reach);
            }
        }
        return best >= begin_ + between_ && best >= other_ + between_;
    }

    SeparateChanges::Sequences const & sequences_;
    Penalties const costs_;
    std::int64_t const i_, diagonal_, between_;
    std::int64_t cost_ = 0, begin_ = 0, other_ = 0, leaves_on_ = 0;
    std::int64_t aside_ = 0;                    // no path leads further
    std::array<std::uint64_t, diagonals> bits_; // of letters that differ, and behind those that are compared
    std::array<Front, SeparateChanges::most_cost + 1> fronts_;
};

} // namespace
} // namespace nwgpu::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
