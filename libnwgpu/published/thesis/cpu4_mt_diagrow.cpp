// SPDX-License-Identifier: BSD-3-Clause
// Paper A, 4.6: Cpu4-Mt-DiagRow.  Cpu3 with threads: of the tiles of a diagonal, thread k takes those whose index
// leaves k when divided by the number of threads; all wait for each other at the end of the diagonal. H(i, j) =
// max(H(i-1, j-1) + s, H(i-1, j) - g, H(i, j-1) - g).
//
//     a a a      one diagonal after the other; letters are threads
//     b b b
//     a a a
#include <atomic>

#include "published/cpu_algorithms.hpp"
#include "published/parts/cpu_tiles.hpp"

namespace nwgpu::published {

PairResult cpu4_mt_diagrow(Task const & task, int threads)
{
    ColumnScores const scores{task.scoring};
    StoredMatrix const H = matrix_with_borders(task);
    CpuTiles const tiles{task};
    for (std::uint64_t d = 0; d < tiles.diagonals() && !task.monitor.stopped(); ++d) {
        std::uint64_t const last = tiles.last(d);
        std::atomic<std::uint64_t> shares{0}; // each is one thread's, if so many come
        task.monitor.team().run(threads, [&](int) {
            for (std::uint64_t k = shares++; k < static_cast<std::uint64_t>(threads); k = shares++)
                for (std::uint64_t t = tiles.first(d) + k; t <= last && !task.monitor.stopped();
                     t += static_cast<std::uint64_t>(threads))
                    tiles.fill(H, task, scores, t, d - t);
        });
    }
    task.monitor.throw_if_stopped();
    return finish_linear(task, H);
}

} // namespace nwgpu::published
