// SPDX-License-Identifier: BSD-3-Clause
#include "cuda/sweep/launch_batch.hpp"

#include "backend/known_score.hpp"
#include "cuda/sweep/boundary_memory.hpp"
#include "cuda/sweep/path_end.hpp"
#include "cuda/sweep/path_finder.hpp"

namespace nwgpu::cuda {

template <class S>
void LaunchBatch<S>::align(std::vector<DevicePair> const & pairs, PairPlan const & plan)
{
    Device & device = sweeper_.device();
    bool const path = request_.output >= Output::span;
    std::uint64_t words = 0, cells = 0;
    std::vector<SweepJob<S>> jobs;
    for (DevicePair const & p : pairs) {
        jobs.push_back(whole_matrix<S>(p, plan.band));
        std::uint64_t const strip_rows = plan.traced ? trace_strip_rows : plan.sweep.strip_rows;
        if (!mode_.free_query_end) // only the corner is asked for
            jobs.back().right_from = static_cast<std::uint32_t>((p.pair.m - 1) / strip_rows);
        cells += p.pair.cells();
        words += plan.traced ? job_trace_words(p.pair.m, p.pair.n) : 0;
    }
    Borders<S> const borders{device, jobs, !mode_.ends_anywhere(), mode_.free_target_end};
    DeviceArray<std::uint32_t> const trace{device, words};
    if (plan.traced) {
        words = 0;
        for (SweepJob<S> & job : jobs) {
            job.trace = trace.data() + words;
            words += job_trace_words(job.rows, job.cols);
        }
    }
    fill_borders(device, jobs, mode_.begins_anywhere() || mode_.free_target_begin,
                 mode_.begins_anywhere() || mode_.free_query_begin, sweeper_.args().code);

    std::vector<std::vector<StripBest<S>>> best;
    Skipping<S> skipping{.best = static_cast<S>(plan.known_score)};
    sweeper_.run(plan.traced ? sweeper_.plain(true) : sweeper_.kernel(plan.sweep.rows_per_half), jobs, plan.sweep,
                 monitor_, cells, mode_.ends_anywhere() ? &best : nullptr,
                 plan.sweep.skip && pairs.size() == 1 ? &skipping : nullptr);

    std::vector<LastCells> last;
    if (!mode_.ends_anywhere())
        last = find_last_cells(device, jobs, sweeper_.args().code);
    std::uint32_t const * host_trace = nullptr;
    if (plan.traced && path) {
        auto * const host = static_cast<std::uint32_t *>(device.trace_buffer(0).grow(trace.bytes()));
        device.download(host, trace.data(), trace.bytes());
        host_trace = host;
    }
    for (std::size_t k = 0; k < pairs.size(); ++k) {
        PairResult & result = *pairs[k].result;
        PairView const & pair = pairs[k].pair;
        if (!mode_.ends_anywhere()) {
            find_end(last[k], mode_, scoring_.gap(), pair, result);
        } else if (!best[k].empty()) {
            if (pairs.size() == 1)
                check_known_score(best[k].front().score, plan.known_score);
            result.score = best[k].front().score;
            if (plan.traced || plan.sweep.rows_per_half == 0) { // else only the score is asked for
                path::Cursor const end = first_of(best[k]);
                result.span.query_end = end.i;
                result.span.target_end = end.j;
            }
        }
        if (mode_.may_be_empty() && result.score == 0) {
            result.span = empty_span(pair.m, pair.n, mode_);
            continue;
        }
        if (!path)
            continue;
        path::Cursor cursor{result.span.query_end, result.span.target_end};
        CigarBuilder cigar;
        Tile<S> const tile{0, 0, pair.m, pair.n, nullptr, nullptr};
        path::walk(TraceBits<S>{tile, host_trace + (jobs[k].trace - trace.data())}, 0, 0, pair, request_.style,
                   mode_.begins_anywhere(), cursor, cigar);
        path::finish(mode_, cursor, cigar, result);
    }
}

template class LaunchBatch<std::int32_t>;
template class LaunchBatch<std::int64_t>;

} // namespace nwgpu::cuda
