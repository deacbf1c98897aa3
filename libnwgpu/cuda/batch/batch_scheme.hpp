// SPDX-License-Identifier: BSD-3-Clause
// A call's scoring scheme and mode as the batch kernels want them, and the proof of which pairs fit their arithmetic:
// 16-bit scores while a pair is swept, and H modulo 16 or 256 of each cell for its path (docs/proofs.md, lemmas 25 and
// 26).  Pure.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <optional>
#include <vector>

#include "cuda/batch/job.hpp"
#include "model/mode.hpp"
#include "model/scoring.hpp"

namespace nwgpu::cuda::batch {

// All scores are divided by `unit`.  A number that the kernels keep for the cell (i, j) is H + drift * (i + j) + zero.
struct BatchScheme {
    std::int64_t unit = 1;
    int open = 0, extend = 0;
    int best = 0, worst = 0; // M, and the worst column score after lemma 1
    int drift = 0, zero = 0;
    int bits = 0; // of a residue: 4, 8, or 0 where neither is enough
    bool local = false, free_query_begin = false, free_query_end = false, free_target_begin = false,
         free_target_end = false;
    bool uniform = true; // column scores are `best` and `worst`

    bool linear() const { return open == 0; }
    // Whether the numbers of all cells fit 16 bits.
    bool fits(std::uint64_t m, std::uint64_t n) const;
};

// None: no pair fits.
std::optional<BatchScheme> make_batch_scheme(Scoring const & scoring, Mode const & mode);

// `letters_apart`: runs of = and X, not of M.
WalkScheme walk_scheme(BatchScheme const & scheme, bool letters_apart);

constexpr std::int8_t no_letter_score = -64; // of a column or a row without a letter

// Letters that occur, numbered; both sequences alike, so that equal numbers are equal letters.
struct LetterTable {
    std::array<std::uint8_t, 256> number{}; // of a letter; those of equal codes have the same
    int letters = 0;
    bool identity = true;            // they are their numbers
    std::vector<std::int8_t> scores; // [query][target] in units
};

// The `common` most frequent of `counts`, by number, first, then one that is no letter, then the others.
void put_common_first(LetterTable & table, std::vector<std::uint64_t> const & counts, int common);

// `seen`: letters that occur.  None: there are too many, or invalid ones.
std::optional<LetterTable> make_letters(std::bitset<256> const & seen, Scoring const & scoring,
                                        BatchScheme const & scheme);

} // namespace nwgpu::cuda::batch
