// SPDX-License-Identifier: BSD-3-Clause
// Some changes that lie close together: fronts (docs/proofs.md, lemma 23) of few diagonals along few letters, which are
// compared on each diagonal before.  Included once per instruction set, inside foreach_target.
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
// Of changes that are told: letters that are compared, penalties, diagonals on either side where gaps cost something to
// open and where not, and changes.
struct CloseRoom {
    std::int64_t letters, cost, aside, aside_linear, changes;
};
constexpr CloseRoom few_close{letters_ahead, SeparateChanges::most_cost, 8, 4, 4},
    many_close{256, SeparateChanges::most_cost_together, 31, 16, 24};
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

template <CloseRoom room>
class CloseChanges {
public:
    // Letter i of the query and that of this diagonal differ.  `between`: of letters_between.  Changes end behind
    // letter `until` of the query.
    CloseChanges(SeparateChanges::Sequences const & sequences, Penalties const & costs, std::int64_t i,
                 std::int64_t diagonal, std::int64_t between, std::int64_t until) :
        sequences_{sequences},
        costs_{costs},
        i_{i},
        diagonal_{diagonal},
        between_{between},
        least_{until - i + 1 + between}
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
            for (std::int64_t l = 1; l <= 2 * room.aside && costs_.open + l * costs_.extend <= s; ++l) {
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
    static constexpr std::size_t diagonals = 2 * room.aside + 3; // with one that no path has on either side
    static constexpr std::size_t words = static_cast<std::size_t>(room.letters + 63) / 64; // of bits
    using Numbers = std::array<std::int32_t, diagonals>;                                   // letters from i_ on
    struct Front {
        Numbers reach, insertion, deletion; // with penalties up to its own; with its own, in a gap
    };

    static constexpr std::size_t at(std::int64_t k) { return static_cast<std::size_t>(k + room.aside + 1); }
    // Numbers of a front with so much less penalty.
    template <class Part>
    HWY_INLINE std::int64_t before(std::int64_t penalty, Part const & part, std::int64_t k) const
    {
        return penalty < 0 ? nowhere : (fronts_[static_cast<std::size_t>(penalty)].*part)[at(k)];
    }

    template <bool opens>
    HWY_INLINE bool find_by()
    {
        constexpr std::int64_t most_aside = opens ? room.aside : room.aside_linear;
        std::int64_t const j = i_ + diagonal_, gap = costs_.open + costs_.extend,
                           aside = words > 1 ? std::min(most_aside, j) : most_aside,
                           left = std::min(sequences_.m - i_, sequences_.n - j - aside);
        // With less than another diagonal costs.
        std::int64_t const most = std::min(
            {room.cost, room.changes * std::max(costs_.mismatch, gap), costs_.open + (aside + 1) * costs_.extend - 1});
        if constexpr (words > 1)
            letters_ = std::min(letters_, left);
        if (j < aside || letters_ > left || letters_ < letters_ahead || letters_ < least_)
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
        std::uint8_t const *const query = sequences_.query + i_, *const target = sequences_.target + i_ + diagonal_ + k;
        auto & bits = bits_[at(k)];
        if constexpr (words == 1) {
            bits[0] = different_letters(query, target) | ~std::uint64_t{0} << letters_ahead;
        } else {
            bits = {};
            for (std::int64_t letter = 0; letter < letters_; letter += letters_ahead)
                bits[static_cast<std::size_t>(letter / 64)] |= different_letters(query + letter, target + letter)
                                                               << letter % 64;
        }
    }
    // The first letter from this one on that differs, of those that are compared.
    HWY_INLINE std::int64_t next_different(std::int64_t k, std::int64_t from) const
    {
        auto const & bits = bits_[at(k)];
        if constexpr (words == 1) {
            return std::min(letters_ahead, from + std::countr_zero(bits[0] >> from));
        } else {
            for (std::int64_t letter = from; letter < letters_; letter = (letter | 63) + 1)
                if (std::uint64_t const left = bits[static_cast<std::size_t>(letter / 64)] >> letter % 64; left != 0)
                    return std::min(letters_, letter + std::countr_zero(left));
            return letters_;
        }
    }
    template <bool opens>
    HWY_INLINE static void clear(Front & front)
    {
        constexpr std::int64_t aside = opens ? room.aside : room.aside_linear;
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
            std::int64_t const from = std::max<std::int64_t>(changed, 0), next = next_different(k, from);
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
        return best >= begin_ + between_ && best >= other_ + between_ && best >= least_;
    }

    SeparateChanges::Sequences const & sequences_;
    Penalties const costs_;
    std::int64_t const i_, diagonal_, between_, least_;
    std::int64_t letters_ = room.letters; // that are compared
    std::int64_t cost_ = 0, begin_ = 0, other_ = 0, leaves_on_ = 0;
    std::int64_t aside_ = 0; // no path leads further
    std::array<std::array<std::uint64_t, words>, diagonals>
        bits_; // of letters that differ; in one word, and of all behind them
    std::array<Front, room.cost + 1> fronts_;
};

} // namespace
} // namespace nwgpu::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
