// SPDX-License-Identifier: BSD-3-Clause
// What stands for the cells that a band leaves out, to the left of a strip and at the end of its bottom.
#pragma once

#include "cuda/kernels/sweep_memory.cuh"

namespace nwgpu::cuda {

// The left boundary of a strip that begins with these columns.
template <class Field, class Score>
__device__ LeftBoundary<Score> left_boundary(SweepArgs<Score> const & args, SweepJob<Score> const & job,
                                             std::uint32_t strip, StripColumns const & columns)
{
    std::int64_t const first = static_cast<std::int64_t>(strip) * Field::strip_rows;
    if (first + job.band_low < 0)
        return {args.code, job.left + first};
    Kept<Score> const * const corner =
        columns.begin == 0 ? job.left + first - 1 : line_above<Field>(job, strip) + columns.begin - 1;
    Score const h = load_entry(args.code, corner).h;
    return {args.code, nullptr, {h, h - args.open - args.extend}, args.floor};
}

// Where the band moves on to columns that this strip has not: a gap along its edge.
template <class Field, class Score>
__device__ void extend_bottom(SweepArgs<Score> const & args, SweepJob<Score> const & job, std::uint32_t strip,
                              StripColumns const & columns, int lane)
{
    std::uint32_t const rows_so_far = (strip + 1) * Field::strip_rows, end = columns.end;
    if (end == job.cols)
        return;
    if (rows_so_far < job.rows) {
        Kept<Score> * const line = line_below<Field>(job, strip);
        Kept<Score> const * const before = end > 0 ? line + end - 1 : job.left + rows_so_far - 1;
        std::uint32_t const next_end = strip_columns(job, Field::strip_rows, strip + 1).end;
        Score const from = end < next_end ? load_entry(args.code, before).h - args.open : 0;
        for (std::uint32_t first = end; first < next_end; first += 32) {
            std::uint32_t const col = first + lane;
            if (col >= next_end)
                continue;
            Score const h = from - static_cast<Score>(col + 1 - end) * args.extend;
            Entry<Score> const entry{h, h - args.open - args.extend};
            store_entry(args.code, line + col, entry);
            if (job.cols_apart > 0 && (col + 1) % job.cols_apart == 0 && col + 1 < job.cols)
                store_entry(args.code, col_cut(job, col + 1) + rows_so_far - 1, entry);
        }
    }
    __syncwarp();
    if (lane == 0)
        store_release(args.progress + job.first_strip + strip, job.cols);
    __syncwarp();
}

} // namespace nwgpu::cuda
