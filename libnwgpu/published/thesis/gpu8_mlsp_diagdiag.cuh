// SPDX-License-Identifier: BSD-3-Clause
// Paper A, 4.14: Gpu8-Mlsp-DiagDiag.  Gpu7 whose tiles live in registers (register_tile.cuh): shared memory holds
// nothing but the header row and the header column, so that many blocks fit on a multiprocessor.  One block a tile, of
// which one warp computes and all copy; one launch a diagonal of tiles.  H(i, j) = max(H(i-1, j-1) + s, H(i-1, j) - g,
// H(i, j-1) - g).
//
//     +---+---+
//     | . | b0|      one block a tile, one launch a diagonal of tiles
//     +---+---+
//     | b1| . |
//     +---+---+
#pragma once

#include "published/parts/register_tile.cuh"

namespace nwgpu::published {

PairResult gpu8_mlsp_diagdiag(GpuTask const & task)
{
    auto const width = static_cast<unsigned>(task.value("cols"));
    LinearPair const pair = linear_pair(task, register_rows, width);
    Headers headers{nullptr, nullptr, tile_grid(pair, register_rows, width), register_rows, width};
    DeviceHeaders const memory{task.device, headers};
    LaunchGraph graph{task.device};
    launch_border_headers(task, pair, headers);
    launch_register_tiles(task, pair, headers);
    graph.run();
    return finish_sparse(task, headers);
}

} // namespace nwgpu::published
