// SPDX-License-Identifier: BSD-3-Clause
// Paper A, 4.6: Cpu4-Mt-DiagRow.  Cpu3 with threads: of the tiles of a diagonal, thread k takes those whose index
// leaves k when divided by the number of threads; all wait for each other at the end of the diagonal. H(i, j) =
// max(H(i-1, j-1) + s, H(i-1, j) - g, H(i, j-1) - g).
//
//     a a a      one diagonal after the other; letters are threads
//     b b b
//     a a a
#include "published/cpu_algorithms.hpp"
#include "published/cpu_tiles.hpp"

namespace nwgpu::published {

PairResult cpu4_mt_diagrow(Task const & task, int threads)
{
    ColumnScores const scores{task.scoring};
    StoredMatrix const H = matrix_with_borders(task);
    CpuTiles const tiles{task};
#pragma omp parallel num_threads(threads)
    for (std::uint64_t d = 0; d < tiles.diagonals(); ++d) {
        std::uint64_t const first = tiles.first(d), last = tiles.last(d);
#pragma omp for schedule(static, 1) // the barrier is at its end
        for (std::uint64_t t = first; t <= last; ++t)
            if (!task.monitor.stopped())
                tiles.fill(H, task, scores, t, d - t);
    }
    task.monitor.throw_if_stopped();
    return finish_linear(task, H);
}

} // namespace nwgpu::published
