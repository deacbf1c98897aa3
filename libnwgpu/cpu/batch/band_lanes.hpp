// SPDX-License-Identifier: BSD-3-Clause
// Global pairs side by side, one per lane of a vector of 8 bits, in a band of blocks along the diagonal
// (band_batch.hpp): plain data.  Cells and blocks are those of BatchGlobalGroup (kernels.hpp); what enters the band is
// a gap along its edge (docs/proofs.md, lemma 33).
//
//              block columns ->
//              # # # . . . .       block column k has the block rows k - before .. k + behind
//     block    # # # # . . .
//     rows     . # # # # . .
//     |        . . # # # # .       (here 2 before and 1 behind)
//
// Trace bits are kept of some rows of each tile of columns, around a line from the matrix' corner to about where the
// pairs end.
#pragma once

#include <cstdint>

#include "cpu/kernels/kernels.hpp"

namespace nwgpu::cpu {

struct BandLanes : LaneGroup { // trace: trace_bytes(), or null
    ScoreScheme const * scheme = nullptr;
    std::int32_t const * rows_of = nullptr; // [lanes], 64-byte aligned like all that follow; 0: an unused lane
    std::int32_t const * cols_of = nullptr;
    std::uint64_t before = 0, behind = 0; // block rows before and behind the one of the diagonal
    // Rows that have trace bits: `kept_rows` of each tile of columns, the first of them so many above the line, which
    // has `slope` rows per column, in 1 / 2^slope_bits.
    std::uint64_t kept_rows = 0, kept_above = 0, slope = 0;
    std::uint8_t * state = nullptr; // workspace [2 * rows + rows / block][lanes]
    std::int32_t * score = nullptr; // out, per lane

    static constexpr std::uint64_t planes = 4;
    static constexpr int slope_bits = 16;

    std::uint64_t block() const { return static_cast<std::uint64_t>(scheme->lanes.block); }
    std::uint64_t trace_bytes(std::uint64_t lanes) const { return lane_trace_bytes(kept_rows, cols, planes, lanes); }
    // On the line, of this column's tile.
    std::uint64_t line_row(std::uint64_t col) const
    {
        return col / batch_columns * batch_columns * slope >> slope_bits;
    }
    // Of the cell in this row and column, from 0: its row among those of its tile that are kept.  Others are not below
    // kept_rows.
    std::uint64_t kept_row(std::uint64_t row, std::uint64_t col) const { return row + kept_above - line_row(col); }
    // Where the bits of this cell begin, which is kept; those of a plane have so many bytes.
    std::uint64_t kept_at(std::uint64_t row, std::uint64_t col, std::uint64_t plane_bytes) const
    {
        return ((col / batch_columns * kept_rows + kept_row(row, col)) * batch_columns + col % batch_columns) * planes *
               plane_bytes;
    }
};

} // namespace nwgpu::cpu
