// SPDX-License-Identifier: BSD-3-Clause
// Paper A, 4.13: Gpu7-Mlsp-DiagDiag.  Gpu3 with a sparse matrix: a tile (diagdiag_tile.cuh) is computed whole in shared
// memory, but only its last row and column leave it, as headers of the tiles below and to the right (tile_headers.cuh).
// For tiles of a x b cells that saves a * b / (a + b).  H(i, j) = max(H(i-1, j-1) + s, H(i-1, j) - g, H(i, j-1) - g).
//
//     +---+---+
//     | . | b0|      one block a tile, one launch a diagonal of tiles
//     +---+---+
//     | b1| . |
//     +---+---+
#pragma once

#include "published/parts/tile_headers.cuh"
#include "published/thesis/diagdiag_tile.cuh"

namespace nwgpu::published {

namespace gpu7 {

__global__ void tiles_of_diagonal(LinearPair p, Headers headers, std::uint32_t d)
{
    DiagdiagTile const tile{p, headers.width};
    std::uint32_t const ti = headers.grid.first(d) + blockIdx.x, tj = d - ti;
    for (unsigned c = threadIdx.x; c <= tile.width; c += blockDim.x)
        tile.at(0, c) = headers.row(ti, tj)[c];
    for (unsigned r = threadIdx.x + 1; r <= diagdiag_rows; r += blockDim.x)
        tile.at(r, 0) = headers.col(ti, tj)[r];
    __syncthreads();
    tile.fill_scores(p, std::uint64_t{ti} * diagdiag_rows, std::uint64_t{tj} * tile.width);
    __syncthreads();
    if (threadIdx.x < 32)
        tile.walk_diagonals(p.extend);
    __syncthreads();
    if (ti + 1 < headers.grid.down)
        for (unsigned c = threadIdx.x; c <= tile.width; c += blockDim.x)
            headers.row(ti + 1, tj)[c] = tile.at(diagdiag_rows, c);
    if (tj + 1 < headers.grid.across)
        for (unsigned r = threadIdx.x; r <= diagdiag_rows; r += blockDim.x)
            headers.col(ti, tj + 1)[r] = tile.at(r, tile.width);
}

} // namespace gpu7

PairResult gpu7_mlsp_diagdiag(GpuTask const & task)
{
    using namespace gpu7;
    auto const width = static_cast<unsigned>(task.value("cols"));
    LinearPair const pair = linear_pair(task, diagdiag_rows, width);
    Headers headers{nullptr, nullptr, tile_grid(pair, diagdiag_rows, width), diagdiag_rows, width};
    DeviceHeaders const memory{task.device, headers};
    LaunchGraph graph{task.device};
    launch_border_headers(task, pair, headers);
    for (std::uint32_t d = 0; d < headers.grid.diagonals(); ++d)
        launch(task.device, tiles_of_diagonal, {headers.grid.on(d), diagdiag_threads, DiagdiagTile::bytes(pair, width)},
               pair, headers, d);
    graph.run();
    return finish_sparse(task, headers);
}

} // namespace nwgpu::published
