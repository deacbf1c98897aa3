// SPDX-License-Identifier: BSD-3-Clause
// Paper A, 4.15: Gpu9-Mlsp-DiagDiagDiag.  Gpu8 with several warps a tile.  A warp has 32 rows; its march along them is
// cut after every 32 steps, which makes parallelograms of 45 degrees.  Those of a diagonal are computed at once, with
// one barrier of the block between diagonals.  H(i, j) = max(H(i-1, j-1) + s, H(i-1, j) - g, H(i, j-1) - g).
//
//     warp 0  /0 /1 /2 /3 /4 /       the number is the diagonal
//     warp 1 /2 /3 /4 /5 /6 /
//
// The first row of a parallelogram needs the last row of the two above it: a warp runs two diagonals behind the one
// above.  Warps hand rows on through the shared header row: the last thread of each warp writes it, the first one of
// the next reads it.
#pragma once

#include "published/parts/register_tile.cuh"

namespace nwgpu::published {

namespace gpu9 {

constexpr unsigned steps_at_once = 32; // columns of a parallelogram; two diagonals behind is right for 31 and more

__global__ void tiles_of_diagonal(LinearPair p, Headers headers, std::uint32_t d)
{
    RegisterTile const tile{p, headers.width, headers.height};
    std::uint32_t const ti = headers.grid.first(d) + blockIdx.x, tj = d - ti;
    tile.load(headers.row(ti, tj), headers.col(ti, tj));
    __syncthreads();
    Score const corner_below = tile.col[tile.height], corner_right = tile.row[tile.width];
    RegisterRow row{tile, threadIdx.x};
    unsigned const warp = threadIdx.x / 32, warps = blockDim.x / 32;
    unsigned const parallelograms = (tile.width + 31 + steps_at_once - 1) / steps_at_once; // of a warp
    for (unsigned diagonal = 0; diagonal < parallelograms + 2 * (warps - 1); ++diagonal) {
        __syncthreads();
        unsigned const k = diagonal - 2 * warp;
        if (diagonal >= 2 * warp && k < parallelograms)
            row.march(p, tile, 32 * warp, std::uint64_t{ti} * tile.height, std::uint64_t{tj} * tile.width,
                      k * steps_at_once, (k + 1) * steps_at_once);
    }
    __syncthreads();
    tile.store(ti + 1 < headers.grid.down ? headers.row(ti + 1, tj) : nullptr,
               tj + 1 < headers.grid.across ? headers.col(ti, tj + 1) : nullptr, corner_below, corner_right);
}

} // namespace gpu9

PairResult gpu9_mlsp_diagdiagdiag(GpuTask const & task)
{
    using namespace gpu9;
    auto const width = static_cast<unsigned>(task.value("cols")),
               height = 32 * static_cast<unsigned>(task.value("warps"));
    LinearPair const pair = linear_pair(task, height, width);
    Headers headers{nullptr, nullptr, tile_grid(pair, height, width), height, width};
    DeviceHeaders const memory{task.device, headers};
    LaunchGraph graph{task.device};
    launch_border_headers(task, pair, headers);
    for (std::uint32_t d = 0; d < headers.grid.diagonals(); ++d)
        launch(task.device, tiles_of_diagonal, {headers.grid.on(d), height, RegisterTile::bytes(pair, width, height)},
               pair, headers, d);
    graph.run();
    return finish_sparse(task, headers);
}

} // namespace nwgpu::published
