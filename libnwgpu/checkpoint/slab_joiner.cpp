// SPDX-License-Identifier: BSD-3-Clause
#include "checkpoint/slab_joiner.hpp"

#include <algorithm>
#include <span>
#include <utility>

namespace nwgpu::checkpoint {

namespace {

constexpr std::uint64_t most_bytes = std::uint64_t{8} << 30; // of a joined slab

std::uint64_t bytes_of(Slab const & slab) { return slab.bottom.size() + slab.row_cuts.size() + slab.col_cuts.size(); }

// Kept rows are whole lines, one below the other.
Bytes join_row_cuts(std::vector<Slab> const & parts, SlabShape const & shape)
{
    Bytes all(shape.row_lines().entries * shape.entry_bytes);
    auto to = all.begin();
    for (std::size_t k = 0; k < parts.size(); ++k) {
        to = std::copy(parts[k].row_cuts.begin(), parts[k].row_cuts.end(), to);
        if (k + 1 < parts.size())
            to = std::copy(parts[k].bottom.begin(), parts[k].bottom.end(), to);
    }
    return all;
}

// Of a kept column each part has its rows; entry -1, the score above them, is that of the first part.
Bytes join_col_cuts(std::vector<Slab> const & parts, SlabShape const & shape)
{
    path::CutLines const lines = shape.col_lines();
    std::uint64_t const size = shape.entry_bytes;
    Bytes all(lines.entries * size);
    std::byte * to = all.data();
    for (std::uint64_t begin = 0; begin < lines.entries; begin += static_cast<std::uint64_t>(lines.stride))
        for (Slab const & part : parts) {
            std::uint64_t const cut = begin / static_cast<std::uint64_t>(lines.stride),
                                first = &part == parts.data() ? 0 : 1, rows = part.shape.rows + 1;
            std::byte const * const from = part.col_cuts.data() + (cut * rows + first) * size;
            to = std::copy(from, from + (rows - first) * size, to);
        }
    return all;
}

} // namespace

bool has_better_end(SlabShape const & lower, SlabShape const & upper)
{
    auto const is_there = [](SlabShape const & one) { return one.best_i > 0 || one.best_score > 0; };
    if (!is_there(lower) || !is_there(upper))
        return is_there(lower);
    return lower.best_score > upper.best_score || (lower.best_score == upper.best_score && lower.best_j < upper.best_j);
}

bool SlabJoiner::goes_on(SlabShape const & next) const
{
    if (parts_.empty() || !next.band.everything())
        return false;
    SlabShape const & above = parts_.back().shape;
    return above.band.everything() && above.cols == next.cols && above.tile_rows == next.tile_rows &&
           above.tile_cols == next.tile_cols && above.strip_rows == next.strip_rows &&
           above.entry_bytes == next.entry_bytes && (above.tile_rows == 0 || above.rows % above.tile_rows == 0);
}

void SlabJoiner::add(Slab && slab)
{
    std::uint64_t bytes = bytes_of(slab);
    for (Slab const & part : parts_)
        bytes += bytes_of(part);
    if (!goes_on(slab.shape) || bytes > most_bytes)
        close();
    if (!parts_.empty() && slab.shape.tile_rows == 0)
        parts_.back().bottom = {};
    parts_.push_back(std::move(slab));
}

void SlabJoiner::close()
{
    if (parts_.empty())
        return;
    SlabShape shape = parts_.front().shape;
    for (Slab const & part : std::span{parts_}.subspan(1)) {
        shape.rows += part.shape.rows;
        if (!has_better_end(part.shape, shape))
            continue;
        shape.best_score = part.shape.best_score;
        shape.best_i = part.shape.best_i;
        shape.best_j = part.shape.best_j;
    }
    Slab & last = parts_.back();
    if (parts_.size() > 1 && shape.tile_rows > 0) {
        Bytes row_cuts = join_row_cuts(parts_, shape), col_cuts = join_col_cuts(parts_, shape);
        last.row_cuts = std::move(row_cuts);
        last.col_cuts = std::move(col_cuts);
    }
    last.shape = shape;
    joined_.push_back(std::move(last));
    parts_.clear();
}

std::vector<Slab> SlabJoiner::take()
{
    close();
    return std::exchange(joined_, {});
}

} // namespace nwgpu::checkpoint
