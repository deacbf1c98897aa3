// SPDX-License-Identifier: BSD-3-Clause
// What a word of the query costs at least on every diagonal of a band, which are the bits of numbers: one comparison
// with a letter of the word for all of them.  Included once per instruction set, inside foreach_target.
#if defined(NWGPU_CPU_LOST_WORD_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef NWGPU_CPU_LOST_WORD_INL_HPP
#undef NWGPU_CPU_LOST_WORD_INL_HPP
#else
#define NWGPU_CPU_LOST_WORD_INL_HPP
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <cstdint>

HWY_BEFORE_NAMESPACE();
namespace nwgpu::cpu::HWY_NAMESPACE {
namespace {

// The diagonals low to high, on all of which the word lies in the matrix.
struct LostWord {
    std::uint8_t const *word, *target; // the target's letters begin where diagonal 0 has the word
    std::int64_t length, low, high;

    // Where 64 letters from here on are equal to this one.
    static HWY_INLINE std::uint64_t equal(std::uint8_t letter, std::uint8_t const * from)
    {
        namespace hn = hwy::HWY_NAMESPACE;
        hn::ScalableTag<std::uint8_t> const d;
        auto const letters = hn::Set(d, letter);
        std::array<std::uint64_t, 1> bits{};
        for (std::size_t k = 0; k < 64; k += hn::Lanes(d))
            hn::StoreMaskBits(d, hn::Eq(letters, hn::LoadU(d, from + k)),
                              reinterpret_cast<std::uint8_t *>(&bits) + k / 8);
        return bits[0];
    }

    // Of few diagonals: one comparison for each, with all letters of the word.
    static constexpr std::int64_t few_diagonals = 16,
                                  letters_at_once =
                                      hwy::HWY_NAMESPACE::MaxLanes(hwy::HWY_NAMESPACE::ScalableTag<std::uint8_t>{});
    HWY_INLINE std::int64_t fewest() const
    {
        namespace hn = hwy::HWY_NAMESPACE;
        hn::ScalableTag<std::uint8_t> const d;
        auto const letters = hn::LoadU(d, word);
        auto const within = hn::FirstN(d, static_cast<std::size_t>(length));
        std::size_t least = static_cast<std::size_t>(length);
        for (std::int64_t k = low; k <= high; ++k)
            least = std::min(least, hn::CountTrue(d, hn::And(within, hn::Ne(letters, hn::LoadU(d, target + k)))));
        return static_cast<std::int64_t>(least);
    }

    // Whether so many of its letters differ on each diagonal.  Those around `centre` are looked at first.
    HWY_INLINE bool differs(std::int64_t letters, std::int64_t centre) const
    {
        constexpr std::int64_t most = 8, at_once = 8; // without a branch in between
        if (letters > most)
            return false;
        if (high - low < few_diagonals && length <= letters_at_once)
            return fewest() >= letters;
        auto const top = static_cast<std::size_t>(letters - 1);
        for (std::int64_t k = low; k <= high; k += 64) {
            std::array<std::uint64_t, most> at_most; // diagonals with 0, 1, ... letters that differ
            std::fill_n(at_most.begin(), letters,
                        high - k < 63 ? (std::uint64_t{2} << (high - k)) - 1 : ~std::uint64_t{0});
            auto const look_at = [&](std::int64_t letter) HWY_ATTR {
                std::uint64_t const same = equal(word[letter], target + letter + k);
                for (std::size_t c = top; c > 0; --c)
                    at_most[c] = at_most[c - 1] | (at_most[c] & same);
                at_most[0] &= same;
            };
            std::int64_t before =
                             std::clamp<std::int64_t>(centre - at_once / 2, 0, std::max(length, at_once) - at_once),
                         behind = std::min(length, before + at_once); // between these letters are looked at first
            for (std::int64_t letter = before; letter < behind; ++letter)
                look_at(letter);
            while (at_most[top] != 0 && before > 0)
                look_at(--before);
            while (at_most[top] != 0 && behind < length)
                look_at(behind++);
            if (at_most[top] != 0)
                return false;
        }
        return true;
    }

    // Whether no path with so many changes of unit costs leads through the word, from any of the diagonals.
    HWY_INLINE bool costs_more_than(std::int64_t changes) const
    {
        std::int64_t const words = (high - low + 64) / 64;
        return words == 1   ? costs_more_than<1>(changes)
               : words == 2 ? costs_more_than<2>(changes)
                            : words <= 5 && costs_more_than<5>(changes);
    }

private:
    // Diagonals on which a path may be behind some letters, and a word of none on either side.
    template <std::size_t words>
    using Reached = std::array<std::uint64_t, words + 2>;

    template <std::size_t words>
    HWY_INLINE bool costs_more_than(std::int64_t changes) const
    {
        constexpr std::int64_t most_changes = 3;
        if (changes > most_changes)
            return false;
        Reached<words> within{}, none{};
        for (std::int64_t k = 0; k <= high - low; k += 64)
            within[static_cast<std::size_t>(k / 64) + 1] =
                high - low - k < 63 ? (std::uint64_t{2} << (high - low - k)) - 1 : ~std::uint64_t{0};
        std::array<Reached<words>, most_changes + 1> reached{within, within, within, within}; // with 0, 1, ... changes
        for (std::int64_t letter = 0; letter < length; ++letter) {
            Reached<words> same{}, fewer = none; // with a change less, before the letter
            for (std::size_t w = 1; w <= words; ++w)
                same[w] = equal(word[letter], target + letter + low + static_cast<std::int64_t>(64 * (w - 1)));
            std::uint64_t any = 0;
            for (std::int64_t s = 0; s <= changes; ++s) {
                Reached<words> & now = reached[static_cast<std::size_t>(s)];
                Reached<words> const before = now,
                                     &less =
                                         s > 0 ? reached[static_cast<std::size_t>(s) - 1] : none; // behind the letter
                any = 0;
                for (std::size_t w = 1; w <= words; ++w) {
                    std::uint64_t const mismatch = fewer[w], insertion = fewer[w] >> 1 | fewer[w + 1] << 63,
                                        deletion = less[w] << 1 | less[w - 1] >> 63;
                    now[w] = ((before[w] & same[w]) | mismatch | insertion | deletion) & within[w];
                    any |= now[w];
                }
                fewer = before;
            }
            if (any == 0)
                return true;
        }
        return false;
    }
};

} // namespace
} // namespace nwgpu::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
