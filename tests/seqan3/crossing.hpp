// SPDX-License-Identifier: BSD-3-Clause
// Pairs that SeqAn3 3.2 cannot trace (seqan3#3043): on their path a gap of sequence1 runs through a cell whose best
// score comes from a gap of sequence2 alone, and there 3.2 forgets where the first gap was opened; it may even leave
// its matrix.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace nwgpu::test {

struct CrossingMode {
    bool local = false, free_row = false, free_column = false; // a path may begin anywhere in the first row, column
};

constexpr int no_score = -1000000;

struct CrossingCell { // best score; by an aligned pair, by a gap in sequence1, in sequence2
    int h = no_score, diagonal = no_score, up = no_score, left = no_score;
};

// `score` scores a letter of sequence1 with one of sequence2; gap scores are SeqAn3's.  The path ends at (end1, end2).
template <typename sequence_t, typename score_t>
bool gaps_cross(sequence_t const & first, sequence_t const & second, score_t const & score, int open, int extension,
                CrossingMode mode, std::size_t end1, std::size_t end2)
{
    std::size_t const rows = end2 + 1, columns = end1 + 1;
    std::vector<CrossingCell> cells(rows * columns);
    auto const cell = [&](std::size_t i, std::size_t j) -> CrossingCell & { return cells[i * columns + j]; };
    for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t j = 0; j < columns; ++j) {
            CrossingCell & c = cell(i, j);
            int const length = static_cast<int>(i + j);
            if (i == 0 || j == 0) {
                bool const free = mode.local || length == 0 || (i == 0 ? mode.free_row : mode.free_column);
                c.h = free ? 0 : open + length * extension;
                continue;
            }
            c.diagonal = cell(i - 1, j - 1).h + score(first[j - 1], second[i - 1]);
            c.up = std::max(cell(i - 1, j).up, cell(i - 1, j).h + open) + extension;
            c.left = std::max(cell(i, j - 1).left, cell(i, j - 1).h + open) + extension;
            c.h = std::max({c.diagonal, c.up, c.left, mode.local ? 0 : no_score});
        }
    std::size_t i = end2, j = end1;
    while (i > 0 && j > 0) {
        CrossingCell const & c = cell(i, j);
        if (c.h == c.diagonal) {
            --i;
            --j;
        } else if (c.h == c.up) {
            while (i > 0 && cell(i, j).up == cell(i - 1, j).up + extension) {
                --i;
                if (i > 0 && cell(i, j).left > std::max(cell(i, j).diagonal, cell(i, j).up))
                    return true;
            }
            --i;
        } else if (c.h == c.left) {
            while (j > 0 && cell(i, j).left == cell(i, j - 1).left + extension)
                --j;
            --j;
        } else {
            break;
        }
    }
    return false;
}

} // namespace nwgpu::test
