// SPDX-License-Identifier: BSD-3-Clause
// Paper B, 13.3.1 and 13.3.2: the antidiagonal approach with three variables, the chapter's comparison; the path is
// kernel 2's (end_path.cuh).  One launch for each antidiagonal, one thread for each of its cells; two antidiagonals of
// H are kept, and one of E and F.
//
//     E(i, j) = max(E(i, j-1), H(i, j-1) - open) - extend       E is kept by row: (i, j-1) is one diagonal before
//     F(i, j) = max(F(i-1, j), H(i-1, j) - open) - extend       F by column: (i-1, j) is one diagonal before
//     H(i, j) = max(H(i-1, j-1) + s, E, F [, 0 if local])       H by row, of the two diagonals before
//
//     . . a        threads a, b, c of one launch
//     . b .
//     c . .
#pragma once

#include "published/parts/affine_pair.cuh"
#include "published/parts/end_path.cuh"

namespace nwgpu::published {

namespace antidiagonal_kernels {

struct Diagonals {
    Score *H, *before, *before_that; // [m + 1], by row
    Score * E;                       // [m + 1], by row
    Score * F;                       // [n + 1], by column
    Best * best;                     // [m + 1], of each row
};

__global__ void diagonal(AffinePair p, Diagonals k, std::uint64_t d, std::uint64_t first, std::uint64_t cells)
{
    if (thread_number() >= cells)
        return;
    std::uint64_t const i = first + thread_number(), j = d - i;
    if (i == 0 || j == 0) {
        k.H[i] = p.affine.border(static_cast<std::int64_t>(d));
        if (i == 0)
            k.F[j] = minus_infinity;
        if (j == 0) {
            k.E[i] = minus_infinity;
            k.best[i] = {};
        }
        return;
    }
    Score const e = p.affine.gap(k.before[i], k.E[i]), f = p.affine.gap(k.before[i - 1], k.F[j]);
    Score const h = p.affine.h(k.before_that[i - 1], p.score(i, j), e, f);
    k.E[i] = e;
    k.F[j] = f;
    k.H[i] = h;
    if (h > k.best[i].score) // columns come in order
        k.best[i] = {h, static_cast<std::uint32_t>(j), static_cast<std::uint32_t>(i)};
}

} // namespace antidiagonal_kernels

PairResult antidiagonal(GpuTask const & task)
{
    using namespace antidiagonal_kernels;
    AffinePair const pair = affine_pair(task);
    auto const threads = static_cast<unsigned>(task.value("threads"));
    Device & device = task.device;
    DeviceArray<Score> const a{device, pair.m + 1}, b{device, pair.m + 1}, c{device, pair.m + 1}, E{device, pair.m + 1};
    DeviceArray<Score> const F{device, pair.n + 1};
    DeviceArray<Best> const bests{device, pair.m + 1};
    Diagonals k{a.data(), b.data(), c.data(), E.data(), F.data(), bests.data()};
    for (std::uint64_t d = 0; d <= pair.m + pair.n; ++d) {
        std::uint64_t const first = d > pair.n ? d - pair.n : 0, cells = std::min(pair.m, d) - first + 1;
        launch(device, diagonal, {ceil_div(cells, threads), threads}, pair, k, d, first, cells);
        Score * const oldest = k.before_that;
        k.before_that = k.before;
        k.before = k.H;
        k.H = oldest;
    }
    Best best;
    for (Best const & of_row : download(device, bests))
        best.consider(of_row);
    Score last = 0;
    device.download(&last, k.before + pair.m, sizeof last);
    return with_path(task, affine_end(task.task, last, best), threads);
}

} // namespace nwgpu::published
