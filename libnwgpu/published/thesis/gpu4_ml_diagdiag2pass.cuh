// SPDX-License-Identifier: BSD-3-Clause
// Paper A, 4.10: Gpu4-Ml-DiagDiag2Pass.  Gpu3 whose first pass is a kernel of its own: it writes the score of every
// cell into the matrix, and the tiles (diagdiag_tile.cuh) read them from there.
//
//     pass 1   s s s s     pass 2   . b0     one block a tile, one launch a diagonal
//              s s s s              b1 .
#pragma once

#include "published/thesis/diagdiag_tile.cuh"

namespace nwgpu::published {

namespace gpu4 {

__global__ void scores_of_all_cells(LinearPair p) { write_all_scores(p); }

__global__ void tiles_of_diagonal(LinearPair p, TileGrid grid, std::uint32_t d, unsigned width)
{
    DiagdiagTile const tile{p, width};
    std::uint32_t const ti = grid.first(d) + blockIdx.x;
    compute_whole_tile<true>(p, tile, ti, d - ti);
}

} // namespace gpu4

PairResult gpu4_ml_diagdiag2pass(GpuTask const & task)
{
    using namespace gpu4;
    auto const width = static_cast<unsigned>(task.value("cols"));
    LinearPair pair = linear_pair(task, diagdiag_rows, width);
    auto const matrix = allocate_matrix(task, pair);
    TileGrid const grid = tile_grid(pair, diagdiag_rows, width);
    LinearPair tiles = pair;
    tiles.shared_scores = 0; // tiles need no table
    LaunchGraph graph{task.device};
    std::uint64_t const blocks = std::min<std::uint64_t>(ceil_div(pair.rows * pair.cols, 256), 1 << 20);
    launch(task.device, scores_of_all_cells, {blocks, 256}, pair);
    for (std::uint32_t d = 0; d < grid.diagonals(); ++d)
        launch(task.device, tiles_of_diagonal, {grid.on(d), diagdiag_threads, DiagdiagTile::bytes(tiles, width)}, tiles,
               grid, d, width);
    graph.run();
    return finish_whole(task, pair);
}

} // namespace nwgpu::published
