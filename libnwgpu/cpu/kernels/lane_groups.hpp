// SPDX-License-Identifier: BSD-3-Clause
// What kernels for many pairs at once are given: one pair per lane of a vector, uniform scores; plain data.  All arrays
// are [position][lane]; the matrix is that of the longest query and target of the group, lanes with shorter ones
// compute junk beyond their ends.  Columns are computed in tiles of `batch_columns`, row by row, so that the state of a
// row is loaded once per tile.
//
// Kernels compute a band of diagonals, or all.  What stands for cells outside are
// scores of some paths, so that no cell has more than its score, and a pair whose best paths lie in the band has its
// answer (docs/proofs.md, lemmas 33 and 38).
//
//              columns ->
//              # # # # . . . .       in each tile of columns those rows in which some cell lies on a diagonal of the
//     rows     # # # # # # . .       band; for global and free ends from the begin of a block of rows on
//     |        . . # # # # # #
//              . . . . # # # #
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "cpu/kernels/kernels.hpp"

namespace nwgpu::cpu {

constexpr std::uint64_t batch_columns = 4;

constexpr std::uint64_t lane_trace_bytes(std::uint64_t rows, std::uint64_t cols, std::uint64_t planes,
                                         std::uint64_t lanes)
{
    return rows * ((cols + batch_columns - 1) / batch_columns * batch_columns) * planes * ((lanes + 7) / 8) + 8;
}

// Rows and columns count from 0.
struct LaneGroup {
    std::uint64_t rows = 0, cols = 0;
    std::uint8_t const * query = nullptr;  // [rows][lanes]
    std::uint8_t const * target = nullptr; // [cols][lanes]
    // The band, set by set_band(): low <= column - row <= high.
    static constexpr std::int64_t all_diagonals = std::int64_t{1} << 32;
    std::int64_t low = -all_diagonals, high = all_diagonals;
    // Trace bits: [column / batch_columns][kept row][column % batch_columns][plane], (lanes + 7) / 8 bytes each, or
    // null.  Rows that have some: `kept_rows` of each tile of columns, the first of them so many above a line from the
    // matrix' corner, which has `slope` rows per column, in 1 / 2^slope_bits.
    std::uint8_t * trace = nullptr; // lane_trace_bytes() of kept_rows
    std::uint64_t kept_rows = 0, kept_above = 0, slope = 0;
    static constexpr int slope_bits = 16;

    // Among its diagonals are 0 and the last one of each lane.  So wide that rows come into it in as many at a time as
    // tiles have columns: blocks of rows begin with the first of these (lemma 33).
    void set_band(std::int64_t lowest, std::int64_t highest)
    {
        low = std::max(lowest, -all_diagonals) & -static_cast<std::int64_t>(batch_columns);
        high = std::min(highest, all_diagonals);
    }
    // Trace bits of the rows that these diagonals have, the highest of which is not below 0; behind set_band().
    void keep_rows(std::int64_t lowest, std::int64_t highest)
    {
        kept_rows = rows;
        lowest = std::max(lowest, low);
        highest = std::min(highest, high);
        if (auto const height = static_cast<std::uint64_t>(highest - lowest) + batch_columns; height < rows) {
            kept_rows = height;
            kept_above = static_cast<std::uint64_t>(highest);
            slope = std::uint64_t{1} << slope_bits;
        }
    }
    // Of a tile of columns, in the band: its first row, and the one behind its last.
    std::uint64_t band_begin(std::uint64_t col) const { return row_of(static_cast<std::int64_t>(col) - high); }
    std::uint64_t band_end(std::uint64_t end_col) const { return row_of(static_cast<std::int64_t>(end_col) - low); }

    // On the line, of this column's tile.
    std::uint64_t line_row(std::uint64_t col) const
    {
        return col / batch_columns * batch_columns * slope >> slope_bits;
    }
    // Of this cell: its row among those of its tile that are kept.  Others are not below kept_rows.
    std::uint64_t kept_row(std::uint64_t row, std::uint64_t col) const { return row + kept_above - line_row(col); }
    // Where the bits of this cell begin, which is kept; a cell has so many bytes.
    std::uint64_t kept_at(std::uint64_t row, std::uint64_t col, std::uint64_t cell_bytes) const
    {
        return ((col / batch_columns * kept_rows + kept_row(row, col)) * batch_columns + col % batch_columns) *
               cell_bytes;
    }

private:
    std::uint64_t row_of(std::int64_t row) const
    {
        return static_cast<std::uint64_t>(std::clamp<std::int64_t>(row, 0, static_cast<std::int64_t>(rows)));
    }
};

// Global and free ends, in 8 bits.  With a drift, H'(i,j) = H(i,j) + extend (i + j), gaps go on for nothing:
//   H'(i,j) = max(H'(i-1,j-1) + s + 2 extend, E'(i,j), F'(i,j))
//   E'(i,j+1) = max(E'(i,j), H'(i,j) - open)            F'(i+1,j) = max(F'(i,j), H'(i,j) - open)
// The matrix is cut into blocks, and scores are relative to H' above and left of the first cell of their block.
struct BatchGlobalGroup : LaneGroup {
    ScoreScheme const * scheme = nullptr;
    std::int32_t const * rows_of = nullptr; // [lanes], 64-byte aligned like all that follow; 0: an unused lane
    std::int32_t const * cols_of = nullptr;
    bool free_top = false, free_left = false, free_bottom = false, free_right = false;
    std::uint8_t * state = nullptr; // workspace of state_bytes()
    // Out, per lane: the end by the tie rule, and its score.
    std::int32_t * score = nullptr;
    std::int32_t * end_row = nullptr; // letters before the end
    std::int32_t * end_col = nullptr;

    static constexpr std::uint64_t planes = 4;
    std::uint64_t block() const { return static_cast<std::uint64_t>(scheme->lanes.block); }
    // Of so many rows: [2 * rows + rows / block][lanes].
    std::uint64_t state_bytes(std::uint64_t of_rows, std::uint64_t lanes) const
    {
        return (2 * of_rows + of_rows / block()) * lanes;
    }
};

// Begins anywhere, in 8 or 16 bits.  Letters beyond a lane's end must equal none of the other sequence.
struct BatchLocalGroup : LaneGroup {
    ScoreScheme const * scheme = nullptr;
    int width = 16;
    std::int64_t floor = 0; // what stands for a score of 0
    bool find_end = false;
    std::int32_t const * rows_of = nullptr; // [lanes], both, where paths end in each lane's last cell; 0: unused
    std::int32_t const * cols_of = nullptr;
    void * state = nullptr; // workspace [2][rows][lanes]
    // Out, per lane, 64-byte aligned: the best score and, with find_end, its first cell in column-major order; or the
    // score of the last cell.
    std::int32_t * best = nullptr;
    std::int32_t * best_row = nullptr;
    std::int32_t * best_col = nullptr;

    static constexpr std::uint64_t planes = 5;
};

// From the origin to anywhere, in 8 or 16 bits; letters as above, scheme->match is not negative.  Trace without
// horizontal bits.
struct BatchExtendGroup : LaneGroup {
    ScoreScheme const * scheme = nullptr;
    int width = 16;
    bool find_end = false;
    void * state = nullptr; // workspace [2][rows][lanes]
    // Out, per lane, 64-byte aligned: the best score, at least 0, and, with find_end and a score above 0, its first
    // cell in column-major order.
    std::int32_t * best = nullptr;
    std::int32_t * best_row = nullptr;
    std::int32_t * best_col = nullptr;

    static constexpr std::uint64_t planes = 4;
};

// Sequences side by side.
struct BatchLetters {
    std::uint8_t const * const * sequence = nullptr; // [lanes], each with 15 readable letters after its end
    std::int32_t const * length = nullptr;           // [lanes]
    std::uint64_t longest = 0;
    std::uint8_t padding = 0;     // stands beyond the ends
    std::uint8_t * out = nullptr; // [longest, rounded up to 16][lanes]
};

} // namespace nwgpu::cpu
