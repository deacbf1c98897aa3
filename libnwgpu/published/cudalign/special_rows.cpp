// SPDX-License-Identifier: BSD-3-Clause
#include "published/cudalign/special_rows.hpp"

#include <algorithm>
#include <cstdlib>
#include <span>

#include "cpu/kernels/kernel_table.hpp"
#include "cpu/pair/entries.hpp"
#include "cpu/pair/path_finder.hpp"
#include "published/parts/stored_matrix.hpp"

namespace nwgpu::published {

namespace {

using checkpoint::Entry;
using checkpoint::Slab;
using checkpoint::SlabTile;
using Field = cpu::ScoreField;
using Boundary = cpu::Boundary<Field::Cell>;

constexpr std::size_t trace_bytes = 4 << 20;
constexpr std::uint64_t cuts = 32; // of what is cut in its turn

class RowWalker {
public:
    RowWalker(Task const & task, checkpoint::SlabReader const & reader, checkpoint::Folder * folder,
              PairResult const & end) :
        task_{task},
        reader_{reader},
        folder_{folder},
        scheme_{task.scoring},
        field_{scheme_, cpu::kernel_table({}), local(), std::max(32, scheme_.score_width(cpu::kernel_table({}).lanes))},
        finder_{field_, task.pair,   task.request.style, local(), cpu::Band{}, task.monitor.team().size(),
                cuts,   trace_bytes, task.monitor},
        result_{end},
        score_{end.score}
    {
        finder_.cursor = {end.span.query_end, end.span.target_end};
    }

    PairResult walk(Slab const & last)
    {
        if (row() > last.shape.row) {
            std::shared_ptr<Slab const> above;
            if (folder_ && folder_->count() > 0)
                above = folder_->load(folder_->count() - 1);
            walk_slab(last, above.get());
        }
        if (folder_)
            folder_->visit_back([this] { return row(); },
                                [this](Slab const & slab, Slab const * above) { walk_slab(slab, above); });
        path::finish(task_.request.mode, finder_.cursor, finder_.cigar, result_);
        return result_;
    }

private:
    bool local() const { return task_.request.mode.local; }
    // Of the cursor; 0: the path is there.
    std::uint64_t row() const
    {
        path::Cursor const & cursor = finder_.cursor;
        return cursor.stopped || cursor.j == 0 ? 0 : cursor.i;
    }

    void walk_slab(Slab const & slab, Slab const * above)
    {
        while (row() > slab.shape.row)
            walk_tile(checked(reader_.tile(slab, above, finder_.cursor.i, finder_.cursor.j), folder_));
    }

    // H above the tile's rows, so many letters from its begin.
    static std::int64_t above(SlabTile const & tile, std::uint64_t letters)
    {
        return letters == 0 ? tile.corner : tile.top[letters - 1].h;
    }

    // A path from column c of the row above to the cursor gains no more than its rows can be worth, and pays for the
    // letters by which it has more columns than rows; so does one that begins on the way.
    std::uint64_t first_column(SlabTile const & tile) const
    {
        std::uint64_t const height = finder_.cursor.i - tile.row, col = finder_.cursor.j;
        std::int64_t const gain =
            static_cast<std::int64_t>(height) * std::max<std::int64_t>(0, task_.scoring.max_score());
        for (std::uint64_t c = 0; c + height < col; ++c) {
            std::int64_t const from = std::max<std::int64_t>(above(tile, c), affine_of(task_).floor);
            if (from + gain - task_.open() - static_cast<std::int64_t>(col - c - height) * task_.extend() >= score_)
                return c - std::min<std::uint64_t>(c, 1);
        }
        return col - std::min(col, height + 1);
    }

    void walk_tile(SlabTile const & tile)
    {
        path::Cursor const & cursor = finder_.cursor;
        bool const is_whole = tile.top.size() == task_.pair.n; // engines have narrow tiles
        std::uint64_t const col = is_whole ? first_column(tile) : tile.col;
        cpu::Region const region{tile.row, cursor.i, col, cursor.j};
        std::int64_t const corner = above(tile, col - tile.col);
        GapCost const gap = task_.scoring.gap();
        Boundary top = cpu::to_border(field_, std::span{tile.top}.subspan(col - tile.col, region.cols()), corner, gap);
        Boundary left(region.rows());
        if (col == tile.col)
            left = cpu::to_border(field_, std::span{tile.left}.first(region.rows()), corner, gap);
        else // what a gap down from the corner is worth: less than the cells may have, and enough
            for (std::uint64_t k = 0; k < region.rows(); ++k) {
                std::int64_t const h = corner - gap.open - static_cast<std::int64_t>(k + 1) * gap.extend;
                left.first[k] = local() ? std::max<std::int64_t>(h, 0) : h;
                left.second[k] = left.first[k] - gap.open - gap.extend;
            }
        finder_.walk_region(region, top, left, corner);
        if (cursor.stopped)
            return;
        bool const is_left = cursor.j == tile.col;
        if (!is_left && cursor.i > tile.row)
            throw Error{Status::internal, "a path has left its special rows"};
        score_ =
            is_left && cursor.i > tile.row ? tile.left[cursor.i - tile.row - 1].h : above(tile, cursor.j - tile.col);
        score_ -= task_.open();
    }

    Task const & task_;
    checkpoint::SlabReader const & reader_;
    checkpoint::Folder * const folder_;
    cpu::Scheme const scheme_;
    Field const field_;
    cpu::PathFinder<Field> finder_;
    PairResult result_;
    std::int64_t score_; // of the path up to the cursor, at least
};

} // namespace

checkpoint::SlabTile checked(SlabTile && tile, checkpoint::Folder const * folder)
{
    auto const fits = [](std::int64_t score) { return std::abs(score) < -std::int64_t{minus_infinity}; };
    auto const all_fit = [&](std::vector<Entry> const & line) {
        return std::all_of(line.begin(), line.end(), [&](Entry const & e) { return fits(e.h) && fits(e.gap); });
    };
    if (folder && !(fits(tile.corner) && all_fit(tile.top) && all_fit(tile.left)))
        throw folder->damage("it holds scores that this pair cannot have");
    return std::move(tile);
}

PairResult walk_special_rows(Task const & task, checkpoint::SlabReader const & reader, Slab const & last,
                             checkpoint::Folder * folder, PairResult const & end)
{
    if (task.request.mode.local && end.score == 0) {
        PairResult empty = end;
        empty.span = {0, 0, 0, 0};
        return empty;
    }
    return RowWalker{task, reader, folder, end}.walk(last);
}

} // namespace nwgpu::published
