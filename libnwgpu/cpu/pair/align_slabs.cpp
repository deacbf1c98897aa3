// SPDX-License-Identifier: BSD-3-Clause
#include "cpu/pair/align_slabs.hpp"

#include <algorithm>
#include <chrono>
#include <vector>

#include "cpu/pair/last_row.hpp"
#include "cpu/pair/slab_of.hpp"
#include "cpu/pair/with_field.hpp"
#include "path/end.hpp"

namespace nwgpu::cpu {

namespace {

using checkpoint::Entry;
using checkpoint::Slab;
using checkpoint::SlabShape;

constexpr std::uint64_t first_strips = 8; // a thread; the time they take tells how many the next slab may have

template <class Field>
class SlabAligner {
public:
    SlabAligner(Field const & field, PairView const & pair, Scheme const & scheme, Request const & request,
                PairPlan const & plan, Monitor & monitor) :
        field_{field},
        pair_{pair},
        scoring_{scheme.scoring()},
        gap_{scoring_.gap()},
        request_{request},
        mode_{request.mode},
        plan_{plan},
        monitor_{monitor},
        reader_{pair, scoring_, mode_},
        folder_{request.checkpoint.folder, {pair, scoring_, mode_}, request.checkpoint.resume},
        needs_tiles_{request.output >= (mode_.ends_anywhere() ? Output::end : Output::span)}
    {}

    PairResult align()
    {
        take_over();
        std::uint64_t strips = first_strips * static_cast<std::uint64_t>(plan_.threads);
        for (std::uint64_t row = shape_.end(); row < pair_.m; row = shape_.end()) {
            auto const begin = std::chrono::steady_clock::now();
            std::uint64_t const rows = plan_.slab_rows ? plan_.slab_rows : strips * field_.strip_rows();
            // What another engine began in a band is finished in it, in one go.
            sweep(row, shape_.band.everything() ? std::min(rows, pair_.m - row) : pair_.m - row);
            std::chrono::duration<double> const seconds = std::chrono::steady_clock::now() - begin;
            double const times = std::clamp(request_.checkpoint.seconds / (seconds.count() + 1e-6), 1.0, 1e3);
            strips = static_cast<std::uint64_t>(static_cast<double>(strips) * times);
        }
        if (mode_.may_be_empty() && result_.score == 0)
            result_.span = empty_span(pair_.m, pair_.n, mode_);
        else if (request_.output >= Output::span && result_.score >= request_.min_score)
            walk();
        folder_.clear();
        return std::move(result_);
    }

private:
    using Cell = typename Field::Cell;

    std::int64_t border(std::uint64_t length, bool free) const
    {
        return mode_.begins_anywhere() || free ? 0 : path::gap_score(gap_, length);
    }
    PathFinder<Field> path_finder(Band const & band) const
    {
        return {field_,  pair_,         request_.style,  mode_.begins_anywhere(),
                band,    plan_.threads, plan_.path_cuts, plan_.max_trace_bytes,
                monitor_};
    }

    // The slabs of an earlier run.
    void take_over()
    {
        if (needs_tiles_)
            folder_.require_tiles();
        if (folder_.count() == 0) {
            start_ = reader_.below(nullptr);
            return;
        }
        auto const last = folder_.load(folder_.count() - 1);
        shape_ = last->shape;
        start_ = checked(field_, reader_.below(last.get()), gap_, folder_);
        monitor_.poll(shape_.end() * pair_.n);
    }

    void sweep(std::uint64_t row, std::uint64_t rows)
    {
        region_ = {row, row + rows, 0, pair_.n};
        std::vector<Entry> const left_entries(start_.left.begin(), start_.left.begin() + static_cast<long>(rows));
        Boundary<Cell> top = to_border(field_, start_.top, start_.corner, gap_),
                       left = to_border(field_, left_entries, start_.corner, gap_);
        PathFinder<Field> finder = path_finder(shape_.band);
        SweepJob<Field> sweep = finder.job(region_);
        sweep.top = top.view();
        sweep.left = left.view();
        sweep.corner = start_.corner;
        sweep.use(plan_);
        grid_ = {};
        if (needs_tiles_) {
            GridShape const shape = grid_shape(field_, {0, pair_.m, 0, pair_.n}, plan_.cuts, narrowest_block(field_));
            grid_ = {field_.kept_code(), shape, region_, field_.strip_rows(), Band{}};
            sweep.keep = &grid_;
        }
        Sweep<Field>{field_, sweep}.run();

        shape_.row = row;
        shape_.rows = rows;
        shape_.cols = pair_.n;
        shape_.tile_rows = needs_tiles_ ? grid_.shape.strips_apart * field_.strip_rows() : 0;
        shape_.tile_cols = needs_tiles_ ? grid_.shape.cols_apart : 0;
        shape_.strip_rows = field_.strip_rows();
        shape_.entry_bytes = path::keeps_in_32_bits(scoring_, pair_.m, pair_.n) ? sizeof(path::Kept<std::int32_t>)
                                                                                : sizeof(path::Kept<std::int64_t>);
        if (mode_.ends_anywhere())
            note_best(finder, sweep.best);
        else if (mode_.free_query_end)
            note_last_column(sweep.left);
        if (shape_.end() == pair_.m) {
            find_end(sweep);
            return;
        }
        Slab slab = pack(sweep.top);
        start_ = reader_.below(&slab);
        folder_.save(std::move(slab));
        if (plan_.most_slabs > 0 && ++saved_ == plan_.most_slabs)
            throw Error{Status::cancelled, "stopped after so many slabs"};
    }

    void note_best(PathFinder<Field> & finder, TileBest const & best)
    {
        if (best.score <= 0 || best.score < shape_.best_score)
            return;
        path::Cursor end;
        if (needs_tiles_)
            end = finder.walk_from_best(region_, grid_, best, false);
        if (best.score > shape_.best_score || end.j < shape_.best_j)
            note(best.score, end.i, end.j);
    }
    void note(std::int64_t score, std::uint64_t i, std::uint64_t j)
    {
        shape_.best_score = score;
        shape_.best_i = i;
        shape_.best_j = j;
    }

    // All but the matrix's last cell.
    void note_last_column(BoundaryView<Cell> right)
    {
        std::int64_t score = start_.top[pair_.n - 1].h;
        for (std::uint64_t i = region_.row_begin + 1; i <= region_.row_end && i < pair_.m; ++i) {
            score = field_.next_score(score, right.first[i - region_.row_begin - 1]);
            if (shape_.best_i == 0 || score > shape_.best_score)
                note(score, i, pair_.n);
        }
    }

    // After the last slab: score and end.
    void find_end(SweepJob<Field> const & sweep)
    {
        std::uint64_t const m = pair_.m, n = pair_.n;
        if (mode_.ends_anywhere()) {
            result_.score = shape_.best_score;
            result_.span.query_end = shape_.best_i;
            result_.span.target_end = shape_.best_j;
            return;
        }
        if (!shape_.band.everything()) {
            result_.score = start_.corner + sweep.end_score;
            result_.span.query_end = m;
            result_.span.target_end = n;
            return;
        }
        path::BestEnd best{result_};
        std::int64_t const corner =
            consider_last_row(field_, sweep.top, pair_, mode_, border(m, mode_.free_query_begin), best);
        if (mode_.free_query_end) {
            best.consider(border(n, mode_.free_target_begin), 0, n);
            if (shape_.best_i > 0)
                best.consider(shape_.best_score, shape_.best_i, n);
        }
        best.consider(corner, m, n);
    }

    // The region that was swept last.
    Slab pack(BoundaryView<Cell> bottom) const
    {
        std::vector<std::int64_t> corners;
        for (std::uint64_t k = 1; k < grid_.col_cuts.size(); ++k)
            corners.push_back(start_.top[k * shape_.tile_cols - 1].h);
        return slab_of(field_, reader_, shape_, grid_, bottom, corners, gap_,
                       [&](std::uint64_t row) { return border(row, mode_.free_query_begin); });
    }

    void walk()
    {
        PathFinder<Field> last = path_finder(shape_.band), finder = path_finder({});
        finder.cursor = {result_.span.query_end, result_.span.target_end};
        if (finder.cursor.i > region_.row_begin) {
            std::swap(last.cursor, finder.cursor);
            last.walk_grid(region_, grid_);
            finder.cursor = last.cursor;
            finder.cigar = std::move(last.cigar);
        }
        walk_slabs(field_, reader_, gap_, folder_, finder);
        path::finish(mode_, finder.cursor, finder.cigar, result_);
    }

    Field const & field_;
    PairView const pair_;
    Scoring const & scoring_;
    GapCost const gap_;
    Request const & request_;
    Mode const mode_;
    PairPlan const & plan_;
    Monitor & monitor_;
    checkpoint::SlabReader const reader_;
    checkpoint::Folder folder_;
    bool const needs_tiles_;

    SlabShape shape_;            // of the slab that was swept last
    checkpoint::SlabTile start_; // what it, or the next one, begins with
    Region region_;
    Grid grid_;
    PairResult result_;
    std::uint64_t saved_ = 0; // by this call
};

} // namespace

WalkedRows walk_saved(PairView const & pair, Scheme const & scheme, KernelTable const & kernels,
                      Request const & request, PairPlan const & plan, checkpoint::Folder & folder,
                      path::Cursor const & from, Monitor & monitor)
{
    return with_field(plan, scheme, kernels, request.mode, [&](auto const & field) {
        PathFinder<std::decay_t<decltype(field)>> finder{
            field,  pair,         request.style,  request.mode.begins_anywhere(),
            {},     plan.threads, plan.path_cuts, plan.max_trace_bytes,
            monitor};
        finder.cursor = from;
        walk_slabs(field, {pair, scheme.scoring(), request.mode}, scheme.scoring().gap(), folder, finder);
        WalkedRows walked{from, finder.cursor, {}};
        finder.cigar.finish(walked.runs);
        return walked;
    });
}

PairResult align_slabs(PairView const & pair, Scheme const & scheme, KernelTable const & kernels,
                       Request const & request, PairPlan const & plan, Monitor & monitor)
{
    return with_field(plan, scheme, kernels, request.mode, [&](auto const & field) {
        return SlabAligner{field, pair, scheme, request, plan, monitor}.align();
    });
}

} // namespace nwgpu::cpu
