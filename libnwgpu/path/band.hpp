// SPDX-License-Identifier: BSD-3-Clause
// The proven band of a global alignment, after Fickett (1984, doi:10.1093/nar/12.1Part1.175) and Ukkonen (1985): given
// the score of any path, the half-width beyond which no path can be as good (docs/proofs.md, lemma 17).
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include "model/batch.hpp"
#include "model/mode.hpp"
#include "model/scoring.hpp"

namespace nwgpu::path {

// Diagonals target - query that have to be computed; the rest is replaced by lower bounds.
struct Band {
    std::int64_t low = INT64_MIN / 2, high = INT64_MAX / 2;
    bool everything() const { return low == INT64_MIN / 2; }
    // The same band counted from a cell that has so many rows above it and columns to its left.
    Band from(std::uint64_t row, std::uint64_t col) const
    {
        if (everything())
            return *this;
        auto const shift = static_cast<std::int64_t>(row) - static_cast<std::int64_t>(col);
        return {low + shift, high + shift};
    }

    // The narrowest one that holds both.
    Band with(Band const & other) const { return {std::min(low, other.low), std::max(high, other.high)}; }
    bool holds(Band const & other) const { return low <= other.low && other.high <= high; }
    std::uint64_t width() const { return static_cast<std::uint64_t>(high - low); }

    // Which of the columns col_begin .. col_end a strip of rows must cover.
    std::pair<std::uint64_t, std::uint64_t> columns(std::uint64_t row_begin, std::uint64_t row_end,
                                                    std::uint64_t col_begin, std::uint64_t col_end) const
    {
        // Cell (i, j) of rows row_begin < i <= row_end belongs to column letter j - 1.
        return {clip(static_cast<std::int64_t>(row_begin) + low, col_begin, col_end),
                clip(static_cast<std::int64_t>(row_end) + high, col_begin, col_end)};
    }
    // Which of the rows row_begin .. row_end lie in strips of `strip_rows` that may cross the left side of a column.
    std::pair<std::uint64_t, std::uint64_t> rows(std::uint64_t col, std::uint64_t strip_rows, std::uint64_t row_begin,
                                                 std::uint64_t row_end) const
    {
        return {clip(static_cast<std::int64_t>(col) - high - static_cast<std::int64_t>(strip_rows), row_begin, row_end),
                clip(static_cast<std::int64_t>(col) - low + static_cast<std::int64_t>(strip_rows), row_begin, row_end)};
    }

private:
    static std::uint64_t clip(std::int64_t at, std::uint64_t begin, std::uint64_t end)
    {
        return static_cast<std::uint64_t>(
            std::clamp(at, static_cast<std::int64_t>(begin), static_cast<std::int64_t>(end)));
    }
};

// The band that leaves `half_width` diagonals free on both sides of those that every path crosses.
Band band_around(PairView const & pair, std::uint64_t half_width);

class BandProof {
public:
    BandProof(PairView const & pair, Scoring const & scoring);

    // The least half-width d such that every path that leaves band_around(d) scores less than `score`; nothing if
    // the scoring does not bound it.
    std::optional<std::uint64_t> half_width(std::int64_t score) const;

private:
    // A path outside has at least d + 1 letters of each sequence more in gaps than it must: its score is at most
    // base - d * step.
    std::int64_t base_ = 0, step_ = 0;
};

// In any mode: the diagonals beyond which no path scores `score` (docs/proofs.md, lemma 38).
Band proven_band(PairView const & pair, Mode const & mode, Scoring const & scoring, std::int64_t score);

// The same of paths that end in the last cell, whichever begins are free: closer to that cell's diagonal
// (docs/proofs.md, lemma 39).
Band proven_band_to_end(PairView const & pair, Mode const & begins, Scoring const & scoring, std::int64_t score);

// A path that aligns some of so many letters of a sequence, and has this many of them, or more, in a gap, scores less
// than `score` (docs/proofs.md, lemma 35 (d)).
std::uint64_t too_long_gap(std::uint64_t letters, Scoring const & scoring, std::int64_t score);

// Where the ends of one sequence alone are free, one of them or both: the half-width beyond which no path scores
// `score` (docs/proofs.md, lemma 36).
std::uint64_t free_ends_half_width(PairView const & pair, Mode const & mode, Scoring const & scoring,
                                   std::int64_t score);

} // namespace nwgpu::path
