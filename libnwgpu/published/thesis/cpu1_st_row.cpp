// SPDX-License-Identifier: BSD-3-Clause
// Paper A, 4.3: Cpu1-St-Row.  One thread fills the whole matrix, which lies in memory row by row, and Trace1-Plain
// walks back over it.  H(i, j) = max(H(i-1, j-1) + s, H(i-1, j) - g, H(i, j-1) - g).
//
//     1 > > >
//     2 > > >
//     3 > > >
#include "published/cpu_algorithms.hpp"
#include "published/parts/cpu_tiles.hpp"

namespace nwgpu::published {

PairResult cpu1_st_row(Task const & task, int)
{
    ColumnScores const scores{task.scoring};
    StoredMatrix const H = matrix_with_borders(task);
    for (std::uint64_t i = 0; i < task.pair.m; ++i) {
        fill_by_rows(H, task.pair, scores, task.extend(), i, i + 1, 0, task.pair.n);
        task.monitor.poll(task.pair.n);
        task.monitor.throw_if_stopped();
    }
    return finish_linear(task, H);
}

} // namespace nwgpu::published
