// SPDX-License-Identifier: BSD-3-Clause
// Starts a sweep kernel on a list of jobs.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "cuda/device/device.hpp"
#include "cuda/kernels/kernels.hpp"
#include "cuda/kernels/sweep_job.hpp"
#include "cuda/plan/plan.hpp"
#include "model/mode.hpp"
#include "model/scoring.hpp"
#include "path/skipped.hpp"

namespace nwgpu::cuda {

// The columns of a bottom that are written, where that is not none.
struct WrittenBottom {
    std::uint32_t begin = 0, end = UINT32_MAX;
};
// Of a strip, from what SkipArgs has of it: with the gap along its left edge, and nothing where all columns are
// skipped.
inline WrittenBottom written_bottom(std::uint32_t begin, std::uint32_t end, std::uint32_t cols)
{
    std::uint32_t const first = begin > 0 ? begin - 1 : 0; // it counts from 1
    if (first == cols)
        return {cols, cols};
    return {first - (first > 0), std::min(end, cols)};
}

// Skipping in a sweep of jobs with all columns.
template <class S>
struct Skipping {
    S best = 0;                // found before
    std::uint32_t top_end = 0; // the first job's top boundary is 0 from this column on, if it is there
    std::vector<WrittenBottom> * bottoms = nullptr; // out, where asked for, of each job
};

// Scores, letters, costs and floor; `scores`: the score table, on the device.
template <class S>
SweepArgs<S> sweep_args(Scoring const & scoring, Mode const & mode, std::int32_t const * scores, std::uint32_t letters)
{
    SweepArgs<S> args;
    args.scores = scores;
    args.letters = letters;
    args.open = static_cast<S>(scoring.gap().open);
    args.extend = static_cast<S>(scoring.gap().extend);
    args.code = KeptCode<S>::of(args.open, args.extend);
    args.floor = mode.begins_anywhere() ? 0 : std::numeric_limits<S>::min() / 2;
    args.local = mode.may_be_empty();
    args.skip.most = static_cast<S>(std::max<std::int64_t>(1, scoring.max_score()));
    return args;
}

// What goes on beside a sweep: it carries boundaries to strips that wait for them, and from strips that have them.
template <class S>
class BesideSweep {
public:
    virtual ~BesideSweep() = default;
    // Before the kernel starts; the stream is idle.  Returns when strips have something to do.
    virtual void begin(SweepArgs<S> const & args, std::vector<SweepJob<S>> const & jobs) = 0;
    // After the kernel has ended: waits until all is carried; throws what went wrong.
    virtual void end() = 0;
    // Whatever happened; end() need not have been called.
    virtual void stop() noexcept = 0;
};

template <class S>
class Sweeper {
public:
    // `args`: of sweep_args(); the rest is filled in here.
    Sweeper(Device & device, SweepArgs<S> const & args) : device_{device}, args_{args} {}

    Device & device() const { return device_; }
    SweepArgs<S> const & args() const { return args_; }

    path::MostSteps most_steps() const { return {args_.open, args_.extend, args_.skip.most}; }

    // 0: the plain kernel.
    SweepKernel kernel(int rows_per_half) const
    {
        return rows_per_half == 0 ? plain(false) : packed_kernel(args_.local, args_.open == 0, rows_per_half);
    }
    SweepKernel plain(bool traced) const
    {
        return plain_kernel<S>(traced, args_.letters, device_.shared_bytes_per_block());
    }
    // Computes all jobs and waits.  Where asked for, best[k] holds the strips of job k that have its best score (none
    // if it is 0), `row` being that of the strip's first row for packed kernels.  `skip`: not null to skip what cannot
    // reach the best score.  `beside`: not null where the top of a job comes while it is computed.
    void run(SweepKernel const & kernel, std::vector<SweepJob<S>> jobs, SweepPlan const & plan, Monitor & monitor,
             std::uint64_t cells, std::vector<std::vector<StripBest<S>>> * best = nullptr, Skipping<S> * skip = nullptr,
             BesideSweep<S> * beside = nullptr) const
    {
        start(kernel, std::move(jobs), plan, &monitor, cells, best, skip, beside);
    }
    // The same without a wait: what the caller asks of the device next comes after it.
    void start(SweepKernel const & kernel, std::vector<SweepJob<S>> jobs, SweepPlan const & plan) const
    {
        start(kernel, std::move(jobs), plan, nullptr, 0, nullptr, nullptr, nullptr);
    }

private:
    void start(SweepKernel const & kernel, std::vector<SweepJob<S>> jobs, SweepPlan const & plan, Monitor * monitor,
               std::uint64_t cells, std::vector<std::vector<StripBest<S>>> * best, Skipping<S> * skip,
               BesideSweep<S> * beside) const;

    Device & device_;
    SweepArgs<S> args_;
};

} // namespace nwgpu::cuda
