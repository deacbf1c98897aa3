// SPDX-License-Identifier: BSD-3-Clause
// Pairs of which one sequence, the inner one, lies within the other, the outer one, on one diagonal with few
// mismatches, where ends are free or alignments local: reads and where they come from.  Letters are compared on that
// diagonal, and words and runs of equal letters on others prove that every other alignment loses more (docs/proofs.md,
// lemma 37).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "model/scoring.hpp"

namespace nwgpu::cpu {

// What an alignment scores less than one in which all inner letters are equal to outer ones.  A gap of k letters loses
// open + k * extend, and k * match as well if they are inner ones, as clipped letters do.
struct Losses {
    std::int64_t match = 0, mismatch = 0, open = 0, extend = 0;

    // Of a uniform scheme.
    static Losses of(Scoring const & scoring)
    {
        return {scoring.match(), scoring.match() + scoring.mismatch(), scoring.gap().open, scoring.gap().extend};
    }
    std::int64_t gap() const { return open + extend; } // of one outer letter
    // Of a path through so many inner letters.
    std::int64_t of_score(std::uint64_t letters, std::int64_t score) const
    {
        return match * static_cast<std::int64_t>(letters) - score;
    }
    // Of a word that is not equal on one diagonal, at least, if its letters are not all in one gap, or clipped: a gap
    // of inner letters has a begin and an end, and each may be in another word (docs/proofs.md, lemmas 37 and 40).
    std::int64_t of_word() const { return std::min({mismatch, gap(), match + extend + open / 2}); }
};

struct OneDiagonal {
    static constexpr std::int64_t word = 8, least_inner = 2 * word, most_inner = 512, most_outer = 4096;
    static constexpr std::int64_t most_apart = 16; // diagonals, on either side
    static constexpr int most_mismatches = 8;

    std::uint8_t const *inner, *outer; // 63 letters before and behind them can be read
    std::int64_t inner_letters, outer_letters;
    Losses losses;
    bool may_clip; // inner letters at its ends; else these are gaps

    int mismatches = -1;                            // negative: nothing is proven
    std::int64_t diagonal = 0;                      // outer letters before the first inner one
    std::array<std::int64_t, most_mismatches> at{}; // inner letters before each mismatch
    std::int64_t first_run = 0, last_run = 0; // equal letters at the inner begin and end on other diagonals, at most

    std::int64_t lost() const { return mismatches * losses.mismatch; }
};

// Whether all alignments that leave the diagonal, but have letters on it, lose more, where no other diagonal within
// their reach has `word` equal letters in a row.
bool all_detours_lose_more(OneDiagonal const & found);

} // namespace nwgpu::cpu
