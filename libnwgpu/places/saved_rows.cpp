// SPDX-License-Identifier: BSD-3-Clause
#include "places/saved_rows.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "path/end.hpp"

namespace nwgpu::places {

SavedRows::SavedRows(Piece const & piece, Monitor & monitor) :
    piece_{piece},
    pair_{piece.batch.view(piece.pairs[0])},
    reader_{pair_, piece.scoring, piece.request.mode},
    folder_{
        piece.request.checkpoint.folder, {pair_, piece.scoring, piece.request.mode}, piece.request.checkpoint.resume}
{
    folder_.while_waiting([&monitor] {
        monitor.report(0);
        monitor.throw_if_stopped();
    });
    Request const & request = piece.request;
    if (request.output >= (request.mode.ends_anywhere() ? Output::end : Output::span))
        folder_.require_tiles();
    if (folder_.count() == 0)
        return;
    go_below(*folder_.load(folder_.count() - 1));
    if (!is_banded())
        check_bottom();
    monitor.poll(rows() * pair_.n);
}

void SavedRows::go_below(checkpoint::Slab const & slab)
{
    last_ = slab.shape;
    bottom_ = reader_.below(&slab).top;
    taken_rows_ = rows();
}

RowEnd SavedRows::best() const
{
    bool const is_there = last_.best_i > 0 || last_.best_score > 0;
    return is_there ? RowEnd{last_.best_score, last_.best_i, last_.best_j} : RowEnd{};
}

void SavedRows::bottom(std::uint64_t begin, std::span<RowEntry> to) const
{
    std::copy_n(bottom_.begin() + static_cast<std::ptrdiff_t>(begin), to.size(), to.begin());
}

// Engines compute with differences of neighbouring scores, whatever another program may have written.
void SavedRows::check_bottom() const
{
    GapCost const gap = piece_.scoring.gap();
    Mode const & mode = piece_.request.mode;
    std::int64_t const step = gap.open + gap.extend,
                       most = std::max<std::int64_t>(0, piece_.scoring.max_score()) + step;
    std::int64_t before = mode.begins_anywhere() || mode.free_query_begin ? 0 : path::gap_score(gap, rows());
    for (RowEntry const & entry : bottom_) {
        std::int64_t const up = entry.h - before, rest = entry.h - gap.extend - entry.gap;
        if (up < -step || up > most || rest < 0 || rest > gap.open)
            throw folder_.damage("it holds scores that do not follow each other");
        before = entry.h;
    }
}

void SavedRows::take(std::vector<checkpoint::Slab> && slabs)
{
    for (checkpoint::Slab & slab : slabs) {
        checkpoint::SlabShape const & shape = slab.shape;
        bool const is_whole = shape.row == taken_rows_ && shape.rows > 0 && shape.cols == pair_.n &&
                              shape.rows < pair_.m - shape.row && slab.bottom.size() == pair_.n * shape.entry_bytes &&
                              slab.row_cuts.size() == shape.row_lines().entries * shape.entry_bytes &&
                              slab.col_cuts.size() == shape.col_lines().entries * shape.entry_bytes;
        if (!is_whole)
            throw Error{Status::communication, "a rank sends other rows than it was asked for"};
        taken_rows_ = shape.end();
        taken_.add(std::move(slab));
    }
}

// A slab names the best end of its own rows, a file that of all rows so far.
void SavedRows::save()
{
    for (checkpoint::Slab & slab : taken_.take()) {
        if (!checkpoint::has_better_end(slab.shape, last_)) {
            slab.shape.best_score = last_.best_score;
            slab.shape.best_i = last_.best_i;
            slab.shape.best_j = last_.best_j;
        }
        go_below(slab);
        folder_.save(std::move(slab));
    }
}

} // namespace nwgpu::places
