// SPDX-License-Identifier: BSD-3-Clause
#include "cuda/sweep/long_pair.hpp"

#include <algorithm>
#include <cstring>

#include "backend/known_score.hpp"
#include "cuda/sweep/path_end.hpp"

namespace nwgpu::cuda {

template <class S>
LongPair<S>::LongPair(Sweeper<S> const & sweeper, Scoring const & scoring, Request const & request, Monitor & monitor,
                      DevicePair const & pair, PairPlan const & plan, Saving const & saving) :
    sweeper_{sweeper},
    scoring_{scoring},
    request_{request},
    mode_{request.mode},
    monitor_{monitor},
    pair_{pair},
    plan_{plan},
    saving_{saving},
    whole_(1, whole_matrix<S>(pair, plan.band)),
    borders_{sweeper.device(), whole_, !mode_.ends_anywhere(), mode_.free_target_end}
{
    fill_borders(sweeper.device(), whole_, mode_.begins_anywhere() || mode_.free_target_begin,
                 mode_.begins_anywhere() || mode_.free_query_begin, sweeper.args().code);
}

template <class S>
LongPair<S>::~LongPair()
{
    if (saving_.store)
        saving_.store->while_waiting({});
}

template <class S>
void LongPair<S>::align()
{
    report_while_waiting();
    std::uint64_t const m = pair_.pair.m;
    PairResult & result = *pair_.result;
    if (saving_.store && saving_.store->count() > 0) {
        shape_ = saving_.store->shape(saving_.store->count() - 1);
        set_top(saving_.store->load(saving_.store->count() - 1)->bottom, shape_.end());
        monitor_.poll(shape_.end() * pair_.pair.n);
    }
    for (std::uint64_t row = shape_.end(); row < m; row = shape_.end())
        sweep(row, saving_.store ? std::min(saving_.slab_rows, m - row) : m);

    if (mode_.ends_anywhere()) {
        check_known_score(shape_.best_score, plan_.known_score);
        result.score = shape_.best_score;
        result.span.query_end = shape_.best_i;
        result.span.target_end = shape_.best_j;
    } else {
        find_end(last_, mode_, scoring_.gap(), pair_.pair, result);
    }
    if (mode_.may_be_empty() && result.score == 0) {
        result.span = empty_span(m, pair_.pair.n, mode_);
        return;
    }
    if (request_.output < Output::span || result.score < request_.min_score)
        return;
    path::Cursor cursor{result.span.query_end, result.span.target_end};
    CigarBuilder cigar;
    walk(cursor, cigar);
    path::finish(mode_, cursor, cigar, result);
}

template <class S>
WalkedRows LongPair<S>::walk_saved(path::Cursor const & from)
{
    report_while_waiting();
    WalkedRows walked{from, from, {}};
    CigarBuilder cigar;
    walk(walked.begin, cigar);
    cigar.finish(walked.runs);
    return walked;
}

template <class S>
void LongPair<S>::report_while_waiting()
{
    if (saving_.store)
        saving_.store->while_waiting([this] {
            monitor_.poll(0);
            monitor_.throw_if_stopped();
        });
}

template <class S>
Tile<S> LongPair<S>::slab_tile(std::uint64_t row, std::uint64_t rows) const
{
    return {row, 0, rows, pair_.pair.n, row == 0 ? whole_[0].top : top_.data(), whole_[0].left + row};
}

template <class S>
void LongPair<S>::sweep(std::uint64_t row, std::uint64_t rows)
{
    std::uint64_t const m = pair_.pair.m, n = pair_.pair.n;
    bool const is_last = row + rows == m;
    shape_.row = row;
    shape_.rows = rows;
    shape_.cols = n;
    shape_.tile_rows = plan_.levels.empty() ? 0 : plan_.levels[0].tile_rows;
    shape_.tile_cols = plan_.levels.empty() ? 0 : plan_.levels[0].tile_cols;
    shape_.strip_rows = plan_.sweep.strip_rows;
    shape_.band = plan_.band;
    shape_.entry_bytes = sizeof(Kept<S>);

    slab_.reset(); // its memory first
    Tile<S> const tile = slab_tile(row, rows);
    slab_.emplace(sweeper_.device(), tile, shape_.tile_rows ? shape_.tile_rows : rows,
                  shape_.tile_cols ? shape_.tile_cols : n, shape_.strip_rows, plan_.band);
    SweepJob<S> job = whole_[0];
    job.query += row;
    job.rows = static_cast<std::uint32_t>(rows);
    job.rows_after = static_cast<std::uint32_t>(m - row - rows);
    job.top = tile.top;
    job.left = tile.left;
    path::Band const band = plan_.band.from(row, 0);
    job.band_low = band.low;
    job.band_high = band.high;
    if (!is_last)
        job.bottom = nullptr;
    if (job.right && (is_last || mode_.free_query_end)) {
        job.right += row;
        job.right_from = mode_.free_query_end ? 0 : static_cast<std::uint32_t>((rows - 1) / shape_.strip_rows);
    } else {
        job.right = nullptr;
    }
    slab_->describe(job);

    std::vector<WrittenBottom> bottoms;
    Skipping<S> skipping{.best = static_cast<S>(std::max(shape_.best_score, plan_.known_score)),
                         .top_end = top_end_,
                         .bottoms = is_last ? nullptr : &bottoms};
    if (plan_.sweep.skip)
        slab_->fill(sweeper_.args().code.keep(0));
    std::vector<std::vector<StripBest<S>>> best;
    sweeper_.run(sweeper_.kernel(plan_.sweep.rows_per_half), {job}, plan_.sweep, monitor_, rows * n,
                 mode_.ends_anywhere() ? &best : nullptr, plan_.sweep.skip ? &skipping : nullptr);
    if (mode_.ends_anywhere())
        note_best_cell(best[0]);
    else if (job.right)
        note_last_column(find_last_cells(sweeper_.device(), std::vector{job}, sweeper_.args().code)[0]);
    if (!is_last)
        save(bottoms.empty() ? WrittenBottom{} : bottoms[0]);
}

template <class S>
void LongPair<S>::note_best_cell(std::vector<StripBest<S>> const & strips)
{
    if (strips.empty() || strips.front().score < shape_.best_score)
        return;
    path::Cursor end{};
    if (plan_.sweep.rows_per_half == 0) {
        end = first_of(strips);
        end.i += shape_.row;
    } else if (!plan_.levels.empty()) {
        end = path_finder().find_best(*slab_, strips);
    }
    if (strips.front().score > shape_.best_score || end.j < shape_.best_j) {
        shape_.best_score = strips.front().score;
        shape_.best_i = end.i;
        shape_.best_j = end.j;
    }
}

template <class S>
void LongPair<S>::note_last_column(LastCells const & last)
{
    bool const is_last = shape_.end() == pair_.pair.m;
    auto const consider = [&](std::int64_t score, std::uint64_t i) {
        if (shape_.best_i == 0 || score > shape_.best_score) {
            shape_.best_score = score;
            shape_.best_i = i;
            shape_.best_j = pair_.pair.n;
        }
    };
    if (mode_.free_query_end) {
        if (shape_.rows > 1)
            consider(last.right.score, shape_.row + last.right.index + 1);
        if (!is_last)
            consider(last.corner, shape_.end());
    }
    last_ = last;
    last_.right = {shape_.best_score, shape_.best_i - 1};
}

template <class S>
void LongPair<S>::save(WrittenBottom const & written)
{
    checkpoint::Slab slab;
    slab.shape = shape_;
    slab_->save(slab, written, sweeper_, monitor_);
    set_top(slab.bottom, shape_.end());
    saving_.store->save(std::move(slab));
    if (saving_.most_slabs > 0 && ++saved_ == saving_.most_slabs)
        throw Error{Status::cancelled, "stopped after so many slabs"};
}

template <class S>
void LongPair<S>::set_top(checkpoint::Bytes const & bottom, std::uint64_t row)
{
    KeptCode<S> const & code = sweeper_.args().code;
    std::vector<Kept<S>> top(pair_.pair.n);
    std::memcpy(top.data(), bottom.data(), bottom.size());
    if (!plan_.band.everything()) { // the next strip reaches further: a gap along the band's edge
        auto const end = plan_.band.columns(row, row, 0, top.size()).second;
        S const from = end > 0 ? code.show(top[end - 1]).h : 0;
        for (std::uint64_t col = end; end > 0 && col < top.size(); ++col) {
            S const h = from - code.open - static_cast<S>(col + 1 - end) * code.extend;
            top[col] = code.keep(h);
        }
    }
    top_end_ = 0;
    for (std::uint32_t col = 0; mode_.local && col < top.size(); ++col)
        if (code.show(top[col]).h > 0)
            top_end_ = col + 1;
    top_ = {}; // its memory first
    top_ = DeviceArray<Kept<S>>{sweeper_.device(), top};
}

template <class S>
CutTile<S> LongPair<S>::load(checkpoint::Slab const & slab, checkpoint::Slab const * above)
{
    checkpoint::SlabShape const & shape = slab.shape;
    if (above)
        set_top(above->bottom, shape.row);
    CutTile<S> tile{sweeper_.device(), slab_tile(shape.row, shape.rows),
                    shape.tile_rows,   shape.tile_cols,
                    shape.strip_rows,  shape.band};
    tile.load(slab, monitor_);
    return tile;
}

template <class S>
void LongPair<S>::walk(path::Cursor & cursor, CigarBuilder & cigar)
{
    PathFinder<S> finder = path_finder();
    if (slab_ && cursor.i > shape_.row)
        finder.walk(std::move(*slab_), cursor, cigar);
    slab_.reset();
    auto const row = [&] { return cursor.stopped || cursor.j == 0 ? 0 : cursor.i; };
    if (saving_.store)
        saving_.store->visit_back(row, [&](checkpoint::Slab const & slab, checkpoint::Slab const * above) {
            finder.walk(load(slab, above), cursor, cigar);
        });
}

template class LongPair<std::int32_t>;
template class LongPair<std::int64_t>;

} // namespace nwgpu::cuda
