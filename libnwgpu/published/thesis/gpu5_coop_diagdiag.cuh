// SPDX-License-Identifier: BSD-3-Clause
// Paper A, 4.11: Gpu5-Coop-DiagDiag.  Gpu3 as one cooperative launch: as many blocks as the device holds share the
// tiles (diagdiag_tile.cuh) of a diagonal, and wait for each other at its end.
//
//     . . b0       block k takes tiles k, k + blocks, ... of the diagonal
//     . b1 .       ---- grid barrier ---- next diagonal
//     b0 . .
#pragma once

#include "published/thesis/diagdiag_tile.cuh"

namespace nwgpu::published {

namespace gpu5 {

__global__ void all_tiles(LinearPair p, TileGrid grid, unsigned width)
{
    DiagdiagTile const tile{p, width};
    write_borders(p);
    for (std::uint32_t d = 0; d < grid.diagonals(); ++d) {
        grid_barrier();
        for (std::uint32_t ti = grid.first(d) + blockIdx.x; ti <= grid.last(d); ti += gridDim.x)
            compute_whole_tile<false>(p, tile, ti, d - ti);
    }
}

} // namespace gpu5

PairResult gpu5_coop_diagdiag(GpuTask const & task)
{
    using namespace gpu5;
    auto const width = static_cast<unsigned>(task.value("cols"));
    LinearPair pair = linear_pair(task, diagdiag_rows, width);
    auto const matrix = allocate_matrix(task, pair);
    std::size_t const bytes = DiagdiagTile::bytes(pair, width);
    TileGrid const grid = tile_grid(pair, diagdiag_rows, width);
    std::uint64_t const blocks = std::min(resident_blocks(task.device, all_tiles, diagdiag_threads, bytes), grid.down);
    launch_together(task.device, all_tiles, {blocks, diagdiag_threads, bytes}, pair, grid, width);
    return finish_whole(task, pair);
}

} // namespace nwgpu::published
