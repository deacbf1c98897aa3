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
    take(*folder_.load(folder_.count() - 1));
    if (!is_banded())
        check_bottom();
    monitor.poll(rows() * pair_.n);
}

void SavedRows::take(checkpoint::Slab const & slab)
{
    last_ = slab.shape;
    bottom_ = slab.bottom;
    if (last_.best_i > 0 || last_.best_score > 0)
        best_ = {last_.best_score, last_.best_i, last_.best_j};
}

void SavedRows::bottom(std::uint64_t begin, std::span<RowEntry> to) const
{
    for (std::uint64_t k = 0; k < to.size(); ++k)
        to[k] = reader_.load(bottom_, begin + k, last_);
}

// Engines compute with differences of neighbouring scores, whatever another program may have written.
void SavedRows::check_bottom() const
{
    GapCost const gap = piece_.scoring.gap();
    Mode const & mode = piece_.request.mode;
    std::int64_t const step = gap.open + gap.extend,
                       most = std::max<std::int64_t>(0, piece_.scoring.max_score()) + step;
    std::int64_t before = mode.begins_anywhere() || mode.free_query_begin ? 0 : path::gap_score(gap, rows());
    for (std::uint64_t j = 0; j < pair_.n; ++j) {
        checkpoint::Entry const entry = reader_.load(bottom_, j, last_);
        std::int64_t const up = entry.h - before, rest = entry.h - gap.extend - entry.gap;
        if (up < -step || up > most || rest < 0 || rest > gap.open)
            throw folder_.damage("it holds scores that do not follow each other");
        before = entry.h;
    }
}

// A slab names the best end of its own rows, a file that of all rows so far, by the tie rule: smallest column, then
// row.
void SavedRows::note_best(checkpoint::SlabShape & shape)
{
    bool const anywhere = piece_.request.mode.ends_anywhere(),
               is_there = anywhere ? shape.best_score > 0 : shape.best_i > 0;
    bool const is_better =
        shape.best_score > best_.score || (anywhere && shape.best_score == best_.score && shape.best_j < best_.j);
    if (is_there && is_better)
        best_ = {shape.best_score, shape.best_i, shape.best_j};
    if (best_.score == INT64_MIN)
        return;
    shape.best_score = best_.score;
    shape.best_i = best_.i;
    shape.best_j = best_.j;
}

void SavedRows::save(std::vector<checkpoint::Slab> && slabs)
{
    for (checkpoint::Slab & slab : slabs) {
        if (slab.shape.row != rows() || slab.bottom.size() != pair_.n * slab.shape.entry_bytes)
            throw Error{Status::communication, "a rank sends other rows than it was asked for"};
        note_best(slab.shape);
        take(slab);
        folder_.save(std::move(slab));
    }
}

} // namespace nwgpu::places
