// SPDX-License-Identifier: BSD-3-Clause
#include "cuda/group.hpp"

#include <algorithm>
#include <optional>

#include "cuda/borders.hpp"
#include "cuda/path_finder.hpp"
#include "path/end.hpp"

namespace nwgpu::cuda {

namespace {

// Of cells with the same score, in the order of the tie rule.
template <class S>
path::Cursor first_of(std::vector<StripBest<S>> const & cells)
{
    auto const before = [](auto const & a, auto const & b) { return a.col != b.col ? a.col < b.col : a.row < b.row; };
    StripBest<S> const first = *std::min_element(cells.begin(), cells.end(), before);
    return {first.row + std::uint64_t{1}, first.col + std::uint64_t{1}};
}

} // namespace

// Score and end of a pair that is not local: the best candidate in column-major order.
template <class S>
void Group<S>::find_end(LastCells const & last, GroupPair const & pair) const
{
    std::uint64_t const m = pair.pair.m, n = pair.pair.n;
    auto const gap = [&](std::uint64_t length) { return path::gap_score(scoring_.gap(), length); };
    path::BestEnd best{*pair.result};
    if (mode_.free_target_end) {
        best.consider(mode_.free_query_begin ? 0 : gap(m), m, 0);
        if (n > 1)
            best.consider(last.bottom.score, m, last.bottom.index + 1);
    }
    if (mode_.free_query_end) {
        best.consider(mode_.free_target_begin ? 0 : gap(n), 0, n);
        if (m > 1)
            best.consider(last.right.score, last.right.index + 1, n);
    }
    best.consider(last.corner, m, n);
}

template <class S>
void Group<S>::align(std::vector<GroupPair> const & pairs, PairPlan const & plan)
{
    Device & device = sweeper_.device();
    bool const path = request_.output >= Output::span;
    std::uint64_t words = 0, cells = 0;
    std::vector<SweepJob<S>> jobs;
    for (GroupPair const & p : pairs) {
        SweepJob<S> job;
        job.query = p.query;
        job.target = p.target;
        job.rows = static_cast<std::uint32_t>(p.pair.m);
        job.cols = static_cast<std::uint32_t>(p.pair.n);
        job.band_low = plan.band.low;
        job.band_high = plan.band.high;
        std::uint64_t const strip_rows = plan.traced ? trace_strip_rows : plan.sweep.strip_rows;
        if (!mode_.free_query_end) // only the corner is asked for
            job.right_from = static_cast<std::uint32_t>((p.pair.m - 1) / strip_rows);
        jobs.push_back(job);
        cells += p.pair.cells();
        words += plan.traced ? job_trace_words(p.pair.m, p.pair.n) : 0;
    }
    Borders<S> const borders{device, jobs, !mode_.local, mode_.free_target_end};
    DeviceArray<std::uint32_t> const trace{device, words};
    if (plan.traced) {
        words = 0;
        for (SweepJob<S> & job : jobs) {
            job.trace = trace.data() + words;
            words += job_trace_words(job.rows, job.cols);
        }
    }
    fill_borders(device, jobs, mode_.local || mode_.free_target_begin, mode_.local || mode_.free_query_begin,
                 sweeper_.args().code);

    std::optional<CutTile<S>> whole;
    if (!plan.levels.empty()) {
        PairView const & pair = pairs[0].pair;
        whole.emplace(device, Tile<S>{0, 0, pair.m, pair.n, jobs[0].top, jobs[0].left}, plan.levels[0].tile_rows,
                      plan.levels[0].tile_cols, plan.sweep.strip_rows, plan.band);
        whole->describe(jobs[0]);
        if (plan.sweep.skip)
            whole->fill(sweeper_.args().code.keep({0, -sweeper_.args().open - sweeper_.args().extend}));
    }
    std::vector<std::vector<StripBest<S>>> best;
    sweeper_.run(plan.traced ? plain_kernel<S>(true) : sweeper_.kernel(plan.sweep.pairs), jobs, plan.sweep, monitor_,
                 cells, mode_.local ? &best : nullptr);

    std::vector<LastCells> last;
    if (!mode_.local)
        last = find_last_cells(device, jobs, sweeper_.args().code);
    std::uint32_t const * host_trace = nullptr;
    if (plan.traced && path) {
        auto * const host = static_cast<std::uint32_t *>(device.trace_buffer().grow(trace.bytes()));
        device.download(host, trace.data(), trace.bytes());
        host_trace = host;
    }
    for (std::size_t k = 0; k < pairs.size(); ++k) {
        PairResult & result = *pairs[k].result;
        PairView const & pair = pairs[k].pair;
        if (!mode_.local) {
            find_end(last[k], pairs[k]);
        } else if (best[k].empty()) {
            result.span = {0, 0, 0, 0};
            continue;
        } else {
            result.score = best[k].front().score;
            path::Cursor end;
            if (plan.traced || plan.sweep.pairs == 0)
                end = first_of(best[k]);
            else if (whole)
                end =
                    PathFinder<S>{sweeper_, plan, pair, request_, pairs[k].query, pairs[k].target, monitor_}.find_best(
                        *whole, best[k]);
            result.span.query_end = end.i;
            result.span.target_end = end.j;
        }
        if (!path)
            continue;
        path::Cursor cursor{result.span.query_end, result.span.target_end};
        CigarBuilder cigar;
        if (plan.traced) {
            Tile<S> const tile{0, 0, pair.m, pair.n, nullptr, nullptr};
            path::walk(TraceBits<S>{tile, host_trace + (jobs[k].trace - trace.data())}, 0, 0, pair, request_.style,
                       mode_.local, cursor, cigar);
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
