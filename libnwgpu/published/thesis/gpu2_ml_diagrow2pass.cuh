// SPDX-License-Identifier: BSD-3-Clause
// Paper A, 4.8: Gpu2-Ml-DiagRow2Pass.  Small tiles (4 x 8), one thread a tile, which it fills by rows; one launch for
// each minor diagonal of tiles.  The score table lies in shared memory.  A pass before writes what needs no neighbour:
// row 0 and column 0.  H(i, j) = max(H(i-1, j-1) + s, H(i-1, j) - g, H(i, j-1) - g).
//
//     +---+---+
//     | . | a |      a, b: threads of one launch
//     +---+---+      inside a tile > > > >
//     | b | . |                    > > > >
//     +---+---+
#pragma once

#include "published/parts/linear_pair.cuh"

namespace nwgpu::published {

namespace gpu2 {

constexpr unsigned threads = 128;

__global__ void borders(LinearPair p) { write_borders(p); }

__global__ void tiles_of_diagonal(LinearPair p, TileGrid grid, std::uint32_t d, unsigned height, unsigned width)
{
    Score const * const table = shared_table(p, shared_memory<Score>());
    __syncthreads();
    std::uint64_t const k = thread_number();
    if (k >= grid.on(d))
        return;
    std::uint64_t const ti = grid.first(d) + k, tj = d - ti;
    for (std::uint64_t i = ti * height + 1; i <= (ti + 1) * height; ++i)
        for (std::uint64_t j = tj * width + 1; j <= (tj + 1) * width; ++j)
            p.at(i, j) =
                linear_cell(p.at(i - 1, j - 1), p.at(i - 1, j), p.at(i, j - 1), p.score(table, i, j), p.extend);
}

} // namespace gpu2

PairResult gpu2_ml_diagrow2pass(GpuTask const & task)
{
    using namespace gpu2;
    auto const height = static_cast<unsigned>(task.value("rows")), width = static_cast<unsigned>(task.value("cols"));
    LinearPair pair = linear_pair(task, height, width);
    auto const matrix = allocate_matrix(task, pair);
    TileGrid const grid = tile_grid(pair, height, width);
    LaunchGraph graph{task.device};
    launch(task.device, borders, {ceil_div(std::max(pair.rows, pair.cols) + 1, threads), threads}, pair);
    for (std::uint32_t d = 0; d < grid.diagonals(); ++d)
        launch(task.device, tiles_of_diagonal, {ceil_div(grid.on(d), threads), threads, pair.shared_bytes()}, pair,
               grid, d, height, width);
    graph.run();
    return finish_whole(task, pair);
}

} // namespace nwgpu::published
