// SPDX-License-Identifier: BSD-3-Clause
// Paper A, 4.9: Gpu3-Ml-DiagDiag.  One block a tile of 32 x t cells in shared memory (diagdiag_tile.cuh), one launch
// for each minor diagonal of tiles, the whole matrix in global memory; a pass before writes row 0 and column 0.
//
//     +----+----+
//     | .. | b0 |      b0, b1: blocks of one launch
//     +----+----+
//     | b1 | .. |
//     +----+----+
#pragma once

#include "published/thesis/diagdiag_tile.cuh"

namespace nwgpu::published {

namespace gpu3 {

__global__ void borders(LinearPair p) { write_borders(p); }

__global__ void tiles_of_diagonal(LinearPair p, TileGrid grid, std::uint32_t d, unsigned width)
{
    DiagdiagTile const tile{p, width};
    std::uint32_t const ti = grid.first(d) + blockIdx.x;
    compute_whole_tile<false>(p, tile, ti, d - ti);
}

} // namespace gpu3

PairResult gpu3_ml_diagdiag(GpuTask const & task)
{
    using namespace gpu3;
    auto const width = static_cast<unsigned>(task.value("cols"));
    LinearPair pair = linear_pair(task, diagdiag_rows, width);
    auto const matrix = allocate_matrix(task, pair);
    TileGrid const grid = tile_grid(pair, diagdiag_rows, width);
    LaunchGraph graph{task.device};
    launch(task.device, borders, {ceil_div(std::max(pair.rows, pair.cols) + 1, 256), 256}, pair);
    for (std::uint32_t d = 0; d < grid.diagonals(); ++d)
        launch(task.device, tiles_of_diagonal, {grid.on(d), diagdiag_threads, DiagdiagTile::bytes(pair, width)}, pair,
               grid, d, width);
    graph.run();
    return finish_whole(task, pair);
}

} // namespace nwgpu::published
