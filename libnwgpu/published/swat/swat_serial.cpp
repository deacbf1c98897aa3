// SPDX-License-Identifier: BSD-3-Clause
// Paper C, 3: the serial baseline of CUDA-SWat.  Three states a cell, named by where the last step came from, kept for
// the whole matrix, row by row; then the walk back from the best cell.
//
//     N(i, j)  = max(N(i-1, j), W(i-1, j) - o, NW(i-1, j) - o) - e          our F
//     W(i, j)  = max(N(i, j-1) - o, W(i, j-1), NW(i, j-1) - o) - e          our E
//     NW(i, j) = max(N, W, NW)(i-1, j-1) + s, local: at least 0             H is the maximum of the three
//
// The paper writes costs as negative numbers.  As o >= 0, taking o off the maximum of all three changes nothing.
#include "published/cpu_algorithms.hpp"
#include "published/parts/column_scores.hpp"
#include "published/parts/stored_matrix.hpp"

namespace nwgpu::published {

PairResult swat_serial(Task const & task, int)
{
    PairView const & pair = task.pair;
    ColumnScores const scores{task.scoring};
    Affine const affine = affine_of(task);
    StoredMatrix const N{pair.m, pair.n}, W{pair.m, pair.n}, NW{pair.m, pair.n};
    for (std::uint64_t j = 0; j <= pair.n; ++j) {
        NW(0, j) = affine.border(static_cast<std::int64_t>(j));
        N(0, j) = W(0, j) = minus_infinity;
    }
    auto const h = [&](std::uint64_t i, std::uint64_t j) { return larger(NW(i, j), larger(N(i, j), W(i, j))); };
    auto const e = [&](std::uint64_t i, std::uint64_t j) { return W(i, j); };
    auto const f = [&](std::uint64_t i, std::uint64_t j) { return N(i, j); };
    Best best;
    for (std::uint64_t i = 1; i <= pair.m; ++i) {
        NW(i, 0) = affine.border(static_cast<std::int64_t>(i));
        N(i, 0) = W(i, 0) = minus_infinity;
        Score const * const s = scores.row(pair.query[i - 1]);
        for (std::uint64_t j = 1; j <= pair.n; ++j) {
            N(i, j) = affine.gap(h(i - 1, j), N(i - 1, j));
            W(i, j) = affine.gap(h(i, j - 1), W(i, j - 1));
            NW(i, j) = larger(h(i - 1, j - 1) + s[pair.target[j - 1]], affine.floor);
            best.consider(h(i, j), static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j));
        }
        task.monitor.poll(pair.n);
        task.monitor.throw_if_stopped();
    }
    PairResult result = affine_end(task, h(pair.m, pair.n), best);
    if (task.traced())
        trace_plain(task, AffineBits<decltype(h), decltype(e), decltype(f)>{h, e, f, pair, task.scoring}, result);
    return result;
}

} // namespace nwgpu::published
