// SPDX-License-Identifier: BSD-3-Clause
// Paper A, 4.4: Cpu2-St-Diag.  One thread fills the whole matrix by minor diagonals, from the top row down.  All cells
// of a diagonal are independent of each other; but every one lies in another row, and so in another cache line.
// H(i, j) = max(H(i-1, j-1) + s, H(i-1, j) - g, H(i, j-1) - g).
//
//     1 2 4
//     3 5 7
//     6 8 9
#include "published/cpu_algorithms.hpp"
#include "published/parts/cpu_tiles.hpp"

namespace nwgpu::published {

PairResult cpu2_st_diag(Task const & task, int)
{
    PairView const & pair = task.pair;
    ColumnScores const scores{task.scoring};
    StoredMatrix const H = matrix_with_borders(task);
    for (std::uint64_t d = 2; d <= pair.m + pair.n; ++d) { // i + j = d
        std::uint64_t const first = d > pair.n ? d - pair.n : 1, last = std::min(pair.m, d - 1);
        for (std::uint64_t i = first; i <= last; ++i) {
            std::uint64_t const j = d - i;
            H(i, j) = linear_cell(H(i - 1, j - 1), H(i - 1, j), H(i, j - 1),
                                  scores.row(pair.query[i - 1])[pair.target[j - 1]], task.extend());
        }
        task.monitor.poll(last - first + 1);
        task.monitor.throw_if_stopped();
    }
    return finish_linear(task, H);
}

} // namespace nwgpu::published
