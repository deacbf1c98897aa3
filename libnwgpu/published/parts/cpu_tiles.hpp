// SPDX-License-Identifier: BSD-3-Clause
// What the four CPU algorithms of paper A share: the matrix with its borders, and a rectangle of it row by row.
#pragma once

#include <algorithm>

#include "base/ceil_div.hpp"
#include "published/parts/column_scores.hpp"
#include "published/parts/stored_matrix.hpp"

namespace nwgpu::published {

inline StoredMatrix matrix_with_borders(Task const & task)
{
    PairView const & pair = task.pair;
    StoredMatrix H{pair.m, pair.n};
    for (std::uint64_t j = 0; j <= pair.n; ++j)
        H(0, j) = static_cast<Score>(-static_cast<std::int64_t>(j) * task.extend());
    for (std::uint64_t i = 1; i <= pair.m; ++i)
        H(i, 0) = static_cast<Score>(-static_cast<std::int64_t>(i) * task.extend());
    return H;
}

// Rows row + 1 .. row_end and columns col + 1 .. col_end.
inline void fill_by_rows(StoredMatrix const & H, PairView const & pair, ColumnScores const & scores, Score extend,
                         std::uint64_t row, std::uint64_t row_end, std::uint64_t col, std::uint64_t col_end)
{
    for (std::uint64_t i = row + 1; i <= row_end; ++i) {
        Score const * const above = H.row(i - 1);
        Score * const here = H.row(i);
        Score const * const s = scores.row(pair.query[i - 1]);
        for (std::uint64_t j = col + 1; j <= col_end; ++j)
            here[j] = linear_cell(above[j - 1], above[j], here[j - 1], s[pair.target[j - 1]], extend);
    }
}

// The grid of tiles of cpu3 and cpu4.
struct CpuTiles {
    std::uint64_t rows, cols;   // of a tile
    std::uint64_t down, across; // tiles

    explicit CpuTiles(Task const & task) :
        rows{static_cast<std::uint64_t>(task.choice.value("rows"))},
        cols{static_cast<std::uint64_t>(task.choice.value("cols"))},
        down{ceil_div(task.pair.m, rows)},
        across{ceil_div(task.pair.n, cols)}
    {}
    std::uint64_t diagonals() const { return down + across - 1; }
    // Rows of the tiles of diagonal d: tile (t, d - t).
    std::uint64_t first(std::uint64_t d) const { return d < across ? 0 : d - across + 1; }
    std::uint64_t last(std::uint64_t d) const { return std::min(d, down - 1); }

    void fill(StoredMatrix const & H, Task const & task, ColumnScores const & scores, std::uint64_t ti,
              std::uint64_t tj) const
    {
        std::uint64_t const row_end = std::min(task.pair.m, (ti + 1) * rows);
        std::uint64_t const col_end = std::min(task.pair.n, (tj + 1) * cols);
        fill_by_rows(H, task.pair, scores, task.extend(), ti * rows, row_end, tj * cols, col_end);
        task.monitor.poll((row_end - ti * rows) * (col_end - tj * cols));
    }
};

} // namespace nwgpu::published
