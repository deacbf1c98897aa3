// SPDX-License-Identifier: BSD-3-Clause
#include "cuda/group.hpp"

#include <optional>

#include "cuda/path_finder.hpp"

namespace nwgpu::cuda {

// Score and end of a pair that is not local: the best candidate in column-major order.
template <class S>
void Group<S>::find_end(LastCells<S> const & last, GroupPair const & pair) const
{
    auto const [m, n] = std::pair{pair.pair.m, pair.pair.n};
    auto const gap = [&](std::uint64_t length) {
        return -scoring_.gap().open - static_cast<std::int64_t>(length) * scoring_.gap().extend;
    };
    PairResult & result = *pair.result;
    result.score = INT64_MIN;
    auto const consider = [&](std::int64_t score, std::uint64_t i, std::uint64_t j) {
        if (score > result.score) {
            result.score = score;
            result.span.query_end = i;
            result.span.target_end = j;
        }
    };
    if (mode_.free_target_end) {
        consider(mode_.free_query_begin ? 0 : gap(m), m, 0);
        if (n > 1)
            consider(last.bottom.score, m, last.bottom.index + 1);
    }
    if (mode_.free_query_end) {
        consider(mode_.free_target_begin ? 0 : gap(n), 0, n);
        if (m > 1)
            consider(last.right.score, last.right.index + 1, n);
    }
    consider(last.corner, m, n);
}

template <class S>
void Group<S>::align(std::vector<GroupPair> const & pairs, PairPlan const & plan)
{
    Device & device = sweeper_.device();
    bool const path = request_.output >= Output::span;
    std::uint64_t entries = 0, bottoms = 0, words = 0, cells = 0;
    for (GroupPair const & p : pairs) {
        entries += 2 * p.pair.n + 2 * (p.pair.m + 1);
        bottoms += p.pair.n;
        cells += p.pair.m * p.pair.n;
        if (plan.traced)
            words += ceil_div(p.pair.m, trace_strip_rows) * trace_words(p.pair.n);
    }
    DeviceArray<Entry<S>> const lines{device, entries};
    DeviceArray<S> const bottom{device, mode_.free_target_end ? bottoms : 0};
    DeviceArray<std::uint32_t> const trace{device, words};

    std::vector<SweepJob<S>> jobs;
    Entry<S> * line = lines.data();
    bottoms = words = 0;
    for (GroupPair const & p : pairs) {
        SweepJob<S> job;
        job.query = p.query;
        job.target = p.target;
        job.rows = static_cast<std::uint32_t>(p.pair.m);
        job.cols = static_cast<std::uint32_t>(p.pair.n);
        job.top = line;
        job.work = line + job.cols;
        job.left = line + 2 * p.pair.n + 1;
        if (!mode_.local)
            job.right = line + 2 * p.pair.n + 1 + p.pair.m + 1;
        line += 2 * p.pair.n + 2 * (p.pair.m + 1);
        if (mode_.free_target_end)
            job.bottom = bottom.data() + bottoms;
        bottoms += p.pair.n;
        if (plan.traced) {
            job.trace = trace.data() + words;
            words += ceil_div(p.pair.m, trace_strip_rows) * trace_words(p.pair.n);
        }
        jobs.push_back(job);
    }
    fill_borders(device, jobs, mode_.local || mode_.free_target_begin, mode_.local || mode_.free_query_begin,
                 sweeper_.args().open, sweeper_.args().extend);

    std::optional<CutTile<S>> whole;
    if (!plan.levels.empty()) {
        PairView const & pair = pairs[0].pair;
        whole.emplace(device, Tile<S>{0, 0, pair.m, pair.n, jobs[0].top, jobs[0].left}, plan.levels[0].tile_rows,
                      plan.levels[0].tile_cols);
        whole->describe(jobs[0], plan.sweep.strip_rows);
    }
    std::vector<StripBest<S>> best;
    sweeper_.run(plan.traced ? plain_kernel<S>(true) : sweeper_.kernel(plan.sweep.pairs), jobs,
                 plan.sweep.warps_per_multiprocessor, monitor_, cells, mode_.local ? &best : nullptr);

    std::vector<LastCells<S>> last;
    if (!mode_.local)
        last = find_last_cells(device, jobs);
    PinnedBuffer<std::uint32_t> host_trace;
    if (plan.traced && path) {
        host_trace.grow(words);
        device.download(host_trace.data(), trace.data(), trace.bytes());
    }
    for (std::size_t k = 0; k < pairs.size(); ++k) {
        PairResult & result = *pairs[k].result;
        PairView const & pair = pairs[k].pair;
        if (!mode_.local) {
            find_end(last[k], pairs[k]);
        } else if (best[k].score > 0) {
            result.score = best[k].score;
            result.span.query_end = best[k].row + std::uint64_t{1};
            result.span.target_end = best[k].col + std::uint64_t{1};
        } else {
            result.span = {0, 0, 0, 0};
            continue;
        }
        if (!path)
            continue;
        path::Cursor cursor{result.span.query_end, result.span.target_end};
        CigarBuilder cigar;
        if (plan.traced) {
            Tile<S> const tile{0, 0, pair.m, pair.n, nullptr, nullptr};
            path::walk(TraceBits<S>{tile, host_trace.data() + (jobs[k].trace - trace.data())}, 0, 0, pair,
                       request_.style, mode_.local, cursor, cigar);
        } else {
            PathFinder<S> finder{sweeper_, plan, pair, request_, pairs[k].query, pairs[k].target, monitor_};
            finder.walk(std::move(*whole), cursor, cigar);
        }
        path::finish(mode_, cursor, cigar, result);
    }
}

template class Group<std::int32_t>;
template class Group<std::int64_t>;

} // namespace nwgpu::cuda
