// SPDX-License-Identifier: BSD-3-Clause
// Paper A, 4.13: Trace2-Sparse.  Only the headers of tiles are kept; a tile is computed again from them, as far as the
// path can touch it, and walked until it is left through its top or left side, which leads into the next tile:
//
//     +-----------+-----------+
//     | up-left   | up        |
//     +-----------+--h-h-h-h--+
//     | left      h # # # .   |     h headers, # computed again for a path that comes from X
//     |           h # # X .   |
//     +-----------+-----------+
#pragma once

#include "published/parts/column_scores.hpp"
#include "published/parts/stored_matrix.hpp"
#include "published/parts/tile_grid.hpp"

namespace nwgpu::published {

class SparseTrace {
public:
    explicit SparseTrace(Task const & task);

    // H at the end of the alignment.  The cells of `headers` begin below row `row` and right of column `col`.
    Score last_score(Headers const & headers, std::uint64_t row, std::uint64_t col);
    // Walks through the tiles of `headers` until the path leaves them.
    void walk(Headers const & headers, std::uint64_t row, std::uint64_t col);
    path::Cursor const & cursor() const { return cursor_; }
    // After the walk reached row or column 0; without a walk there are no runs.
    PairResult finish(Score score);

private:
    void compute(Headers const & headers, std::uint32_t ti, std::uint32_t tj, std::uint64_t row, std::uint64_t col);

    Task const & task_;
    ColumnScores scores_;
    path::Cursor cursor_;
    CigarBuilder cigar_;
    std::unique_ptr<StoredMatrix> tile_;
};

} // namespace nwgpu::published
