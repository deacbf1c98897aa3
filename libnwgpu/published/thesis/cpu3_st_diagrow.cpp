// SPDX-License-Identifier: BSD-3-Clause
// Paper A, 4.5: Cpu3-St-DiagRow.  The matrix is cut into rectangular tiles; one thread visits the tiles by minor
// diagonals and the cells of a tile by rows.  H(i, j) = max(H(i-1, j-1) + s, H(i-1, j) - g, H(i, j-1) - g).
//
//     1 2 4      inside a tile:  > > >
//     3 5 7                      > > >
//     6 8 9
#include "published/cpu_algorithms.hpp"
#include "published/parts/cpu_tiles.hpp"

namespace nwgpu::published {

PairResult cpu3_st_diagrow(Task const & task, int)
{
    ColumnScores const scores{task.scoring};
    StoredMatrix const H = matrix_with_borders(task);
    CpuTiles const tiles{task};
    for (std::uint64_t d = 0; d < tiles.diagonals(); ++d) {
        for (std::uint64_t t = tiles.first(d); t <= tiles.last(d); ++t)
            tiles.fill(H, task, scores, t, d - t);
        task.monitor.throw_if_stopped();
    }
    return finish_linear(task, H);
}

} // namespace nwgpu::published
