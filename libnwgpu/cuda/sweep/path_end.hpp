// SPDX-License-Identifier: BSD-3-Clause
// Where the best alignment ends, by the tie rule, from what a sweep has found.
#pragma once

#include <algorithm>
#include <vector>

#include "cuda/kernels/boundaries.hpp"
#include "model/batch.hpp"
#include "path/end.hpp"
#include "path/walk.hpp"

namespace nwgpu::cuda {

// The first of cells with the same score, by row and column of their job.
template <class S>
path::Cursor first_of(std::vector<StripBest<S>> const & cells)
{
    auto const before = [](auto const & a, auto const & b) { return a.col != b.col ? a.col < b.col : a.row < b.row; };
    StripBest<S> const first = *std::min_element(cells.begin(), cells.end(), before);
    return {first.row + std::uint64_t{1}, first.col + std::uint64_t{1}};
}

// Score and end of a pair whose path does not end anywhere: the best candidate in column-major order.
inline void find_end(LastCells const & last, Mode const & mode, GapCost gap, PairView const & pair, PairResult & result)
{
    path::BestEnd best{result};
    if (mode.free_target_end) {
        best.consider(mode.free_query_begin ? 0 : path::gap_score(gap, pair.m), pair.m, 0);
        if (pair.n > 1)
            best.consider(last.bottom.score, pair.m, last.bottom.index + 1);
    }
    if (mode.free_query_end) {
        best.consider(mode.free_target_begin ? 0 : path::gap_score(gap, pair.n), 0, pair.n);
        if (pair.m > 1)
            best.consider(last.right.score, last.right.index + 1, pair.n);
    }
    best.consider(last.corner, pair.m, pair.n);
}

} // namespace nwgpu::cuda
