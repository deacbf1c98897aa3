// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "cpu/pair/extent.hpp"
#include "cpu/pair/field.hpp"
#include "model/mode.hpp"
#include "path/end.hpp"

namespace nwgpu::cpu {

// Shows the cells of the matrix's last row from a column on, whose score is `first`, to `best` if the alignment may end
// in them; not the last one, whose score is returned.
template <class Field>
std::int64_t consider_last_row(Field const & field, BoundaryView<typename Field::Cell> row, PairView const & pair,
                               Mode const & mode, std::int64_t first, path::BestEnd & best,
                               std::uint64_t from_column = 0)
{
    std::int64_t score = first;
    for (std::uint64_t j = from_column; j < pair.n; ++j) {
        if (mode.free_target_end)
            best.consider(score, pair.m, j);
        score = field.next_score(score, row.first[j]);
    }
    return score;
}

// The same of the last column, where an extent does not have all of it, from the score of its last cell up: the cells
// of the strips that reach it, but for that one.
template <class Field>
void consider_last_column(Field const & field, BoundaryView<typename Field::Cell> column, PairView const & pair,
                          Extent const & extent, std::int64_t last, path::BestEnd & best)
{
    std::uint64_t first = pair.m; // row of the first strip that reaches the column
    while (first > 0) {
        std::uint64_t const above = (first - 1) / field.strip_rows() * field.strip_rows();
        if (extent.columns(above, first, 0, pair.n).second < pair.n)
            break;
        first = above;
    }
    std::int64_t score = last;
    for (std::uint64_t i = pair.m; i > first; --i)
        score -= field.next_score(0, column.first[i - 1]);
    for (std::uint64_t i = first + 1; i < pair.m; ++i) {
        score = field.next_score(score, column.first[i - 1]);
        best.consider(score, i, pair.n);
    }
}

} // namespace nwgpu::cpu
