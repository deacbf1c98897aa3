// SPDX-License-Identifier: BSD-3-Clause
#include "places/saved_rows.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "path/end.hpp"

namespace nwgpu::places {

namespace {

bool names_end(checkpoint::SlabShape const & shape) { return shape.best_i > 0 || shape.best_score > 0; }

// Whether the path ends rather in the lower one of two slabs, by the tie rule: smallest column, then row.
bool has_better_end(checkpoint::SlabShape const & lower, checkpoint::SlabShape const & upper)
{
    if (!names_end(lower) || !names_end(upper))
        return names_end(lower);
    return lower.best_score > upper.best_score || (lower.best_score == upper.best_score && lower.best_j < upper.best_j);
}

} // namespace

SavedRows::SavedRows(Piece const & piece, Monitor & monitor) :
    piece_{piece},
    pair_{piece.batch.view(piece.pairs[0])},
    reader_{pair_, piece.scoring, piece.request.mode},
    folder_{piece.request.checkpoint.folder,
            {pair_, piece.scoring, piece.request.mode},
            piece.request.checkpoint.resume,
            SIZE_MAX}
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
    if (!is_banded()) {
        unpack_bottom();
        check_bottom();
    }
    monitor.poll(rows() * pair_.n);
}

void SavedRows::go_below(checkpoint::Slab const & slab)
{
    last_.shape = slab.shape;
    last_.bottom = slab.bottom;
    bottom_ = {};
}

RowEnd SavedRows::best() const
{
    checkpoint::SlabShape const & shape = last_.shape;
    return names_end(shape) ? RowEnd{shape.best_score, shape.best_i, shape.best_j} : RowEnd{};
}

void SavedRows::unpack_bottom()
{
    if (bottom_.empty())
        bottom_ = reader_.bottom(last_);
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
    auto const most = path::MostSteps::of(piece_.scoring);
    std::int64_t before = mode.begins_anywhere() || mode.free_query_begin ? 0 : path::gap_score(gap, rows());
    for (RowEntry const & entry : bottom_) {
        std::int64_t const up = entry.h - before, rest = entry.h - gap.extend - entry.gap;
        if (up < -most.fall() || up > most.rise() || rest < 0 || rest > gap.open)
            throw folder_.damage("it holds scores that do not follow each other");
        before = entry.h;
    }
}

// A slab names the best end of its own rows, a file that of all rows so far.
void SavedRows::save(std::vector<checkpoint::Slab> && slabs)
{
    if (!bottom_.empty()) // the first ones of a round
        folder_.wait_until_written();
    for (checkpoint::Slab & slab : slabs) {
        checkpoint::SlabShape & shape = slab.shape;
        bool const is_whole = shape.row == rows() && shape.rows > 0 && shape.rows < pair_.m - shape.row &&
                              shape.cols == pair_.n && slab.bottom.size() == pair_.n * shape.entry_bytes;
        if (!is_whole)
            throw Error{Status::communication, "a rank sends other rows than it was asked for"};
        if (checkpoint::SlabShape const & above = last_.shape; !has_better_end(shape, above)) {
            shape.best_score = above.best_score;
            shape.best_i = above.best_i;
            shape.best_j = above.best_j;
        }
        go_below(slab);
        folder_.save(std::move(slab));
    }
}

} // namespace nwgpu::places
