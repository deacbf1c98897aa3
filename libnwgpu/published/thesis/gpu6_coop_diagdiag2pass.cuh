// SPDX-License-Identifier: BSD-3-Clause
// Paper A, 4.12: Gpu6-Coop-DiagDiag2Pass.  Gpu4 as one cooperative launch: all blocks write the scores of all cells,
// wait for each other, and share the tiles (diagdiag_tile.cuh) diagonal by diagonal.
//
//     s s s s     ---- grid barrier ----     . b0     ---- grid barrier ----  next diagonal
//     s s s s                                b1 .
#pragma once

#include "published/thesis/diagdiag_tile.cuh"

namespace nwgpu::published {

namespace gpu6 {

__global__ void all_tiles(LinearPair p, TileGrid grid, unsigned width)
{
    DiagdiagTile const tile{p, width};
    write_all_scores(p);
    for (std::uint32_t d = 0; d < grid.diagonals(); ++d) {
        grid_barrier();
        for (std::uint32_t ti = grid.first(d) + blockIdx.x; ti <= grid.last(d); ti += gridDim.x)
            compute_whole_tile<true>(p, tile, ti, d - ti);
    }
}

} // namespace gpu6

PairResult gpu6_coop_diagdiag2pass(GpuTask const & task)
{
    using namespace gpu6;
    auto const width = static_cast<unsigned>(task.value("cols"));
    LinearPair pair = linear_pair(task, diagdiag_rows, width);
    auto const matrix = allocate_matrix(task, pair);
    pair.shared_scores = 0; // tiles need no table
    std::size_t const bytes = DiagdiagTile::bytes(pair, width);
    TileGrid const grid = tile_grid(pair, diagdiag_rows, width);
    std::uint64_t const blocks = std::min(resident_blocks(task.device, all_tiles, diagdiag_threads, bytes), grid.down);
    launch_together(task.device, all_tiles, {blocks, diagdiag_threads, bytes}, pair, grid, width);
    return finish_whole(task, pair);
}

} // namespace nwgpu::published
