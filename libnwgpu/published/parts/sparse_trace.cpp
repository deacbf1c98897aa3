// SPDX-License-Identifier: BSD-3-Clause
#include "published/parts/sparse_trace.hpp"

namespace nwgpu::published {

SparseTrace::SparseTrace(Task const & task) :
    task_{task}, scores_{task.scoring}, cursor_{task.pair.m, task.pair.n, path::State::h, false}
{}

// From the tile's first row and column, which are row + 1 and col + 1, to the cursor.
void SparseTrace::compute(Headers const & headers, std::uint32_t ti, std::uint32_t tj, std::uint64_t row,
                          std::uint64_t col)
{
    if (!tile_)
        tile_ = std::make_unique<StoredMatrix>(headers.height, headers.width);
    StoredMatrix const & tile = *tile_;
    std::uint64_t const rows = cursor_.i - row, cols = cursor_.j - col;
    std::copy_n(headers.row(ti, tj), cols + 1, tile.row(0));
    for (std::uint64_t r = 1; r <= rows; ++r) {
        Score const * const s = scores_.row(task_.pair.query[row + r - 1]);
        tile(r, 0) = headers.col(ti, tj)[r];
        for (std::uint64_t c = 1; c <= cols; ++c)
            tile(r, c) = linear_cell(tile(r - 1, c - 1), tile(r - 1, c), tile(r, c - 1),
                                     s[task_.pair.target[col + c - 1]], task_.extend());
    }
}

Score SparseTrace::last_score(Headers const & headers, std::uint64_t row, std::uint64_t col)
{
    auto const ti = static_cast<std::uint32_t>((cursor_.i - row - 1) / headers.height);
    auto const tj = static_cast<std::uint32_t>((cursor_.j - col - 1) / headers.width);
    std::uint64_t const top = row + std::uint64_t{ti} * headers.height;
    std::uint64_t const left = col + std::uint64_t{tj} * headers.width;
    compute(headers, ti, tj, top, left);
    return (*tile_)(cursor_.i - top, cursor_.j - left);
}

void SparseTrace::walk(Headers const & headers, std::uint64_t row, std::uint64_t col)
{
    while (cursor_.i > row && cursor_.j > col) {
        auto const ti = static_cast<std::uint32_t>((cursor_.i - row - 1) / headers.height);
        auto const tj = static_cast<std::uint32_t>((cursor_.j - col - 1) / headers.width);
        std::uint64_t const top = row + std::uint64_t{ti} * headers.height;
        std::uint64_t const left = col + std::uint64_t{tj} * headers.width;
        compute(headers, ti, tj, top, left);
        auto const h = [&](std::uint64_t i, std::uint64_t j) { return (*tile_)(i - top, j - left); };
        path::walk(LinearBits<decltype(h)>{h, task_.pair, task_.scoring}, top, left, task_.pair, task_.request.style,
                   false, cursor_, cigar_);
    }
}

PairResult SparseTrace::finish(Score score)
{
    PairResult result;
    result.score = score;
    result.span = {0, task_.pair.m, 0, task_.pair.n};
    if (task_.traced())
        path::finish(task_.request.mode, cursor_, cigar_, result);
    return result;
}

} // namespace nwgpu::published
