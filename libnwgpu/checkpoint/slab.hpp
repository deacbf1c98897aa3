// SPDX-License-Identifier: BSD-3-Clause
// A slab is some neighbouring rows of a matrix, swept from side to side: what a long run saves, so that it can go on
// below them after it was killed, and find the path through them, on whatever engine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/uninitialized.hpp"
#include "model/batch.hpp"
#include "model/mode.hpp"
#include "path/band.hpp"
#include "path/cuts.hpp"
#include "path/kept.hpp"
#include "path/skipped.hpp"

namespace nwgpu::checkpoint {

// Plain data: written to files as it is.
struct SlabShape {
    std::uint64_t row = 0, rows = 0, cols = 0;                    // letters before it; size
    std::uint64_t tile_rows = 0, tile_cols = 0;                   // its kept boundaries are so far apart; 0: none kept
    std::uint64_t strip_rows = 0;                                 // of its sweep
    path::Band band;                                              // of the matrix
    std::uint64_t entry_bytes = sizeof(path::Kept<std::int32_t>); // or of the one with 64 bits
    // The best end among all rows so far: local, or in the last column.  Cell (i, j) of the matrix; i == 0: none.
    std::int64_t best_score = 0;
    std::uint64_t best_i = 0, best_j = 0;

    std::uint64_t end() const { return row + rows; }
    path::BandPart part() const { return {band.from(row, 0), strip_rows}; }
    // Of the slab's own rows and columns.
    path::CutLines row_lines() const
    {
        return tile_rows ? path::row_cuts(rows, cols, tile_rows, part()) : path::CutLines{};
    }
    path::CutLines col_lines() const
    {
        return tile_rows ? path::col_cuts(rows, cols, tile_cols, part()) : path::CutLines{};
    }
};

using Bytes = Array<std::byte>;

struct SlabSizes { // bytes
    std::uint64_t bottom = 0, row_cuts = 0, col_cuts = 0;
};

struct Slab {
    SlabShape shape;
    // Entries path::Kept; `bottom` of all columns.
    Bytes bottom, row_cuts, col_cuts;

    SlabSizes sizes() const { return {bottom.size(), row_cuts.size(), col_cuts.size()}; }
};

using Entry = path::Entry<std::int64_t>;

// More than any score of a pair (fewer than 2^31 letters, of at most 2^30 each); two of them can be added.
constexpr std::int64_t most_score = std::int64_t{3} << 60;

// A tile of a slab with its boundaries.
struct SlabTile {
    std::uint64_t row = 0, col = 0; // letters before it
    std::int64_t corner = 0;
    std::vector<Entry> top, left;
};

// The slabs of one pair, as an engine reads those that it did not write itself.
class SlabReader {
public:
    SlabReader(PairView const & pair, Scoring const & scoring, Mode const & mode);

    // The tile that holds cell (i, j); `above` is the slab before, null for the first.  Where a band, or skipping, left
    // something out the boundaries are lower bounds that no optimal path crosses.
    SlabTile tile(Slab const & slab, Slab const * above, std::uint64_t i, std::uint64_t j) const;
    // All the rows below a slab, as one tile; null: the whole matrix.
    SlabTile below(Slab const * slab) const;
    // The row below a slab that has no band, as tiles have it.
    std::vector<Entry> bottom(Slab const & slab) const;

    // Entry `at` of an array of a slab; what is beyond most_score, which only a damaged file can hold, becomes that.
    Entry load(Bytes const & from, std::uint64_t at, SlabShape const & shape) const;
    void store(Entry const & entry, Bytes & to, std::uint64_t at, SlabShape const & shape) const;

private:
    struct Range { // of entries that were computed
        std::uint64_t begin = 0, end = 0;
        bool holds(std::uint64_t at) const { return begin <= at && at < end; }
        // Those of a tile, counted from its own begin.
        Range within(std::uint64_t from, std::uint64_t count) const;
    };
    Entry border(std::uint64_t at, bool free) const; // of the matrix's own first row or column
    static Range computed_columns(SlabShape const & shape, std::uint64_t row);
    static Range computed_rows(SlabShape const & shape, std::uint64_t col);
    // Gives lower bounds to all entries outside the ranges.
    void complete(SlabTile & tile, Range const & top, Range const & left, bool corner_known) const;
    void raise_skipped(SlabTile & tile) const;

    PairView pair_;
    bool free_top_, free_left_, is_local_;
    path::KeptCode<std::int64_t> code_;
    path::KeptCode<std::int32_t> code32_; // where the entries have 32 bits
    path::MostSteps most_steps_;
};

} // namespace nwgpu::checkpoint
