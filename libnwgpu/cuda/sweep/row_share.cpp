// SPDX-License-Identifier: BSD-3-Clause
#include "cuda/sweep/row_share.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <utility>
#include <vector>

#include "base/allocated.hpp"
#include "base/rest_of_limit.hpp"
#include "cuda/device/pinned_copy.hpp"
#include "cuda/kernels/letters.hpp"
#include "cuda/plan/shape.hpp"
#include "cuda/sweep/ends.hpp"
#include "cuda/sweep/path_finder.hpp"

namespace nwgpu::cuda {

namespace {

constexpr std::uint64_t plain_strip_rows = trace_strip_rows;
// Of the packed kernel that long pairs are quickest with.
constexpr int usual_rows_per_half = 37;

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

// Of a panel, going in and out, in the engine's form and in the other; the left boundary while it is made.
std::uint64_t line_bytes(RowTask const & task)
{
    std::uint64_t const panel = std::min(task.panel_cols, task.pair.n);
    return allocated(3 * sizeof(RowEntry) * (panel + task.pair.m), 8);
}

PairPlan plan_share(ShareData const & data, Tuning const & tuning)
{
    RowTask const & task = data.task;
    PairView const & pair = task.pair;
    PairShape shape = shape_of(pair, data.table, task.scoring, task.request, tuning);
    shape.wide = data.wide;
    shape.panel_cols = std::min(task.panel_cols, pair.n);
    shape.has_rows_below = !task.is_last();
    PairPlan const plan =
        plan_pair(shape, device_shape(data.device, task.max_host_bytes == 0
                                                       ? UINT64_MAX
                                                       : rest_of_limit(task.max_host_bytes, line_bytes(task))));
    if (!task.is_last() && pair.m % plan.sweep.strip_rows != 0)
        throw Error{Status::unsupported,
                    "a share of " + std::to_string(pair.m) + " rows does not end where a strip of a kernel does"};
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
        left_{data_->device, first_left()}
    {
        swept_.anywhere.score = 0; // of an empty path
    }

    SweptRows sweep(RowLines & lines, Monitor & monitor) override
    {
        if (mode_.free_target_end && task_.is_last())
            note_last_row(0, task_.left_border(task_.all_rows).h);
        std::vector<RowEntry> entries;
        for (std::uint64_t begin = 0, end; begin < pair_.n; begin = end) {
            end = pair_.n - begin > task_.panel_cols ? begin + task_.panel_cols : pair_.n;
            entries.resize(end - begin);
            if (task_.is_first())
                for (std::uint64_t j = begin; j < end; ++j)
                    entries[j - begin] = task_.top_border(j + 1);
            else
                lines.receive(begin, entries);
            monitor.throw_if_stopped();
            sweep_panel(begin, entries, monitor);
            if (!task_.is_last()) {
                get_bottom(entries, monitor);
                lines.send(begin, entries);
            }
        }
        return swept_;
    }

    WalkedRows walk(path::Cursor const & from, Monitor & monitor) override
    {
        std::vector<CutTile<S>> tiles;
        for (Panel & panel : panels_)
            tiles.push_back(std::move(panel.tile));
        path::Cursor cursor = from;
        CigarBuilder cigar;
        path_finder(monitor).walk(std::move(tiles), cursor, cigar);
        WalkedRows walked{from, cursor, {}};
        cigar.finish(walked.runs);
        return walked;
    }
    WalkedRows walk_from_best(bool with_path, Monitor & monitor) override
    {
        return with_path ? walk(best_, monitor) : WalkedRows{best_, best_, {}};
    }

private:
    struct Panel {
        DeviceArray<Kept<S>> top, right; // the latter from the corner above it on
        CutTile<S> tile;
    };

    Kept<S> keep(RowEntry const & entry) const
    {
        return code_.keep(Entry<S>{static_cast<S>(entry.h), static_cast<S>(entry.gap)});
    }
    std::vector<Kept<S>> first_left() const // from the corner on
    {
        std::vector<Kept<S>> line(pair_.m + 1);
        for (std::uint64_t i = 0; i <= pair_.m; ++i)
            line[i] = keep(task_.left_border(task_.row + i));
        return line;
    }

    // `top`: all columns of the panel.
    void sweep_panel(std::uint64_t begin, std::vector<RowEntry> const & top, Monitor & monitor)
    {
        Device & device = data_->device;
        std::uint64_t const m = pair_.m, cols = top.size();
        bool const is_last_panel = begin + cols == pair_.n, has_path = !plan_.levels.empty();
        std::vector<Kept<S>> kept(cols);
        std::transform(top.begin(), top.end(), kept.begin(), [&](RowEntry const & entry) { return keep(entry); });
        Kept<S> const * const left = (panels_.empty() ? left_ : panels_.back().right).data() + 1;
        DeviceArray<Kept<S>> line{device, kept};
        Tile<S> const whole{0, begin, m, cols, line.data(), left};
        CutTile<S> tile{device,
                        whole,
                        has_path ? plan_.levels[0].tile_rows : m,
                        has_path ? std::min(plan_.levels[0].tile_cols, cols) : cols,
                        plan_.sweep.strip_rows,
                        path::Band{}};
        SweepJob<S> job;
        job.query = data_->query.data();
        job.target = data_->target.data() + begin;
        job.rows = static_cast<std::uint32_t>(m);
        job.cols = static_cast<std::uint32_t>(cols);
        job.top = whole.top;
        job.left = whole.left;
        tile.describe(job);
        DeviceArray<Kept<S>> right{device, m + 1};
        job.right = right.data() + 1;
        DeviceArray<S> const last_row{device, task_.is_last() && mode_.free_target_end ? cols : 0};
        job.bottom = last_row.size() > 0 ? last_row.data() : nullptr;

        std::vector<std::vector<StripBest<S>>> best;
        sweeper_.run(sweeper_.kernel(plan_.sweep.rows_per_half), {job}, plan_.sweep, monitor, m * cols,
                     mode_.ends_anywhere() ? &best : nullptr);
        if (mode_.ends_anywhere())
            note_best(tile, best[0], monitor);
        if (last_row.size() > 0)
            note_last_row(begin + 1, last_row, cols - is_last_panel);
        if (is_last_panel && !mode_.ends_anywhere())
            note_last_column(right, monitor);
        if (!has_path)
            panels_.clear();
        panels_.push_back({std::move(line), std::move(right), std::move(tile)});
    }

    // Of the panel that was swept last.
    void get_bottom(std::vector<RowEntry> & entries, Monitor & monitor) const
    {
        checkpoint::Bytes const bytes = panels_.back().tile.bottom(monitor);
        for (std::uint64_t j = 0; j < entries.size(); ++j) {
            Kept<S> kept;
            std::memcpy(&kept, bytes.data() + j * sizeof kept, sizeof kept);
            Entry<S> const entry = code_.show(kept);
            entries[j] = {entry.h, entry.gap};
        }
    }

    // Panels come from left to right, so the first that has the best score has it in the first column.
    void note_best(CutTile<S> const & tile, std::vector<StripBest<S>> const & strips, Monitor & monitor)
    {
        if (strips.empty() || strips.front().score <= swept_.anywhere.score)
            return;
        if (plan_.sweep.rows_per_half == 0) {
            best_ = first_of(strips);
            best_.j += tile.whole().col;
        } else if (!plan_.levels.empty()) { // else only the score is asked for
            best_ = path_finder(monitor).find_best(tile, strips);
        }
        swept_.anywhere = {strips.front().score, 0, best_.j};
    }

    // Scores of the matrix's last row, from column j on; not that of its last column.
    void note_last_row(std::uint64_t j, std::int64_t score)
    {
        if (score > swept_.in_last_row.score)
            swept_.in_last_row = {score, pair_.m, j};
    }
    void note_last_row(std::uint64_t j, DeviceArray<S> const & scores, std::uint64_t count)
    {
        std::vector<S> row(scores.size());
        data_->device.download(row.data(), scores.data(), scores.bytes());
        if (auto const best = std::max_element(row.begin(), row.begin() + static_cast<std::ptrdiff_t>(count));
            count > 0)
            note_last_row(j + static_cast<std::uint64_t>(best - row.begin()), *best);
    }

    void note_last_column(DeviceArray<Kept<S>> const & right, Monitor & monitor)
    {
        std::uint64_t const m = pair_.m;
        if (!mode_.free_query_end && !task_.is_last())
            return;
        checkpoint::Bytes const bytes = fetch(data_->device, right.data(), right.bytes(), monitor);
        auto const score = [&](std::uint64_t i) {
            Kept<S> kept;
            std::memcpy(&kept, bytes.data() + i * sizeof kept, sizeof kept);
            return std::int64_t{code_.show(kept).h};
        };
        for (std::uint64_t i = 1; mode_.free_query_end && i <= m && task_.row + i < task_.all_rows; ++i)
            if (std::int64_t const h = score(i); h > swept_.in_last_column.score)
                swept_.in_last_column = {h, i, pair_.n};
        if (task_.is_last())
            swept_.corner = score(m);
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
    DeviceArray<Kept<S>> const left_; // of the first panel
    std::vector<Panel> panels_;       // without a path the last one alone
    SweptRows swept_;
    path::Cursor best_; // where swept_.anywhere has it
};

} // namespace

RowPace share_pace(int multiprocessors, Tuning const & tuning)
{
    int const half = tuning.rows_per_half > 0 ? tuning.rows_per_half : usual_rows_per_half;
    std::uint64_t const strip_rows = packed_shape(half).strip_rows;
    // Every scheduler has a warp with a strip.
    double const warps = 4.0 * multiprocessors;
    PairShape usual;
    usual.mode.local = true;
    RowPace pace;
    pace.unit_rows = std::lcm(plain_strip_rows, tuning.rows_per_half < 0 ? 1 : strip_rows);
    pace.rows_at_once = static_cast<std::uint64_t>(warps) * strip_rows;
    pace.least_rows = pace.rows_at_once; // with fewer some warps have nothing to do
    pace.cells_per_second = warps * static_cast<double>(strip_rows) / hopper.step_seconds(half, usual, 1);
    pace.fill_cols = static_cast<std::uint64_t>(warps * hopper.lag_steps);
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
