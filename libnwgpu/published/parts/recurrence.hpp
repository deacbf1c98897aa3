// SPDX-License-Identifier: BSD-3-Clause
// The cells that all published algorithms compute, for CPU and GPU.  Rows are query letters, columns target letters, s
// is the score of the two letters of a cell; a gap of k letters costs open + k * extend.
//
//   linear (open = 0)   H(i, j) = max(H(i-1, j-1) + s, H(i-1, j) - extend, H(i, j-1) - extend)
//   affine              E(i, j) = max(E(i, j-1), H(i, j-1) - open) - extend
//                       F(i, j) = max(F(i-1, j), H(i-1, j) - open) - extend
//                       H(i, j) = max(H(i-1, j-1) + s, F(i, j), E(i, j), floor)     floor: 0 if local
#pragma once

#include <cstdint>

namespace nwgpu::published {

using Score = std::int32_t;

// Less than any score, and far enough from the end of 32 bits for a step.
constexpr Score minus_infinity = INT32_MIN / 2;

constexpr Score larger(Score a, Score b) { return a > b ? a : b; }

constexpr Score linear_cell(Score diagonal, Score up, Score left, Score s, Score extend)
{
    return larger(diagonal + s, larger(up, left) - extend);
}

// Costs, and what differs between local and global.
struct Affine {
    Score open, extend;
    Score floor; // 0 if local, else minus_infinity
    bool local;

    // H at distance k >= 0 from the origin along the first row or column.
    constexpr Score border(std::int64_t k) const
    {
        return local || k == 0 ? 0 : static_cast<Score>(-open - k * extend);
    }
    // E from the cell to the left, or F from the cell above.
    constexpr Score gap(Score h, Score gap) const { return larger(gap, h - open) - extend; }
    constexpr Score h(Score diagonal, Score s, Score e, Score f) const
    {
        return larger(larger(diagonal + s, floor), larger(e, f));
    }
};

// The best cell so far, by the tie rule: of equal scores the smallest column, then the smallest row.  1-based; {0, 0,
// 0} is the empty local alignment.
struct Best {
    Score score = 0;
    std::uint32_t j = 0, i = 0;

    constexpr void consider(Score h, std::uint32_t row, std::uint32_t column)
    {
        if (h < score || h <= 0)
            return;
        if (h > score || column < j || (column == j && row < i)) {
            score = h;
            j = column;
            i = row;
        }
    }
    constexpr void consider(Best const & other) { consider(other.score, other.i, other.j); }
};

} // namespace nwgpu::published
