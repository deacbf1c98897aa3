// SPDX-License-Identifier: BSD-3-Clause
// A line of a grid of kept boundaries, packed: most scoring schemes need one or two bytes per cell.
//
// Neighbouring scores of a boundary lie close together, and so do H and the score of the gap that goes on from the cell
// (lemma 2):
//   step = H - (H of the cell before) + open + extend    lies in 0 .. 2 (open + extend) + best column score
//   rest = gap - (H - open - extend)                      lies in 0 .. open
// A cell is one word: the bits of its step above those of its rest.  A boundary of differences has steps and rests.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "cpu/pair/boundary.hpp"
#include "model/scoring.hpp"

namespace nwgpu::cpu {

struct KeptCode {
    std::int64_t gap = 0; // open + extend
    int rest_bits = 8;
    std::uint64_t bytes = 2; // of a word: 1, 2, 4 or 8
    bool scores = false;     // else differences
    std::int64_t extend = 0; // of scores

    static KeptCode of_differences() { return {}; }
    static KeptCode of_scores(Scoring const & scoring)
    {
        auto const bits = [](std::int64_t most) {
            return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(most)));
        };
        auto const [open, extend] = scoring.gap();
        int const rest = bits(open), step = bits(2 * (open + extend) + std::max<std::int64_t>(0, scoring.max_score()));
        return {open + extend, rest, std::bit_ceil(static_cast<std::uint64_t>(rest + step + 7) / 8), true, extend};
    }
};

// The cells begin .. end of a line, in borrowed memory.  Cells of scores come in blocks of `block`; for each of them H
// before its first cell, or before the line's, is known, so that a block can be read, and written anew, by itself.
class KeptLine {
public:
    std::uint64_t begin = 0, end = 0;

    KeptLine(KeptCode const & code, std::uint64_t first, std::uint64_t last, std::uint64_t block, std::byte * words,
             std::int64_t * corners) :
        begin{first}, end{last}, code_{code}, block_{block}, words_{words}, corners_{corners}
    {}

    // Of a line of scores.
    static std::uint64_t corners(std::uint64_t begin, std::uint64_t end, std::uint64_t block)
    {
        return begin < end ? (end - 1) / block - begin / block + 1 : 0;
    }
    // H before a cell that is the first of a block, or of the line.
    std::int64_t before(std::uint64_t cell) const { return corners_[cell / block_ - begin / block_]; }
    // What a gap has that goes on from there.
    std::int64_t gap_before(std::uint64_t cell) const { return before(cell) - code_.extend; }

    // `n` cells, the first of which is number `cell`; `before`: H of the cell before it.
    void store(std::uint64_t cell, BoundaryView<std::int64_t const> from, std::uint64_t n, std::int64_t before)
    {
        for (std::uint64_t part; n > 0; n -= part, cell += part, from = from + part) {
            part = std::min(n, block_ - cell % block_);
            if (cell % block_ == 0 || cell == begin)
                corners_[cell / block_ - begin / block_] = before;
            with_words(cell, [&](auto * to) { pack(to, from, part, before); });
            before = from.first[part - 1];
        }
    }
    // `cell` is the first of a block, or of the line.
    void load(std::uint64_t cell, BoundaryView<std::int64_t> to, std::uint64_t n) const
    {
        std::uint64_t const rest = (std::uint64_t{1} << code_.rest_bits) - 1;
        std::int64_t h = before(cell);
        with_words(cell, [&](auto const * from) {
            for (std::uint64_t k = 0; k < n; ++k) {
                std::uint64_t const word = from[k];
                to.first[k] = h += static_cast<std::int64_t>(word >> code_.rest_bits) - code_.gap;
                to.second[k] = h - code_.gap + static_cast<std::int64_t>(word & rest);
            }
        });
    }

    // The same of differences, which do not depend on the cell before.
    void store(std::uint64_t cell, BoundaryView<std::uint8_t const> from, std::uint64_t n, std::int64_t)
    {
        auto * const to = reinterpret_cast<std::uint16_t *>(words_) + (cell - begin);
        for (std::uint64_t k = 0; k < n; ++k)
            to[k] = static_cast<std::uint16_t>(from.first[k] << 8 | from.second[k]);
    }
    void load(std::uint64_t cell, BoundaryView<std::uint8_t> to, std::uint64_t n) const
    {
        auto const * const from = reinterpret_cast<std::uint16_t const *>(words_) + (cell - begin);
        for (std::uint64_t k = 0; k < n; ++k) {
            to.first[k] = static_cast<std::uint8_t>(from[k] >> 8);
            to.second[k] = static_cast<std::uint8_t>(from[k]);
        }
    }

private:
    // In numbers no longer than needed, and some cells at a time: the compiler makes vectors of that.
    template <class Word>
    void pack(Word * to, BoundaryView<std::int64_t const> from, std::uint64_t n, std::int64_t before) const
    {
        using Number = std::conditional_t<sizeof(Word) == 8, std::uint64_t, std::uint32_t>;
        constexpr std::uint64_t at_once = 64;
        auto const gap = static_cast<Number>(code_.gap);
        int const bits = code_.rest_bits;
        for (std::uint64_t begin = 0; begin < n; begin += at_once) {
            std::uint64_t const count = std::min(at_once, n - begin);
            std::int64_t const *const h = from.first + begin, *const left = from.second + begin;
            Number words[at_once];
            auto const word = [&](std::uint64_t k, std::int64_t last) {
                Number const score = static_cast<Number>(h[k]);
                return static_cast<Number>((score - static_cast<Number>(last) + gap) << bits |
                                           (static_cast<Number>(left[k]) - score + gap));
            };
            words[0] = word(0, begin == 0 ? before : h[-1]);
            for (std::uint64_t k = 1; k < count; ++k)
                words[k] = word(k, h[k - 1]);
            for (std::uint64_t k = 0; k < count; ++k)
                to[begin + k] = static_cast<Word>(words[k]);
        }
    }

    template <class Work>
    void with_words(std::uint64_t cell, Work const & work) const
    {
        std::byte * const at = words_ + (cell - begin) * code_.bytes;
        switch (code_.bytes) {
        case 1:
            return work(reinterpret_cast<std::uint8_t *>(at));
        case 2:
            return work(reinterpret_cast<std::uint16_t *>(at));
        case 4:
            return work(reinterpret_cast<std::uint32_t *>(at));
        default:
            return work(reinterpret_cast<std::uint64_t *>(at));
        }
    }

    KeptCode code_;
    std::uint64_t block_;
    std::byte * words_;
    std::int64_t * corners_;
};

} // namespace nwgpu::cpu
