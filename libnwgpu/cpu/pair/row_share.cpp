// SPDX-License-Identifier: BSD-3-Clause
#include "cpu/pair/row_share.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "backend/monitor.hpp"
#include "base/allocated.hpp"
#include "base/rest_of_limit.hpp"
#include "cpu/pair/last_row.hpp"
#include "cpu/pair/pair_plan.hpp"
#include "cpu/pair/slab_of.hpp"
#include "cpu/pair/small_codes.hpp"
#include "cpu/pair/with_field.hpp"
#include "path/end.hpp"

namespace nwgpu::cpu {

namespace {

constexpr std::uint64_t copies_of_slabs = 4;

// What all fields need, where it does not move.
struct ShareData {
    ShareData(RowTask const & its_task, PairPlan const & its_plan) :
        task{its_task},
        plan{its_plan},
        scheme{its_task.scoring},
        small{its_plan.number_letters ? SmallCodes{its_task.pair} : SmallCodes{}},
        pair{small.made() ? small.pair() : its_task.pair}
    {}

    RowTask const task;
    PairPlan const plan;
    Scheme const scheme;
    SmallCodes const small;
    PairView const pair;
};

template <class Field>
class FieldShare final : public RowShare {
public:
    FieldShare(std::unique_ptr<ShareData const> data, Field const & field) :
        data_{std::move(data)},
        field_{field},
        gap_{data_->scheme.scoring().gap()},
        mode_{data_->task.request.mode},
        region_{0, data_->pair.m, 0, data_->pair.n}
    {}

    std::vector<SweptRows> sweep(RowLines & lines, Monitor & monitor) override
    {
        RowTask const & task = data_->task;
        PairPlan const & plan = data_->plan;
        std::uint64_t const m = region_.rows(), n = region_.cols();
        Field sweeping = field_; // blocks of the path are smaller
        sweeping.use_scan(plan.strips_scan);
        Boundary<Cell> top(n), left = first_left();
        SweepJob<Field> sweep = path_finder(monitor).job(region_);
        sweep.top = top.view();
        sweep.left = left.view();
        sweep.use(plan);
        if (plan.keep_grid) {
            grid_ = {field_.kept_code(), fitted_grid(sweeping), region_, field_.strip_rows(), Band{}};
            sweep.keep = &grid_;
        }
        corners_.clear();
        std::vector<RowEntry> entries;
        std::int64_t above = left_score(task.row), below = left_score(task.row + m); // before the panel
        for (std::uint64_t begin = 0, end; begin < n; begin = end) {
            end = task.panel_end(begin);
            entries.resize(end - begin);
            if (task.is_first())
                for (std::uint64_t j = begin; j < end; ++j)
                    entries[j - begin] = task.top_border(j + 1);
            else
                lines.receive(0, begin, entries);
            monitor.throw_if_stopped();
            note_corners(begin, entries);
            to_line(field_, entries, above, gap_, sweep.top + begin);
            sweep.panel_begin = begin;
            sweep.panel_end = end;
            sweep.corner = std::exchange(above, entries.back().h);
            Sweep<Field>{sweeping, sweep}.run();
            if (task.is_last())
                continue;
            for (std::uint64_t j = begin; j < end; ++j) {
                entries[j - begin] = to_entry(field_, below, sweep.top.first[j], sweep.top.second[j], gap_);
                below = entries[j - begin].h;
            }
            lines.send(0, begin, entries);
        }
        swept_ = ends(sweep, above);
        if (task.max_slab_bytes > 0)
            bottom_ = std::move(top);
        return {swept_};
    }

    WalkedRows walk(std::size_t, path::Cursor const & from, Monitor & monitor) override
    {
        PathFinder<Field> finder = path_finder(monitor);
        finder.cursor = from;
        finder.walk_grid(region_, grid_);
        return walked(finder, from);
    }
    WalkedRows walk_from_best(std::size_t, bool with_path, Monitor & monitor) override
    {
        PathFinder<Field> finder = path_finder(monitor);
        path::Cursor const end = finder.walk_from_best(region_, grid_, best_, with_path);
        return walked(finder, end);
    }

    std::vector<checkpoint::Slab> slabs(std::size_t, RowEnd const & above, Monitor & monitor) override
    {
        RowTask const & task = data_->task;
        checkpoint::SlabShape shape = slab_shape(grid_.shape);
        if (mode_.ends_anywhere())
            note_best(shape, above, monitor);
        else if (mode_.free_query_end)
            note(shape, swept_.in_last_column.score, {swept_.in_last_column.i, swept_.in_last_column.j});
        checkpoint::SlabReader const reader{data_->pair, task.scoring, mode_};
        std::vector<checkpoint::Slab> slabs;
        slabs.push_back(slab_of(field_, reader, shape, grid_, bottom_.view(), corners_, gap_,
                                [&](std::uint64_t row) { return left_score(row); }));
        return slabs;
    }

private:
    using Cell = typename Field::Cell;

    checkpoint::SlabShape slab_shape(GridShape const & grid) const
    {
        RowTask const & task = data_->task;
        checkpoint::SlabShape shape;
        shape.row = task.row;
        shape.rows = region_.rows();
        shape.cols = region_.cols();
        if (data_->plan.keep_grid) {
            shape.tile_rows = grid.strips_apart * field_.strip_rows();
            shape.tile_cols = std::min(grid.cols_apart, region_.cols());
        }
        shape.strip_rows = field_.strip_rows();
        shape.entry_bytes = path::keeps_in_32_bits(task.scoring, task.all_rows, region_.cols())
                                ? sizeof(path::Kept<std::int32_t>)
                                : sizeof(path::Kept<std::int64_t>);
        return shape;
    }
    void note(checkpoint::SlabShape & shape, std::int64_t score, path::Cursor const & end) const
    {
        shape.best_score = score;
        shape.best_i = end.i > 0 ? data_->task.row + end.i : 0;
        shape.best_j = end.j;
    }
    void note_best(checkpoint::SlabShape & shape, RowEnd const & above, Monitor & monitor) const
    {
        std::int64_t const score = swept_.anywhere.score;
        if (score <= 0 || score < above.score || (score == above.score && swept_.anywhere.j >= above.j))
            return;
        path::Cursor end; // without kept boundaries it stays unknown
        if (data_->plan.keep_grid)
            end = path_finder(monitor).walk_from_best(region_, grid_, best_, false);
        note(shape, score, end);
    }
    // The scores above kept columns, which panel after panel replaces by those below.
    void note_corners(std::uint64_t begin, std::vector<RowEntry> const & entries)
    {
        if (data_->task.max_slab_bytes == 0 || !data_->plan.keep_grid)
            return;
        std::uint64_t const apart = grid_.shape.cols_apart;
        for (std::uint64_t next = (corners_.size() + 1) * apart;
             next <= begin + entries.size() && next < region_.cols(); next += apart)
            corners_.push_back(entries[next - begin - 1].h);
    }

    std::int64_t left_score(std::uint64_t row) const { return data_->task.left_border(row).h; }
    Boundary<Cell> first_left() const
    {
        std::vector<RowEntry> entries(region_.rows());
        std::uint64_t const row = data_->task.row;
        for (std::uint64_t i = 0; i < entries.size(); ++i)
            entries[i] = data_->task.left_border(row + i + 1);
        return to_border(field_, entries, left_score(row), gap_);
    }

    // Columns are kept where panels end, so that tiles are not cut twice, and between where panels are wide; where they
    // are narrow, there are fewer of them then, in larger blocks, so not under a limit.
    GridShape fitted_grid(Field const & sweeping) const
    {
        if (data_->task.max_slab_bytes > 0)
            return saved_grid(sweeping);
        GridShape shape = grid_shape(sweeping, region_, data_->plan.cuts, narrowest_block(field_));
        if (std::uint64_t const panel = data_->task.panel_cols;
            data_->task.max_host_bytes == 0 && panel < region_.cols())
            shape.cols_apart = panel > shape.cols_apart ? ceil_div(panel, panel / shape.cols_apart)
                                                        : ceil_div(shape.cols_apart, panel) * panel;
        return shape;
    }

    // Of slabs, which are on the way for the whole matrix: as many lines as in one place.
    GridShape saved_grid(Field const & sweeping) const
    {
        for (std::uint64_t cuts = data_->plan.cuts;; cuts /= 2) {
            GridShape const shape =
                grid_shape(sweeping, {0, data_->task.all_rows, 0, region_.cols()}, cuts, narrowest_block(field_));
            if (cuts <= 1 || slab_bytes(slab_shape(shape)) <= data_->task.max_slab_bytes)
                return shape;
        }
    }
    static std::uint64_t slab_bytes(checkpoint::SlabShape const & shape)
    {
        return (shape.cols + shape.row_lines().entries + shape.col_lines().entries) * shape.entry_bytes;
    }

    // `corner`: the score above the last column.
    SweptRows ends(SweepJob<Field> const & sweep, std::int64_t corner)
    {
        RowTask const & task = data_->task;
        std::uint64_t const m = region_.rows(), n = region_.cols();
        SweptRows swept;
        if (mode_.ends_anywhere()) {
            best_ = sweep.best;
            swept.anywhere = {best_.score, 0, best_.col + 1};
            return swept;
        }
        if (mode_.free_query_end) {
            PairResult first;
            path::BestEnd best{first};
            for (std::uint64_t i = 1; i <= m && task.row + i < task.all_rows; ++i) {
                corner = field_.next_score(corner, sweep.left.first[i - 1]);
                best.consider(corner, i, n);
            }
            swept.in_last_column = {first.score, first.span.query_end, n};
        }
        if (task.is_last()) {
            PairResult first;
            path::BestEnd best{first};
            swept.corner = consider_last_row(field_, sweep.top, data_->pair, mode_, left_score(task.all_rows), best);
            swept.in_last_row = {first.score, m, first.span.target_end};
        }
        return swept;
    }

    PathFinder<Field> path_finder(Monitor & monitor) const
    {
        PairPlan const & plan = data_->plan;
        return {field_,
                data_->pair,
                data_->task.request.style,
                mode_.begins_anywhere(),
                Band{},
                plan.threads,
                plan.path_cuts,
                plan.max_trace_bytes,
                monitor};
    }
    static WalkedRows walked(PathFinder<Field> & finder, path::Cursor const & end)
    {
        WalkedRows walked{end, finder.cursor, {}};
        finder.cigar.finish(walked.runs);
        return walked;
    }

    std::unique_ptr<ShareData const> const data_;
    Field const field_;
    GapCost const gap_;
    Mode const mode_;
    Region const region_;
    Grid grid_;
    TileBest best_;
    SweptRows swept_;
    // For slabs().
    Boundary<Cell> bottom_;
    std::vector<std::int64_t> corners_;
};

// Of a panel, going in and out, and of those on their way; the left boundary while it is made.  Of slabs, where they
// are made, in a message, and where that is sent.
std::uint64_t line_bytes(RowTask const & task)
{
    return allocated(sizeof(RowEntry) * (3 * task.pair.n + task.pair.m), 8) +
           (task.max_slab_bytes == UINT64_MAX ? 0 : copies_of_slabs * task.max_slab_bytes);
}

} // namespace

std::unique_ptr<RowShare> make_row_share(RowTask const & task, KernelTable const & kernels, int threads,
                                         Tuning const & tuning)
{
    if (task.part_count() > 1) // dealt out for a GPU that is not there
        throw Error{Status::out_of_device_memory, "the CPU takes neighbouring rows alone"};
    PairPlan const plan = [&] {
        Scheme const scheme{task.scoring};
        // The tiles of slabs are those of the whole matrix.
        std::uint64_t const rows = task.max_slab_bytes > 0 ? task.all_rows : task.pair.m;
        return plan_pair(rows, task.pair.n, scheme, kernels, task.request, threads,
                         rest_of_limit(task.max_host_bytes, line_bytes(task)), tuning, true);
    }();
    auto data = std::make_unique<ShareData const>(task, plan);
    ShareData const & at = *data;
    return with_field(plan, at.scheme, kernels, task.request.mode, [&](auto field) -> std::unique_ptr<RowShare> {
        if (at.small.made())
            field.use_small_codes();
        return std::make_unique<FieldShare<decltype(field)>>(std::move(data), field);
    });
}

} // namespace nwgpu::cpu
