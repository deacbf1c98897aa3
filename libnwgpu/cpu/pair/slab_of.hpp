// SPDX-License-Identifier: BSD-3-Clause
// The kept boundaries of swept rows as a slab, and the path back through slabs, whatever engine wrote them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <utility>

#include "checkpoint/folder.hpp"
#include "cpu/pair/entries.hpp"
#include "cpu/pair/path_finder.hpp"

namespace nwgpu::cpu {

// The slab of this shape.  `bottom`: below its last row.  `corners`: of each kept column but the first, the score above
// the slab's first row.  left(row): the score of the matrix's column 0 there.
template <class Field, class Left>
checkpoint::Slab slab_of(Field const & field, checkpoint::SlabReader const & reader,
                         checkpoint::SlabShape const & shape, Grid const & grid,
                         BoundaryView<typename Field::Cell> bottom, std::span<std::int64_t const> corners, GapCost gap,
                         Left const & left)
{
    using Cell = typename Field::Cell;
    checkpoint::Slab slab;
    slab.shape = shape;
    path::CutLines const rows = shape.row_lines(), cols = shape.col_lines();
    auto const copy = [&](auto const & line, std::uint64_t count, std::int64_t corner, checkpoint::Bytes & to,
                          std::int64_t at) {
        for (std::uint64_t k = 0; k < count; ++k) {
            checkpoint::Entry const entry =
                to_entry(field, corner, static_cast<Cell>(line.first[k]), static_cast<Cell>(line.second[k]), gap);
            reader.store(entry, to, static_cast<std::uint64_t>(at) + k, shape);
            corner = entry.h;
        }
    };
    slab.bottom.resize(shape.cols * shape.entry_bytes);
    slab.row_cuts.resize(rows.entries * shape.entry_bytes);
    slab.col_cuts.resize(cols.entries * shape.entry_bytes);
    copy(bottom, shape.cols, left(shape.end()), slab.bottom, 0);
    for (std::uint64_t k = 1; k < grid.row_cuts.size(); ++k)
        copy(PathFinder<Field>::slice(grid.row_cuts[k], 0, shape.cols).view(), shape.cols,
             left(shape.row + k * shape.tile_rows), slab.row_cuts, rows.place(k - 1, 0));
    for (std::uint64_t k = 1; k < grid.col_cuts.size(); ++k) {
        std::int64_t const corner = corners[k - 1], at = cols.place(k - 1, 0);
        reader.store({corner, corner - gap.open - gap.extend}, slab.col_cuts, static_cast<std::uint64_t>(at - 1),
                     shape);
        copy(PathFinder<Field>::slice(grid.col_cuts[k], 0, shape.rows).view(), shape.rows, corner, slab.col_cuts, at);
    }
    return slab;
}

// Whether a field can have this entry beside a score.
inline bool may_follow(DiffField const & field, std::int64_t before, checkpoint::Entry const & entry, GapCost gap)
{
    std::int64_t const difference = field.difference(before, entry.h), rest = entry.h - gap.extend - entry.gap;
    return 0 <= difference && difference <= UINT8_MAX && 0 <= rest && rest <= gap.open;
}
inline bool may_follow(ScoreField const &, std::int64_t, checkpoint::Entry const & entry, GapCost)
{
    return std::max(std::abs(entry.h), std::abs(entry.gap)) < checkpoint::most_score;
}

// A tile of slabs that somebody else may have written: the fields compute with its scores, whatever they are.  Throws
// Error checkpoint.
template <class Field>
checkpoint::SlabTile checked(Field const & field, checkpoint::SlabTile && tile, GapCost gap,
                             checkpoint::Folder const & folder)
{
    for (auto const * line : {&tile.top, &tile.left}) {
        std::int64_t before = tile.corner;
        for (checkpoint::Entry const & entry : *line) {
            if (!may_follow(field, before, entry, gap))
                throw folder.damage("it holds scores that do not follow each other");
            before = entry.h;
        }
    }
    return std::move(tile);
}

// From the finder's cursor to where the path begins, or to row or column 0 of the matrix.
template <class Field>
void walk_slabs(Field const & field, checkpoint::SlabReader const & reader, GapCost gap, checkpoint::Folder & folder,
                PathFinder<Field> & finder)
{
    auto const row = [&] { return finder.cursor.stopped || finder.cursor.j == 0 ? 0 : finder.cursor.i; };
    folder.visit_back(row, [&](checkpoint::Slab const & slab, checkpoint::Slab const * above) {
        while (row() > slab.shape.row) {
            checkpoint::SlabTile tile =
                checked(field, reader.tile(slab, above, finder.cursor.i, finder.cursor.j), gap, folder);
            Region const part{tile.row, finder.cursor.i, tile.col, finder.cursor.j};
            tile.top.resize(part.cols());
            tile.left.resize(part.rows());
            auto top = to_border(field, tile.top, tile.corner, gap),
                 left = to_border(field, tile.left, tile.corner, gap);
            finder.walk_region(part, top, left, tile.corner);
        }
    });
}

} // namespace nwgpu::cpu
