// SPDX-License-Identifier: BSD-3-Clause
// The tile of gpu3 to gpu7: 32 rows, computed by one block in shared memory; all warps copy, the first one walks over
// the tile's minor diagonals with a thread a row.  H(i, j) = max(H(i-1, j-1) + s, H(i-1, j) - g, H(i, j-1) - g).
//
//     h h h h h h      row 0 and column 0: the header, from the tiles above and to the left
//     h 0 1 2 3 4
//     h 1 2 3 4 5      the step in which the warp computes a cell; between steps __syncwarp()
//     h 2 3 4 5 6
#pragma once

#include "published/parts/linear_pair.cuh"

namespace nwgpu::published {

constexpr unsigned diagdiag_rows = 32, diagdiag_threads = 128;

// Shared memory of a block: the score table, then the tile, row by row.
struct DiagdiagTile {
    Score const * table;
    Score * cells; // [33][width + 1]
    unsigned width;

    __device__ DiagdiagTile(LinearPair const & p, unsigned width) :
        table{shared_table(p, shared_memory<Score>())}, cells{shared_memory<Score>() + p.shared_scores}, width{width}
    {}
    static std::size_t bytes(LinearPair const & p, unsigned width)
    {
        return p.shared_bytes() + sizeof(Score) * (diagdiag_rows + 1) * (width + 1);
    }
    __device__ Score & at(unsigned r, unsigned c) const { return cells[r * (width + 1) + c]; }

    // First pass: the scores of the letters.  Cells begin below row i and right of column j.
    __device__ void fill_scores(LinearPair const & p, std::uint64_t i, std::uint64_t j) const
    {
        for (unsigned k = threadIdx.x; k < diagdiag_rows * width; k += blockDim.x)
            at(k / width + 1, k % width + 1) = p.score(table, i + k / width + 1, j + k % width + 1);
    }
    // Second pass, of the first warp, over cells that hold scores.  Its own cell of the step is all that a thread
    // writes.
    __device__ void walk_diagonals(Score extend) const
    {
        unsigned const r = threadIdx.x + 1;
        for (unsigned step = 0; step < width + diagdiag_rows - 1; ++step) {
            unsigned const c = step - threadIdx.x + 1; // huge where the thread has not begun
            if (step >= threadIdx.x && c <= width)
                at(r, c) = linear_cell(at(r - 1, c - 1), at(r - 1, c), at(r, c - 1), at(r, c), extend);
            __syncwarp();
        }
    }
};

// One tile of the whole matrix: header and, if `stored`, the scores from there; all cells go back.
template <bool stored>
__device__ void compute_whole_tile(LinearPair const & p, DiagdiagTile const & tile, std::uint64_t ti, std::uint64_t tj)
{
    std::uint64_t const i = ti * diagdiag_rows, j = tj * tile.width;
    __syncthreads(); // the table is there, and nobody needs the cells before
    for (unsigned c = threadIdx.x; c <= tile.width; c += blockDim.x)
        tile.at(0, c) = p.at(i, j + c);
    for (unsigned r = threadIdx.x + 1; r <= diagdiag_rows; r += blockDim.x)
        tile.at(r, 0) = p.at(i + r, j);
    if constexpr (stored) {
        for (unsigned k = threadIdx.x; k < diagdiag_rows * tile.width; k += blockDim.x)
            tile.at(k / tile.width + 1, k % tile.width + 1) = p.at(i + k / tile.width + 1, j + k % tile.width + 1);
    } else {
        tile.fill_scores(p, i, j);
    }
    __syncthreads();
    if (threadIdx.x < 32)
        tile.walk_diagonals(p.extend);
    __syncthreads();
    for (unsigned k = threadIdx.x; k < diagdiag_rows * tile.width; k += blockDim.x)
        p.at(i + k / tile.width + 1, j + k % tile.width + 1) = tile.at(k / tile.width + 1, k % tile.width + 1);
}

// What needs no neighbour, for the algorithms of two passes: the borders and the score of every cell.
__device__ inline void write_all_scores(LinearPair const & p)
{
    write_borders(p);
    for (std::uint64_t k = thread_number(); k < p.rows * p.cols; k += thread_count()) {
        std::uint64_t const i = k / p.cols + 1, j = k % p.cols + 1;
        p.at(i, j) = p.score(p.scores, i, j);
    }
}

} // namespace nwgpu::published
