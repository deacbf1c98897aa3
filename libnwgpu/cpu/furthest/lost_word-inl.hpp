// SPDX-License-Identifier: BSD-3-Clause
// What a word of the query costs at least on every diagonal of a band, which are lanes of a vector or bits of numbers:
// one comparison with a letter of the word for all of them.  Included once per instruction set, inside foreach_target.
#if defined(NWGPU_CPU_LOST_WORD_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef NWGPU_CPU_LOST_WORD_INL_HPP
#undef NWGPU_CPU_LOST_WORD_INL_HPP
#else
#define NWGPU_CPU_LOST_WORD_INL_HPP
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "cpu/furthest/equal_letters-inl.hpp"
#include "cpu/furthest/separate_changes.hpp"

HWY_BEFORE_NAMESPACE();
namespace nwgpu::cpu::HWY_NAMESPACE {
namespace {

// The diagonals low to high, of which there may be none (high = low - 1).  On each of them the word lies in the matrix;
// where it does not, costs_more_than() takes the letters beside the target as they are.
struct LostWord {
    std::uint8_t const *word, *target; // the target's letters begin where diagonal 0 has the word
    std::int64_t length, low, high;

    // Where 64 letters from here on are equal to this one.
    static HWY_INLINE std::uint64_t equal(std::uint8_t letter, std::uint8_t const * from)
    {
        namespace hn = hwy::HWY_NAMESPACE;
        hn::ScalableTag<std::uint8_t> const d;
        auto const letters = hn::Set(d, letter);
        std::uint64_t bits = 0;
        for (std::size_t k = 0; k < 64; k += hn::Lanes(d))
            hn::StoreMaskBits(d, hn::Eq(letters, hn::LoadU(d, from + k)),
                              reinterpret_cast<std::uint8_t *>(&bits) + k / 8);
        return bits;
    }

    // Bits for those of the diagonals from k on, 64 of them at most.
    HWY_INLINE std::uint64_t bits_from(std::int64_t k) const
    {
        return high - k < 63 ? (std::uint64_t{2} << (high - k)) - 1 : ~std::uint64_t{0};
    }

    // Whether so many of its letters differ on each diagonal, 8 at most.  Those around `centre` are looked at first.
    HWY_INLINE bool differs(std::int64_t letters, std::int64_t centre) const
    {
        return letters == 1 ? differ<1>(1, centre) : letters == 2 ? differ<2>(2, centre) : differ<8>(letters, centre);
    }

    // Whether no path of this penalty, or less, leads through the word, from any of the diagonals.
    HWY_NOINLINE bool costs_more_than(std::int64_t penalty, Penalties const & costs) const
    {
        return penalty > SeparateChanges::most_cost
                   ? (costs.open > 0 ? by_words<true, many>(penalty, costs) : by_words<false, many>(penalty, costs))
               : costs.open > 0 ? by_words<true, few>(penalty, costs)
                                : by_words<false, few>(penalty, costs);
    }

private:
    // Penalties.
    static constexpr std::int64_t few = SeparateChanges::most_cost, many = SeparateChanges::most_cost_together;
    static constexpr std::int64_t most_lanes =
        hwy::HWY_NAMESPACE::MaxLanes(hwy::HWY_NAMESPACE::ScalableTag<std::uint8_t>{});
    // For lanes: 0 for a diagonal, 255 for none.
    static constexpr std::array<std::uint8_t, 2 * most_lanes> none_behind = [] {
        std::array<std::uint8_t, 2 * most_lanes> lanes{};
        std::fill(lanes.begin() + most_lanes, lanes.end(), std::uint8_t{255});
        return lanes;
    }();

    // `most` letters: where the compiler knows how many, lanes stay in registers.
    template <std::size_t most>
    HWY_INLINE bool differ(std::int64_t letters, std::int64_t centre) const
    {
        if (letters > static_cast<std::int64_t>(most))
            return false;
        auto const top = static_cast<std::size_t>(letters - 1);
        if (high - low < letters_at_once)
            return differ_from<most>(LettersTag{}, low, top, centre);
        hwy::HWY_NAMESPACE::ScalableTag<std::uint8_t> const d;
        for (std::int64_t k = low; k <= high; k += most_lanes)
            if (!differ_from<most>(d, k, top, centre))
                return false;
        return true;
    }
    // On as many diagonals as a vector has lanes, from k on.
    template <std::size_t most, class D>
    HWY_INLINE bool differ_from(D d, std::int64_t k, std::size_t top, std::int64_t centre) const
    {
        namespace hn = hwy::HWY_NAMESPACE;
        constexpr std::int64_t at_once = 8; // without a branch in between
        hn::Vec<D> more[most];              // not 0 where more than 0, 1, ... letters differ
        std::fill_n(more, most, hn::LoadU(d, none_behind.data() + most_lanes - std::min(high - k + 1, most_lanes)));
        auto const look_at = [&](std::int64_t letter) HWY_ATTR {
            auto const differs = hn::Xor(hn::Set(d, word[letter]), hn::LoadU(d, target + letter + k));
            for (std::size_t c = most - 1; c > 0; --c)
                more[c] = hn::Or(more[c], hn::Min(more[c - 1], differs));
            more[0] = hn::Or(more[0], differs);
        };
        auto const are_left = [&]() HWY_ATTR { return !hn::AllFalse(d, hn::Eq(more[top], hn::Zero(d))); };
        std::int64_t before = 0, behind = length; // between these letters are looked at first
        if (length >= at_once) {
            before = std::clamp<std::int64_t>(centre - at_once / 2, 0, length - at_once);
            behind = before + at_once;
#pragma GCC unroll 8
            for (std::int64_t letter = 0; letter < at_once; ++letter)
                look_at(before + letter);
        } else {
            for (std::int64_t letter = 0; letter < length; ++letter)
                look_at(letter);
        }
        if (!are_left()) [[likely]]
            return true;
        while (before > 0)
            look_at(--before);
        while (behind < length)
            look_at(behind++);
        return !are_left();
    }

    // Diagonals on which a path may be behind some letters, and a word of none on either side.
    template <std::size_t words>
    using Reached = std::array<std::uint64_t, words + 2>;

    template <bool opens, std::int64_t most>
    HWY_INLINE bool by_words(std::int64_t penalty, Penalties const & costs) const
    {
        // A path leads no further aside than this, so that one of some neighbouring diagonals stays among them.
        std::int64_t const aside = std::max<std::int64_t>(0, (penalty - costs.open) / costs.extend);
        if (2 * aside >= 64)
            return false;
        for (LostWord part = *this;;) {
            std::int64_t const left = (high - part.low + 64) / 64, words = left >= 5 ? 5 : left >= 2 ? 2 : 1;
            part.high = std::min(high, part.low + 64 * words - 1);
            if (!(words == 1   ? part.costs_more_than<1, opens, most>(penalty, costs)
                  : words == 2 ? part.costs_more_than<2, opens, most>(penalty, costs)
                               : part.costs_more_than<5, opens, most>(penalty, costs)))
                return false;
            if (part.high == high)
                return true;
            part.low = part.high + 1 - 2 * aside;
        }
    }
    // `opens`: gaps cost something to open, else going on with one is like opening one.
    // `most`: of a penalty, and of a change.
    template <std::size_t words, bool opens, std::int64_t most>
    HWY_NOINLINE bool costs_more_than(std::int64_t penalty, Penalties const & costs) const
    {
        std::int64_t const gap = costs.open + costs.extend;
        if (penalty > most || std::max(gap, costs.mismatch) > most)
            return false;
        Reached<words> within{};
        for (std::int64_t k = 0; k <= high - low; k += 64)
            within[static_cast<std::size_t>(k / 64) + 1] = bits_from(low + k);
        // By penalty, from -most on: any way, in an insertion, in a deletion; before and behind the letter.
        using Penalty = std::array<Reached<words>, 2 * most + 1>;
        Penalty any[2], insertion[2], deletion;
        for (Penalty * const all : {&any[0], &any[1], &insertion[0], &insertion[1], &deletion})
            for (std::int64_t s = -std::max(gap, costs.mismatch); s <= penalty; ++s)
                (*all)[static_cast<std::size_t>(most + s)] = {};
        for (std::int64_t s = 0; s <= penalty; ++s)
            any[0][static_cast<std::size_t>(most + s)] = within;
        for (std::int64_t letter = 0; letter < length; ++letter) {
            Reached<words> same{};
            for (std::size_t w = 1; w <= words; ++w)
                same[w] = equal(word[letter], target + letter + low + static_cast<std::int64_t>(64 * (w - 1)));
            auto const & before = any[letter & 1];
            [[maybe_unused]] auto const & in_insertion = insertion[letter & 1];
            auto & behind = any[~letter & 1];
            [[maybe_unused]] auto & next_insertion = insertion[~letter & 1];
            std::uint64_t left = 0;
            for (std::int64_t s = 0; s <= penalty; ++s) {
                auto const now = static_cast<std::size_t>(most + s), opened = static_cast<std::size_t>(most + s - gap),
                           changed = static_cast<std::size_t>(most + s - costs.mismatch);
                [[maybe_unused]] auto const extended = static_cast<std::size_t>(most + s - costs.extend);
                left = 0;
                for (std::size_t w = 1; w <= words; ++w) {
                    std::uint64_t up = before[opened][w], up_next = before[opened][w + 1], back = behind[opened][w],
                                  back_last = behind[opened][w - 1];
                    if constexpr (opens) {
                        up |= in_insertion[extended][w];
                        up_next |= in_insertion[extended][w + 1];
                        back |= deletion[extended][w];
                        back_last |= deletion[extended][w - 1];
                    }
                    std::uint64_t const inserted = (up >> 1 | up_next << 63) & within[w],
                                        deleted = (back << 1 | back_last >> 63) & within[w];
                    if constexpr (opens) {
                        next_insertion[now][w] = inserted;
                        deletion[now][w] = deleted;
                    }
                    behind[now][w] = (before[now][w] & same[w]) | (before[changed][w] & within[w]) | inserted | deleted;
                    left |= behind[now][w];
                }
            }
            if (left == 0)
                return true;
        }
        return false;
    }
};

} // namespace
} // namespace nwgpu::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
