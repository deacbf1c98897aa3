// SPDX-License-Identifier: BSD-3-Clause
#include "checkpoint/slab.hpp"

#include <algorithm>
#include <cstring>

namespace nwgpu::checkpoint {

SlabReader::SlabReader(PairView const & pair, Scoring const & scoring, Mode const & mode) :
    pair_{pair},
    free_top_{mode.begins_anywhere() || mode.free_target_begin},
    free_left_{mode.begins_anywhere() || mode.free_query_begin},
    is_local_{mode.local},
    code_{path::KeptCode<std::int64_t>::of(scoring.gap().open, scoring.gap().extend)},
    code32_{static_cast<std::int32_t>(code_.open), static_cast<std::int32_t>(code_.extend), code_.bits},
    most_steps_{path::MostSteps::of(scoring)}
{}

Entry SlabReader::load(Bytes const & from, std::uint64_t at, SlabShape const & shape) const
{
    if (shape.entry_bytes == sizeof(path::Kept<std::int64_t>)) {
        path::Kept<std::int64_t> kept;
        std::memcpy(&kept, from.data() + at * sizeof kept, sizeof kept);
        auto const [h, gap] = code_.show(kept);
        return {std::clamp(h, -most_score, most_score), std::clamp(gap, -most_score, most_score)};
    }
    path::Kept<std::int32_t> kept;
    std::memcpy(&kept, from.data() + at * sizeof kept, sizeof kept);
    auto const entry = code32_.show(kept);
    return {entry.h, entry.gap};
}

void SlabReader::store(Entry const & entry, Bytes & to, std::uint64_t at, SlabShape const & shape) const
{
    if (shape.entry_bytes == sizeof(path::Kept<std::int64_t>)) {
        auto const kept = code_.keep(entry);
        std::memcpy(to.data() + at * sizeof kept, &kept, sizeof kept);
        return;
    }
    auto const kept = code32_.keep({static_cast<std::int32_t>(entry.h), static_cast<std::int32_t>(entry.gap)});
    std::memcpy(to.data() + at * sizeof kept, &kept, sizeof kept);
}

Entry SlabReader::border(std::uint64_t at, bool free) const
{
    std::int64_t const h = free ? 0 : -code_.open - static_cast<std::int64_t>(at + 1) * code_.extend;
    return {h, h - code_.open - code_.extend};
}

auto SlabReader::Range::within(std::uint64_t from, std::uint64_t count) const -> Range
{
    auto const clip = [&](std::uint64_t at) { return std::clamp(at, from, from + count) - from; };
    return {clip(begin), clip(end)};
}

// The strip that ends at a row has these columns.
auto SlabReader::computed_columns(SlabShape const & shape, std::uint64_t row) -> Range
{
    if (shape.band.everything())
        return {0, shape.cols};
    auto const [begin, end] = shape.band.columns(row - shape.strip_rows, row, 0, shape.cols);
    return {begin, end};
}

// Rows of the strips that have the last column before `col`.
auto SlabReader::computed_rows(SlabShape const & shape, std::uint64_t col) -> Range
{
    Range rows{shape.end(), shape.row};
    for (std::uint64_t row = shape.row; row < shape.end(); row += shape.strip_rows) {
        std::uint64_t const end = std::min(row + shape.strip_rows, shape.end());
        auto const [low, high] = shape.band.everything() ? std::pair<std::uint64_t, std::uint64_t>{0, shape.cols}
                                                         : shape.band.columns(row, end, 0, shape.cols);
        if (low < col && col <= high)
            rows = {std::min(rows.begin, row), end};
    }
    return rows;
}

void SlabReader::complete(SlabTile & tile, Range const & top, Range const & left, bool corner_known) const
{
    std::int64_t const open_extend = code_.open + code_.extend;
    auto const bound = [&](std::int64_t h) { return Entry{h, h - open_extend}; };
    // Onwards from an entry: one gap, which can also be before that of the other sequence.  Backwards: no two
    // neighbours differ by more than a step.
    auto const onwards = [&](std::vector<Entry> & line, std::uint64_t from, Entry const & before) {
        for (std::uint64_t k = from; k < line.size(); ++k) {
            std::int64_t const gap = code_.open + static_cast<std::int64_t>(k - from + 1) * code_.extend;
            line[k] = {before.h - gap, before.gap - gap};
        }
    };
    auto const backwards = [&](std::vector<Entry> & line, std::uint64_t from) {
        for (std::uint64_t k = from; k > 0; --k)
            line[k - 1] = bound(line[k].h - most_steps_.rise());
        return line[0].h - most_steps_.rise();
    };
    bool const has_top = top.begin < top.end;
    bool has_left = left.begin < left.end;
    if (has_top) {
        onwards(tile.top, top.end, tile.top[top.end - 1]);
        if (top.begin > 0 || !corner_known)
            tile.corner = backwards(tile.top, top.begin);
        has_left = has_left && left.begin == 0 && top.begin == 0 && corner_known; // else it is beyond the band, too
    } else {
        if (has_left && (left.begin > 0 || !corner_known))
            tile.corner = backwards(tile.left, left.begin);
        onwards(tile.top, 0, bound(tile.corner));
    }
    if (has_left)
        onwards(tile.left, left.end, tile.left[left.end - 1]);
    else
        onwards(tile.left, 0, bound(tile.corner));
}

void SlabReader::raise_skipped(SlabTile & tile) const
{
    if (!is_local_)
        return;
    path::SkippedLine top{tile.top, most_steps_}, left{tile.left, most_steps_};
    std::int64_t const down = top.raise_backwards(), right = left.raise_backwards();
    tile.corner = std::max(tile.corner, std::max(down, right) + most_steps_.extend);
    top.raise_onwards(std::max(right, tile.corner - most_steps_.fall()));
    left.raise_onwards(std::max(down, tile.corner - most_steps_.fall()));
}

SlabTile SlabReader::tile(Slab const & slab, Slab const * above, std::uint64_t i, std::uint64_t j) const
{
    SlabShape const & shape = slab.shape;
    std::uint64_t const tile_row = (i - 1 - shape.row) / shape.tile_rows, tile_col = (j - 1) / shape.tile_cols;
    SlabTile tile;
    tile.row = shape.row + tile_row * shape.tile_rows;
    tile.col = tile_col * shape.tile_cols;
    tile.top.resize(std::min(shape.tile_cols, shape.cols - tile.col));
    tile.left.resize(std::min(shape.tile_rows, shape.end() - tile.row));

    auto const at = [](path::CutLines const & lines, std::uint64_t line, std::uint64_t entry) {
        return static_cast<std::uint64_t>(lines.place(line, entry));
    };
    path::CutLines const row_lines = shape.row_lines(), col_lines = shape.col_lines();
    auto const row_entry = [&](std::uint64_t col) {
        return tile.row == 0   ? border(col, free_top_)
               : tile_row == 0 ? load(above->bottom, col, above->shape)
                               : load(slab.row_cuts, at(row_lines, tile_row - 1, col), shape);
    };
    Range const columns = tile.row == 0   ? Range{0, shape.cols}
                          : tile_row == 0 ? computed_columns(above->shape, tile.row)
                                          : computed_columns(shape, tile.row);
    Range const top = columns.within(tile.col, tile.top.size());
    for (std::uint64_t k = top.begin; k < top.end; ++k)
        tile.top[k] = row_entry(tile.col + k);
    bool const corner_known = tile.col == 0 || columns.holds(tile.col - 1);
    if (tile.col == 0)
        tile.corner = tile.row == 0 ? 0 : border(tile.row - 1, free_left_).h;
    else if (corner_known)
        tile.corner = row_entry(tile.col - 1).h;

    Range const left =
        (tile.col == 0 ? Range{0, shape.end()} : computed_rows(shape, tile.col)).within(tile.row, tile.left.size());
    for (std::uint64_t k = left.begin; k < left.end; ++k)
        tile.left[k] = tile.col == 0
                           ? border(tile.row + k, free_left_)
                           : load(slab.col_cuts, at(col_lines, tile_col - 1, tile.row - shape.row + k), shape);
    if (!shape.band.everything())
        complete(tile, top, left, corner_known);
    raise_skipped(tile);
    return tile;
}

std::vector<Entry> SlabReader::bottom(Slab const & slab) const
{
    SlabTile row; // without rows
    row.top.resize(pair_.n);
    for (std::uint64_t k = 0; k < row.top.size(); ++k)
        row.top[k] = load(slab.bottom, k, slab.shape);
    return std::move(row.top);
}

SlabTile SlabReader::below(Slab const * slab) const
{
    SlabTile tile;
    tile.row = slab ? slab->shape.end() : 0;
    tile.corner = tile.row == 0 ? 0 : border(tile.row - 1, free_left_).h;
    tile.top.resize(pair_.n);
    tile.left.resize(pair_.m - tile.row);
    Range const columns = slab ? computed_columns(slab->shape, tile.row) : Range{0, pair_.n};
    for (std::uint64_t k = columns.begin; k < columns.end; ++k)
        tile.top[k] = slab ? load(slab->bottom, k, slab->shape) : border(k, free_top_);
    for (std::uint64_t k = 0; k < tile.left.size(); ++k)
        tile.left[k] = border(tile.row + k, free_left_);
    if (slab && !slab->shape.band.everything())
        complete(tile, columns, {0, tile.left.size()}, true);
    raise_skipped(tile);
    return tile;
}

} // namespace nwgpu::checkpoint
