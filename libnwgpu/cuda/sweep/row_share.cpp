// SPDX-License-Identifier: BSD-3-Clause
#include "cuda/sweep/row_share.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <utility>
#include <vector>

#include "base/allocated.hpp"
#include "base/rest_of_limit.hpp"
#include "cuda/device/pinned_copy.hpp"
#include "cuda/kernels/letters.hpp"
#include "cuda/plan/facts.hpp"
#include "cuda/sweep/line_pump.hpp"
#include "cuda/sweep/path_end.hpp"
#include "cuda/sweep/path_finder.hpp"

namespace nwgpu::cuda {

namespace {

constexpr std::uint64_t plain_strip_rows = trace_strip_rows;
// Of the packed kernel that long pairs are quickest with.
constexpr int usual_rows_per_half = 37;
// What it takes the host to carry a panel, in columns.
constexpr std::uint64_t panel_cost_cols = 50;
// Of slabs: where they are made, in a message, and where that is sent.
constexpr std::uint64_t copies_of_slabs = 3;

// Letters, numbered and on the device, and the score table: what a share's sweeps and walks read.
struct ShareData {
    ShareData(Device & its_device, RowTask const & its_task, Tuning const & tuning) :
        device{its_device},
        task{its_task},
        table{its_task.pair, its_task.scoring},
        query{its_device, its_task.pair.m},
        target{its_device, its_task.pair.n},
        scores{its_device, table.scores},
        wide{tuning.width == 64 || !path::keeps_in_32_bits(task.scoring, task.all_rows, task.pair.n)}
    {
        upload_letters(device, query.data(), task.pair.query, task.pair.m, table.query_map);
        upload_letters(device, target.data(), task.pair.target, task.pair.n, table.target_map);
    }

    Device & device;
    RowTask const task;
    ScoreTable const table;
    DeviceArray<std::uint8_t> const query, target;
    DeviceArray<std::int32_t> const scores;
    bool const wide; // 64-bit scores, which are those of the matrix
};

// Of lines on their way; of borders and of what is read back of the last row and column, one at a time.
std::uint64_t line_bytes(RowTask const & task)
{
    std::uint64_t const pump = LinePump<std::int64_t>::bytes(task);
    return allocated(pump + 2 * sizeof(Kept<std::int64_t>) * std::max(task.pair.n, task.pair.m + 1), 8) +
           (task.max_slab_bytes == UINT64_MAX ? 0 : copies_of_slabs * task.max_slab_bytes);
}

// Throws Error memory_limit.
void check_slabs(RowTask const & task, PairPlan const & plan, PairFacts const & facts)
{
    std::uint64_t bytes = 0;
    for (std::size_t k = 0; k < task.part_count(); ++k)
        bytes += plan.levels.empty() ? kept_entry(facts) * task.pair.n
                                     : cut_bytes(task.part(k).rows, task.pair.n, plan.levels[0],
                                                 {{}, plan.sweep.strip_rows}, kept_entry(facts));
    if (bytes > task.max_slab_bytes)
        throw Error{Status::memory_limit, "slabs of " + std::to_string(bytes) + " bytes are to be saved at a time, " +
                                              std::to_string(task.max_slab_bytes) + " may be"};
}

PairPlan plan_share(ShareData const & data, Tuning const & tuning)
{
    RowTask const & task = data.task;
    PairView const & pair = task.pair;
    PairFacts facts = facts_of(pair, data.table, task.scoring, task.request, tuning);
    facts.wide = data.wide;
    know_score(facts, task.known_score, task.all_rows, pair.n, task.scoring);
    facts.m = 0;
    facts.parts = task.part_count();
    for (std::size_t k = 0; k < facts.parts; ++k) {
        facts.m += task.part(k).rows;
        if (!task.is_last(k))
            facts.unit_rows = std::gcd(facts.unit_rows, task.part(k).rows);
    }
    facts.rows_between = pair.m - facts.m;
    facts.saved_rows = task.max_slab_bytes > 0 ? task.all_rows : 0;
    PairPlan plan =
        plan_pair(facts, device_facts(data.device, task.max_host_bytes == 0
                                                       ? UINT64_MAX
                                                       : rest_of_limit(task.max_host_bytes, line_bytes(task))));
    if (facts.unit_rows % plan.sweep.strip_rows != 0)
        throw Error{Status::unsupported, "a part of " + std::to_string(task.part(0).rows) +
                                             " rows does not end where a strip of a kernel does"};
    if (task.max_slab_bytes > 0)
        check_slabs(task, plan, facts);
    return plan;
}

template <class S>
class DeviceShare final : public RowShare {
public:
    DeviceShare(std::unique_ptr<ShareData const> data, PairPlan const & plan) :
        data_{std::move(data)},
        task_{data_->task},
        pair_{task_.pair},
        mode_{task_.request.mode},
        plan_{plan},
        sweeper_{data_->device, sweep_args<S>(task_.scoring, mode_, data_->scores.data(), data_->table.target_letters)},
        code_{sweeper_.args().code},
        left_{data_->device, left_border()},
        ends_(task_.part_count())
    {
        for (std::size_t k = 0; k < task_.part_count(); ++k)
            parts_.push_back(make_part(k));
        LinePump<S>::prepare(data_->device, task_);
    }

    std::vector<SweptRows> sweep(RowLines & lines, Monitor & monitor) override
    {
        std::vector<SweepJob<S>> jobs;
        std::vector<Kept<S> *> tops;
        std::uint64_t cells = 0;
        for (std::size_t k = 0; k < parts_.size(); ++k) {
            jobs.push_back(job(k));
            tops.push_back(parts_[k].top.data());
            cells += jobs.back().rows * pair_.n;
            if (plan_.sweep.skip)
                parts_[k].tile.fill(code_.keep(0));
        }
        std::vector<std::vector<StripBest<S>>> best(parts_.size());
        Skipping<S> skipping{.best = static_cast<S>(plan_.known_score),
                             .top_end = 0,
                             .bottoms = task_.max_slab_bytes > 0 ? &bottoms_ : nullptr};
        LinePump<S> pump{data_->device, task_, std::move(tops), lines, monitor};
        sweeper_.run(sweeper_.kernel(plan_.sweep.rows_per_half), jobs, plan_.sweep, monitor, cells,
                     mode_.ends_anywhere() ? &best : nullptr, plan_.sweep.skip ? &skipping : nullptr, &pump);
        swept_.assign(parts_.size(), {});
        if (mode_.ends_anywhere())
            note_best(best, monitor);
        else
            for (std::size_t k = 0; k < parts_.size(); ++k)
                note_last(swept_[k], k, monitor);
        return swept_;
    }

    WalkedRows walk(std::size_t part, path::Cursor const & from, Monitor & monitor) override
    {
        std::uint64_t const row = task_.part(part).row;
        path::Cursor cursor = from;
        cursor.i += row;
        CigarBuilder cigar;
        path_finder(monitor).walk(std::move(parts_[part].tile), cursor, cigar);
        cursor.i -= row;
        WalkedRows walked{from, cursor, {}};
        cigar.finish(walked.runs);
        return walked;
    }
    WalkedRows walk_from_best(std::size_t part, bool with_path, Monitor & monitor) override
    {
        path::Cursor const & end = ends_[part];
        return with_path ? walk(part, end, monitor) : WalkedRows{end, end, {}};
    }

    std::vector<checkpoint::Slab> slabs(std::size_t part, RowEnd const & above, Monitor & monitor) override
    {
        std::vector<checkpoint::Slab> slabs(1);
        checkpoint::Slab & slab = slabs.front();
        slab.shape = slab_shape(part);
        if (mode_.ends_anywhere())
            note(slab.shape, {swept_[part].anywhere.score, ends_[part].i, ends_[part].j}, above);
        else if (mode_.free_query_end)
            note(slab.shape, swept_[part].in_last_column, {});
        parts_[part].tile.save(slab, bottoms_.empty() ? WrittenBottom{} : bottoms_[part], sweeper_, monitor);
        return slabs;
    }

private:
    struct Part {
        DeviceArray<Kept<S>> top, right; // the latter from the corner above it on, where the last column is asked for
        DeviceArray<S> last_row;         // where it is asked for
        CutTile<S> tile;
    };

    Kept<S> keep(RowEntry const & entry) const
    {
        return code_.keep(Entry<S>{static_cast<S>(entry.h), static_cast<S>(entry.gap)});
    }
    std::vector<Kept<S>> left_border() const // from the corner on
    {
        std::vector<Kept<S>> line(pair_.m + 1);
        for (std::uint64_t i = 0; i <= pair_.m; ++i)
            line[i] = keep(task_.left_border(task_.row + i));
        return line;
    }
    std::vector<Kept<S>> top_border() const
    {
        std::vector<Kept<S>> line(pair_.n);
        for (std::uint64_t j = 0; j < pair_.n; ++j)
            line[j] = keep(task_.top_border(j + 1));
        return line;
    }

    Part make_part(std::size_t k) const
    {
        Device & device = data_->device;
        RowRange const range = task_.part(k);
        std::uint64_t const n = pair_.n;
        bool const has_path = !plan_.levels.empty(),
                   ends_right = !mode_.ends_anywhere() && (mode_.free_query_end || task_.is_last(k));
        DeviceArray<Kept<S>> top =
            task_.is_first(k) ? DeviceArray<Kept<S>>{device, top_border()} : DeviceArray<Kept<S>>{device, n};
        Tile<S> const whole{range.row, 0, range.rows, n, top.data(), left_.data() + 1 + range.row};
        return {std::move(top),
                {device, ends_right ? range.rows + 1 : 0},
                {device, task_.is_last(k) && mode_.free_target_end ? n : 0},
                {device, whole, has_path ? plan_.levels[0].tile_rows : range.rows,
                 has_path ? plan_.levels[0].tile_cols : n, plan_.sweep.strip_rows, path::Band{}}};
    }

    SweepJob<S> job(std::size_t k) const
    {
        Part const & part = parts_[k];
        Tile<S> const & whole = part.tile.whole();
        SweepJob<S> job;
        job.query = data_->query.data() + whole.row;
        job.target = data_->target.data();
        job.rows = static_cast<std::uint32_t>(whole.rows);
        job.cols = static_cast<std::uint32_t>(whole.cols);
        job.top_comes = !task_.is_first(k);
        job.rows_after = static_cast<std::uint32_t>(task_.all_rows - task_.row - whole.row - whole.rows);
        job.top = whole.top;
        job.left = whole.left;
        part.tile.describe(job);
        if (part.right.size() > 0) {
            job.right = part.right.data() + 1;
            job.right_from =
                mode_.free_query_end ? 0 : static_cast<std::uint32_t>((whole.rows - 1) / plan_.sweep.strip_rows);
        }
        job.bottom = part.last_row.size() > 0 ? part.last_row.data() : nullptr;
        return job;
    }

    checkpoint::SlabShape slab_shape(std::size_t part) const
    {
        RowRange const range = task_.part(part);
        checkpoint::SlabShape shape;
        shape.row = task_.row + range.row;
        shape.rows = range.rows;
        shape.cols = pair_.n;
        if (!plan_.levels.empty()) {
            shape.tile_rows = plan_.levels[0].tile_rows;
            shape.tile_cols = plan_.levels[0].tile_cols;
        }
        shape.strip_rows = plan_.sweep.strip_rows;
        shape.entry_bytes = sizeof(Kept<S>);
        return shape;
    }
    // Where its cell is not known another part has a better one, or nobody asks for it.
    void note(checkpoint::SlabShape & shape, RowEnd const & end, RowEnd const & above) const
    {
        bool const is_known = end.i > 0 || plan_.levels.empty();
        if (end.score == INT64_MIN || !is_known || (mode_.ends_anywhere() && !goes_before(end, above)))
            return;
        shape.best_score = end.score;
        shape.best_i = end.i > 0 ? shape.row + end.i : 0;
        shape.best_j = end.j;
    }

    // Where paths end anywhere.  Packed kernels know about where a part's best cell is: it is looked for in the parts
    // that have the best score of all.
    void note_best(std::vector<std::vector<StripBest<S>>> const & best, Monitor & monitor)
    {
        S most = 0; // of an empty path
        for (auto const & strips : best)
            most = strips.empty() ? most : std::max(most, strips.front().score);
        for (std::size_t k = 0; k < best.size(); ++k) {
            S const score = best[k].empty() ? 0 : best[k].front().score;
            if (score > 0 && plan_.sweep.rows_per_half == 0) {
                ends_[k] = first_of(best[k]);
            } else if (score > 0 && score == most && !plan_.levels.empty()) { // else only the score is asked for
                ends_[k] = path_finder(monitor).find_best(parts_[k].tile, best[k]);
                ends_[k].i -= task_.part(k).row;
            }
            swept_[k].anywhere = {score, 0, ends_[k].j};
        }
    }

    void note_last(SweptRows & swept, std::size_t k, Monitor & monitor) const
    {
        RowRange const range = task_.part(k);
        Part const & part = parts_[k];
        if (part.last_row.size() > 0)
            note_last_row(swept, range.rows, part.last_row);
        if (part.right.size() > 0)
            note_last_column(swept, k, monitor);
    }

    // But for its last column.
    void note_last_row(SweptRows & swept, std::uint64_t rows, DeviceArray<S> const & scores) const
    {
        swept.in_last_row = {task_.left_border(task_.all_rows).h, rows, 0};
        std::vector<S> row(scores.size());
        data_->device.download(row.data(), scores.data(), scores.bytes());
        for (std::uint64_t j = 1; j < row.size(); ++j)
            if (row[j - 1] > swept.in_last_row.score)
                swept.in_last_row = {row[j - 1], rows, j};
    }

    void note_last_column(SweptRows & swept, std::size_t k, Monitor & monitor) const
    {
        RowRange const range = task_.part(k);
        DeviceArray<Kept<S>> const & right = parts_[k].right;
        checkpoint::Bytes const bytes = fetch(data_->device, right.data(), right.bytes(), monitor);
        auto const score = [&](std::uint64_t i) {
            Kept<S> kept;
            std::memcpy(&kept, bytes.data() + i * sizeof kept, sizeof kept);
            return std::int64_t{code_.show(kept).h};
        };
        for (std::uint64_t i = 1; mode_.free_query_end && i <= range.rows; ++i)
            if (std::int64_t const h = score(i);
                task_.row + range.row + i < task_.all_rows && h > swept.in_last_column.score)
                swept.in_last_column = {h, i, pair_.n};
        if (task_.is_last(k))
            swept.corner = score(range.rows);
    }

    PathFinder<S> path_finder(Monitor & monitor) const
    {
        return {sweeper_, plan_, pair_, task_.request, data_->query.data(), data_->target.data(), monitor};
    }

    std::unique_ptr<ShareData const> const data_;
    RowTask const & task_;
    PairView const pair_;
    Mode const mode_;
    PairPlan const plan_;
    Sweeper<S> const sweeper_;
    KeptCode<S> const code_;
    DeviceArray<Kept<S>> const left_;
    std::vector<Part> parts_;
    std::vector<path::Cursor> ends_; // of parts, where SweptRows::anywhere has them, in their own rows
    std::vector<SweptRows> swept_;
    std::vector<WrittenBottom> bottoms_; // of parts, where cells are skipped and slabs asked for
};

} // namespace

RowPace share_pace(int multiprocessors, Tuning const & tuning, std::uint64_t rows, bool linear)
{
    // Every scheduler has a warp with a strip.
    double const warps = 4.0 * multiprocessors;
    PairFacts usual;
    usual.mode.local = true;
    usual.linear = linear;
    auto const seconds = [&](int half) { // of a column of all rows: a round that is not full takes as long as another
        double const strips = static_cast<double>(rows) / packed_shape(half).strip_rows;
        return std::ceil(strips / warps) * hopper.step_seconds(half, usual, 1);
    };
    int half = tuning.rows_per_half > 0 ? tuning.rows_per_half : usual_rows_per_half;
    for (int const other : packed_rows)
        if (tuning.rows_per_half == 0 && (linear || other <= most_affine_rows) && seconds(other) < seconds(half))
            half = other;
    std::uint64_t const strip_rows = packed_shape(half).strip_rows;
    RowPace pace;
    pace.unit_rows = std::lcm(plain_strip_rows, tuning.rows_per_half < 0 ? 1 : strip_rows);
    pace.rows_at_once = static_cast<std::uint64_t>(warps) * strip_rows;
    pace.least_rows = pace.rows_at_once / 2; // in strips that are less high, so that all warps have some
    pace.cells_per_second = warps * static_cast<double>(strip_rows) / hopper.step_seconds(half, usual, 1);
    pace.fill_cols = panel_cost_cols;
    pace.slab_rows = pace.rows_at_once;
    return pace;
}

std::unique_ptr<RowShare> make_row_share(Device & device, RowTask const & task, Tuning const & tuning)
{
    auto data = std::make_unique<ShareData const>(device, task, tuning);
    PairPlan const plan = plan_share(*data, tuning);
    if (data->wide)
        return std::make_unique<DeviceShare<std::int64_t>>(std::move(data), plan);
    return std::make_unique<DeviceShare<std::int32_t>>(std::move(data), plan);
}

} // namespace nwgpu::cuda
