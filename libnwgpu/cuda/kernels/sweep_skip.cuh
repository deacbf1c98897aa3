// SPDX-License-Identifier: BSD-3-Clause
// Which cells of a local alignment need not be computed: those through which no path can reach the best score that some
// strip has found already.  A path through a cell with score h and at most r rows below it scores at most h + r * most.
//
// The bound holds for whatever lies to the left of where a strip's paths come from, so a strip begins no further left
// than the one above; nor does it end further left.  Proof: docs/proofs.md, lemma 19.
//
//      top line   . . . h h h h h h h h h h e e e e e e e     e: gaps along an edge: to the right of where the strip
//      strip              e # # # # # # # # # # # # #            above has ended, down from the column before the first
//                         e # # # # # # # # # # # # #            one.  The last one of those is stored in the bottom
//      bottom line        e h h h h h h h h h h h h h e e e      line, as a corner for the strip below.
#pragma once

#include "cuda/kernels/sweep_memory.cuh"

namespace nwgpu::cuda {

template <class Score>
__device__ Score best_so_far(SweepArgs<Score> const & args)
{
    return __ldcg(args.skip.best);
}

// No path can gain more in so many rows of the job, those after it, and so many columns.
template <class Score>
__device__ Score most_gain(SweepArgs<Score> const & args, SweepJob<Score> const & job, std::uint32_t rows,
                           std::uint32_t cols)
{
    return static_cast<Score>(min(rows + job.rows_after, cols)) * args.skip.most;
}

// The columns that a strip must compute, none when all can be skipped, and what lies left of them.  Returns false when
// the host wants to stop.
template <class Field, class Score>
__device__ bool skip_begin(SweepArgs<Score> const & args, SweepJob<Score> const & job, std::uint32_t strip, int lane,
                           StripColumns & columns, LeftBoundary<Score> & left)
{
    constexpr std::uint32_t at_once = 4; // blocks of columns
    std::uint32_t const cols = job.cols;
    std::uint32_t * const begins = args.skip.begin + job.first_strip + strip;
    bool const whole_top = has_whole_top(job, strip);
    std::uint32_t begin = whole_top ? 1 : 0;
    for (unsigned tries = 0; begin == 0; ++tries) {
        if (tries % 64 == 63 && stopped(args, lane))
            return false;
        if (tries > 0)
            __nanosleep(100);
        begin = __shfl_sync(~0u, lane == 0 ? load_progress(begins - 1) : 0, 0);
    }
    --begin;
    std::uint32_t const first = strip * Field::strip_rows, rows = job.rows - first;
    // A path may also begin in what is left out.
    Score best = best_so_far(args); // the host may put a lower one there for a while
    if (most_gain(args, job, rows, cols) < best) {
        std::uint32_t there = whole_top ? cols : 0;
        while (begin < cols) {
            if (!wait_for_strip_above(args, job, strip, min(begin + 32, cols), lane, there))
                return false;
            std::uint32_t const known = there == cols ? at_once : min(at_once, (there - begin) / 32);
            std::uint32_t const end = whole_top       ? args.skip.top_end
                                      : there == cols ? __ldcg(args.skip.end + job.first_strip + strip - 1)
                                                      : cols;
            Score most = 0;
#pragma unroll
            for (std::uint32_t k = 0; k < at_once; ++k)
                if (std::uint32_t const col = begin + 32 * k + lane; k < known && col < cols && col < end)
                    most = max(most, load_entry(args.code, line_above<Field>(job, strip) + col).h);
            most = warp_max(most);
            best = max(best, best_so_far(args));
            if (most + most_gain(args, job, rows, cols - begin) >= best)
                break;
            begin = end <= begin ? cols : min(begin + 32 * known, cols);
        }
    }
    columns = {begin, cols};
    left = {args.code, job.left + first};
    if (begin > 0 && begin < cols)
        left = {args.code, nullptr, load_entry(args.code, line_above<Field>(job, strip) + begin - 1), 0};
    __syncwarp(); // the line above may be the same memory as the one below
    if (lane == 0) {
        if (begin > 0 && begin < cols)
            store_entry(args.code, line_below<Field>(job, strip) + begin - 1, left.below(Field::strip_rows));
        if (begin == cols) { // nothing of its bottom is computed
            args.skip.end[job.first_strip + strip] = 0;
            if (args.best != nullptr)
                args.best[job.first_strip + strip] = {0, 0, 0};
            store_release(args.progress + job.first_strip + strip, cols);
        }
        store_release(begins, begin + 1);
    }
    __syncwarp();
    return true;
}

// Tells the other strips what this one has found; the best of all.
template <class Score>
__device__ Score share_best(SweepArgs<Score> const & args, Score mine, int lane)
{
    mine = warp_max(mine);
    Score const all = best_so_far(args);
    if (mine > all && lane == 0)
        atomicMax(args.skip.best, mine);
    __syncwarp();
    return max(mine, all);
}

} // namespace nwgpu::cuda
