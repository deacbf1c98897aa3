// SPDX-License-Identifier: BSD-3-Clause
// The path through a matrix in linear memory.  The sweep of the whole matrix kept boundaries on a grid; its tiles that
// the path crosses are swept again and keep finer ones, down to tiles small enough for all their trace bits.
//
// Where the path goes is known only from its end, tile by tile, but a device wants many tiles at once.  So tiles are
// computed ahead along the diagonal through the cursor, the likely way of the path; where the path turns elsewhere, the
// rest is computed anew from there.  The guess costs or saves time, nothing else: a tile's values come from its exact
// boundaries.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "cuda/plan/plan.hpp"
#include "cuda/sweep/cut_tile.hpp"
#include "path/walk.hpp"

namespace nwgpu::cuda {

template <class S>
class PathFinder {
public:
    // `query` and `target`: on the device, as indices of the score table.
    PathFinder(Sweeper<S> const & sweeper, PairPlan const & plan, PairView const & pair, Request const & request,
               std::uint8_t const * query, std::uint8_t const * target, Monitor & monitor);

    // Through some rows of the matrix, swept, up to their first; they hold the cursor.
    void walk(CutTile<S> && whole, path::Cursor & cursor, CigarBuilder & cigar);
    // The same where they were swept panel by panel: each of these has some columns of all the rows.
    void walk(std::vector<CutTile<S>> && panels, path::Cursor & cursor, CigarBuilder & cigar);

    // The first cell that has the best score, in the order of the tie rule, from the strips that have it; their rows
    // and columns count from the first of `whole`.
    path::Cursor find_best(CutTile<S> const & whole, std::vector<StripBest<S>> const & strips) const;

private:
    SweepJob<S> job(Tile<S> const & tile) const; // without kept boundaries
    struct Guess {                               // of the path's way: at cell (i, j) or beside it, after so many steps
        std::uint64_t i = 0, j = 0, gone = 0;
    };
    struct Look { // ahead
        std::vector<Tile<S>> tiles;
        Guess end;                          // the way goes on from here
        std::uint64_t begin = 0, bytes = 0; // i + j of its begin; device memory
    };
    // Tiles of the level below that lie on the way, in swept tiles of this one; they take no more than `bytes`.
    Look ahead(std::size_t level, Guess way, std::uint64_t bytes) const;
    std::uint64_t bytes_of(std::size_t level, Tile<S> const & tile) const;
    // What the next look may take: less where the last one was soon left.
    std::uint64_t next_bytes(std::size_t level, path::Cursor const & cursor) const;
    void sweep_ahead(std::size_t level, path::Cursor const & cursor);
    void trace_ahead(path::Cursor const & cursor);

    Sweeper<S> const & sweeper_;
    PairPlan const & plan_;
    PairView pair_;
    Request const & request_;
    std::uint8_t const * query_;
    std::uint8_t const * target_;
    Monitor & monitor_;
    std::vector<std::vector<CutTile<S>>> cut_; // by level: those ahead of the cursor
    std::vector<Look> looks_;                  // by level: the last one
    // Trace words of some tiles.  While the host walks through them, the device traces those behind them.
    struct Traced {
        Look look;
        std::vector<std::uint32_t const *> words; // of each tile
        int buffer = 0;
    };
    Traced start_trace(Guess const & way, std::uint64_t bytes, int buffer) const;
    void wait_for(Traced const & traced) const;
    Traced traced_, next_;
};

// Trace words of one job as path::walk() reads them.
template <class S>
struct TraceBits {
    static constexpr std::uint64_t steps_ahead = 32;
    Tile<S> const & tile;
    std::uint32_t const * words;
    std::uint32_t code(std::uint64_t i, std::uint64_t j) const
    {
        return trace_code(words, tile.cols, i - 1 - tile.row, j - 1 - tile.col);
    }
    // Each step along a diagonal reads another cache line, too far from the last one for the processor to foresee.
    bool diagonal(std::uint64_t i, std::uint64_t j) const
    {
        std::uint64_t const row = i - 1 - tile.row, col = j - 1 - tile.col;
        if (std::min(row, col) >= steps_ahead)
            __builtin_prefetch(words + trace_word(tile.cols, row - steps_ahead, col - steps_ahead));
        return (code(i, j) & trace_way) == trace_diagonal;
    }
    bool vertical(std::uint64_t i, std::uint64_t j) const { return (code(i, j) & trace_way) == trace_vertical; }
    bool horizontal(std::uint64_t i, std::uint64_t j) const { return (code(i, j) & trace_way) == trace_horizontal; }
    bool e_opens(std::uint64_t i, std::uint64_t j) const { return code(i, j) & trace_e_opens; }
    bool f_opens(std::uint64_t i, std::uint64_t j) const { return code(i, j) & trace_f_opens; }
};

} // namespace nwgpu::cuda
