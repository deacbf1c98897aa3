// SPDX-License-Identifier: BSD-3-Clause
#include "cuda/kernels/raw_columns.hpp"

#include <algorithm>

#include "cuda/device/launch.hpp"
#include "cuda/kernels/sweep_memory.cuh"

namespace nwgpu::cuda {

namespace {

using Score = std::int32_t;

constexpr unsigned threads = 256;

struct StripLayout {
    std::uint32_t strip_rows, half_rows, lag_total;
    Score row_drift;
};

// Of a column behind `step` steps of a strip, which has `rows` rows; `line`: its first one.
__device__ void finish(SweepArgs<Score> const & args, StripLayout const & layout, Kept<Score> * line,
                       std::uint32_t rows, std::uint32_t step, std::uint32_t steps)
{
    for (std::uint32_t row = threadIdx.x; row < rows; row += threads) {
        std::uint32_t const half = row / layout.half_rows, r = row % layout.half_rows;
        if (r == 0 || step + half >= steps) // a half is one column behind the one above
            continue;
        Score const first = load_entry(args.code, line + row - r).h;
        auto const raw = static_cast<std::uint32_t>(load_kept(line + row).word);
        store_entry(args.code, line + row, from_raw(raw, first, static_cast<Score>(r), layout.row_drift, args.extend));
    }
}

// A block for each strip, and some for its cuts.
__global__ void finish_strips(SweepArgs<Score> const args, StripLayout const layout)
{
    SweepItem const item = args.items[blockIdx.x];
    SweepJob<Score> const & job = args.jobs[item.job];
    StripColumns columns = strip_columns(job, layout.strip_rows, item.strip);
    std::uint32_t steps = ~0u;
    if (args.skip.best != nullptr) {
        std::uint32_t const place = job.first_strip + item.strip;
        std::uint32_t const begin = args.skip.begin[place], end = args.skip.end[place];
        columns = {begin - 1, job.cols};
        if (end == 0)
            columns.begin = job.cols;
        else if (end != ~0u)
            steps = end - columns.begin + layout.lag_total;
    }
    if (columns.begin >= columns.end)
        return;
    std::uint32_t const row_begin = item.strip * layout.strip_rows, rows = min(job.rows - row_begin, layout.strip_rows);
    if (job.cols_apart > 0)
        for (std::uint32_t cut = (columns.begin / job.cols_apart + 1 + blockIdx.y) * job.cols_apart;
             cut < job.cols && cut <= columns.end; cut += gridDim.y * job.cols_apart)
            finish(args, layout, col_cut(job, cut) + row_begin, rows, cut - columns.begin - 1, steps);
    if (blockIdx.y == 0 && job.right != nullptr && item.strip >= job.right_from && columns.end == job.cols)
        finish(args, layout, job.right + row_begin, rows, job.cols - columns.begin - 1, steps);
}

} // namespace

void load_finish_columns()
{
    cudaFuncAttributes attributes{};
    check(cudaFuncGetAttributes(&attributes, address_of(&finish_strips)), "loading a kernel");
}

void finish_columns(Device & device, SweepKernel const & kernel, std::vector<SweepJob<Score>> const & jobs,
                    SweepArgs<Score> const & args)
{
    std::uint32_t cuts = 0;
    for (SweepJob<Score> const & job : jobs)
        cuts = std::max({cuts, job.cols_apart > 0 ? job.cols / job.cols_apart : 0u, job.right ? 1u : 0u});
    if (cuts == 0)
        return;
    constexpr std::uint32_t halves = 64; // of the lanes of a warp
    StripLayout const layout{kernel.strip_rows, kernel.strip_rows / halves, halves - 1, args.local ? 0 : args.extend};
    launch(device.stream(), dim3{args.item_count, std::min(cuts, 16u)}, threads, 0, &finish_strips, args, layout);
}

} // namespace nwgpu::cuda
