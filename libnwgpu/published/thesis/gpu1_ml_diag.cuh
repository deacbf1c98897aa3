// SPDX-License-Identifier: BSD-3-Clause
// Paper A, 4.7: Gpu1-Ml-Diag.  The whole matrix in global memory, one launch for each minor diagonal, one thread for
// each of its cells.  H(i, j) = max(H(i-1, j-1) + s, H(i-1, j) - g, H(i, j-1) - g).
//
//     . . a        launch i + j = d; threads a, b, c: neighbours on the diagonal lie a row apart in memory,
//     . b .        which is the weakness of it
//     c . .
#pragma once

#include "published/parts/linear_pair.cuh"

namespace nwgpu::published {

namespace gpu1 {

__global__ void borders(LinearPair p) { write_borders(p); }

// Cells (i, d - i), from row `first` on.
__global__ void diagonal(LinearPair p, std::uint64_t d, std::uint64_t first, std::uint64_t cells)
{
    std::uint64_t const k = thread_number();
    if (k >= cells)
        return;
    std::uint64_t const i = first + k, j = d - i;
    p.at(i, j) = linear_cell(p.at(i - 1, j - 1), p.at(i - 1, j), p.at(i, j - 1), p.score(p.scores, i, j), p.extend);
}

} // namespace gpu1

PairResult gpu1_ml_diag(GpuTask const & task)
{
    using namespace gpu1;
    LinearPair pair = linear_pair(task, 1, 1);
    auto const matrix = allocate_matrix(task, pair);
    auto const threads = static_cast<unsigned>(task.value("threads"));
    LaunchGraph graph{task.device};
    launch(task.device, borders, {ceil_div(std::max(pair.rows, pair.cols) + 1, threads), threads}, pair);
    for (std::uint64_t d = 2; d <= pair.rows + pair.cols; ++d) {
        std::uint64_t const first = d > pair.cols ? d - pair.cols : 1, last = std::min(pair.rows, d - 1);
        std::uint64_t const cells = last - first + 1;
        launch(task.device, diagonal, {ceil_div(cells, threads), threads}, pair, d, first, cells);
    }
    graph.run();
    return finish_whole(task, pair);
}

} // namespace nwgpu::published
