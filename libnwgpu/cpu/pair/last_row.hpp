// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "cpu/pair/field.hpp"
#include "model/mode.hpp"
#include "path/end.hpp"

namespace nwgpu::cpu {

// Shows the cells of the matrix's last row, of which `first` is the score of column 0, to `best` if the alignment may
// end in them; not the last one, whose score is returned.
template <class Field>
std::int64_t consider_last_row(Field const & field, BoundaryView<typename Field::Cell> row, PairView const & pair,
                               Mode const & mode, std::int64_t first, path::BestEnd & best)
{
    std::int64_t score = first;
    for (std::uint64_t j = 0; j < pair.n; ++j) {
        if (mode.free_target_end)
            best.consider(score, pair.m, j);
        score = field.next_score(score, row.first[j]);
    }
    return score;
}

} // namespace nwgpu::cpu
