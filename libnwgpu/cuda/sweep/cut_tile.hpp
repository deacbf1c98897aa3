// SPDX-License-Identifier: BSD-3-Clause
// Rectangles of the matrix, and the boundaries that their sweeps keep.
#pragma once

#include <algorithm>
#include <cstdint>

#include "checkpoint/slab.hpp"
#include "cuda/sweep/sweeper.hpp"
#include "path/cuts.hpp"

namespace nwgpu::cuda {

// A rectangle of the matrix whose top and left boundaries are known.
template <class S>
struct Tile {
    std::uint64_t row = 0, col = 0; // letters before it
    std::uint64_t rows = 0, cols = 0;
    Kept<S> const * top = nullptr;
    Kept<S> const * left = nullptr;                    // left[-1]: the corner
    bool holds(std::uint64_t i, std::uint64_t j) const // matrix cell (i, j)
    {
        return i > row && i <= row + rows && j > col && j <= col + cols;
    }
    bool holds(Tile const & part) const // that has the same first cell
    {
        return row == part.row && col == part.col && rows >= part.rows && cols >= part.cols;
    }
    // Without the cells below and right of (i, j), which no path through it needs.
    void end_at(std::uint64_t i, std::uint64_t j)
    {
        rows = std::min(rows, i - row);
        cols = std::min(cols, j - col);
    }
};

// A tile with the boundaries that its sweep keeps, which cut it into smaller tiles.
template <class S>
class CutTile {
public:
    // Filled by a sweep with strips of `strip_rows`, of those cells that the matrix's band asks for.
    CutTile(Device & device, Tile<S> const & whole, std::uint64_t tile_rows, std::uint64_t tile_cols,
            std::uint64_t strip_rows, path::Band const & band);

    Tile<S> const & whole() const { return whole_; }
    // What a sweep needs to know to fill the cuts.
    void describe(SweepJob<S> & job) const;
    // All that it keeps, before a sweep that may leave cells out.
    void fill(Kept<S> entry);
    // Its left boundary becomes its own: another tile may share the corner.
    void own_left();
    // What it keeps.
    DeviceArray<Kept<S>> const & row_cuts() const { return row_cuts_; }
    DeviceArray<Kept<S>> const & col_cuts() const { return col_cuts_; }
    // After a sweep whose last strip is full: the boundary below it, Kept<S>.
    checkpoint::Bytes bottom(Monitor & monitor) const;
    // To and from a checkpoint; `written`: of the bottom, elsewhere its cells were skipped.
    void save(checkpoint::Slab & slab, WrittenBottom const & written, Sweeper<S> const & sweeper,
              Monitor & monitor) const;
    void load(checkpoint::Slab const & slab, Monitor & monitor);
    Tile<S> part(std::uint64_t i, std::uint64_t j) const; // the one that holds the cell

private:
    Device * device_;
    Tile<S> whole_;
    std::uint64_t tile_rows_, tile_cols_, strip_rows_;
    path::CutLines row_lines_, col_lines_;
    DeviceArray<Kept<S>> row_cuts_, col_cuts_, work_, left_; // the last one may be empty
};

} // namespace nwgpu::cuda
