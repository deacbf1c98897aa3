// SPDX-License-Identifier: BSD-3-Clause
#include "cuda/kernels/boundaries.hpp"

#include <algorithm>

#include "cuda/device/launch.hpp"

namespace nwgpu::cuda {

namespace {

constexpr unsigned threads = 256;

// One column of blocks per job.
template <class S>
__global__ void fill(SweepJob<S> const * jobs, bool free_top, bool free_left, KeptCode<S> code)
{
    SweepJob<S> const job = jobs[blockIdx.x];
    auto * const top = const_cast<Kept<S> *>(job.top);
    auto * const left = const_cast<Kept<S> *>(job.left);
    std::uint64_t const first = blockIdx.y * threads + threadIdx.x, apart = gridDim.y * threads;
    auto const cell = [&](std::uint64_t k, bool free) {
        S const h = free ? 0 : -code.open - static_cast<S>(k + 1) * code.extend;
        return code.keep(h);
    };
    if (first == 0)
        left[-1] = code.keep({0, 0});
    for (std::uint64_t k = first; k < job.cols; k += apart)
        top[k] = cell(k, free_top);
    for (std::uint64_t k = first; k < job.rows; k += apart)
        left[k] = cell(k, free_left);
}

template <class S>
__global__ void fill_all(Kept<S> * entries, std::uint64_t count, Kept<S> entry)
{
    std::uint64_t const apart = std::uint64_t{gridDim.x} * threads;
    for (std::uint64_t k = std::uint64_t{blockIdx.x} * threads + threadIdx.x; k < count; k += apart)
        entries[k] = entry;
}

__device__ bool better(Peak const & a, Peak const & b)
{
    return a.score != b.score ? a.score > b.score : a.index < b.index;
}

// Of n scores; the result is thread 0's.
template <class ScoreOf>
__device__ Peak block_peak(ScoreOf const & score_of, std::uint64_t n, Peak * shared)
{
    Peak mine{INT64_MIN, 0};
    for (std::uint64_t k = threadIdx.x; k < n; k += threads)
        if (Peak const other{score_of(k), k}; other.score > mine.score)
            mine = other;
    shared[threadIdx.x] = mine;
    for (unsigned apart = threads / 2; apart > 0; apart /= 2) {
        __syncthreads();
        if (threadIdx.x < apart && better(shared[threadIdx.x + apart], shared[threadIdx.x]))
            shared[threadIdx.x] = shared[threadIdx.x + apart];
    }
    __syncthreads();
    mine = shared[0];
    __syncthreads();
    return mine;
}

template <class S>
__global__ void last_cells(SweepJob<S> const * jobs, KeptCode<S> code, LastCells * found)
{
    __shared__ Peak shared[threads];
    SweepJob<S> const & job = jobs[blockIdx.x];
    auto const right_score = [&](std::uint64_t k) { return code.show(job.right[k]).h; };
    Peak const bottom =
        block_peak([&](std::uint64_t k) { return job.bottom[k]; }, job.bottom ? job.cols - 1 : 0, shared);
    Peak const right = block_peak(right_score, job.right_from == 0 ? job.rows - 1 : 0, shared);
    if (threadIdx.x == 0)
        found[blockIdx.x] = {bottom, right, right_score(job.rows - 1)};
}

} // namespace

template <class S>
void fill_borders(Device & device, std::vector<SweepJob<S>> const & jobs, bool free_top, bool free_left,
                  KeptCode<S> const & code)
{
    DeviceArray<SweepJob<S>> const on_device{device, jobs};
    std::uint32_t longest = 0;
    for (SweepJob<S> const & job : jobs)
        longest = std::max({longest, job.rows, job.cols});
    dim3 const blocks{static_cast<unsigned>(jobs.size()), std::clamp(longest / (16 * threads), 1u, 1024u)};
    launch(device.stream(), blocks, threads, 0, &fill<S>, on_device.data(), free_top, free_left, code);
}

template <class S>
void fill_entries(Device & device, Kept<S> * entries, std::uint64_t count, Kept<S> entry)
{
    if (count == 0)
        return;
    auto const blocks = static_cast<unsigned>(std::clamp<std::uint64_t>(count / threads, 1, 4096));
    launch(device.stream(), blocks, threads, 0, &fill_all<S>, entries, count, entry);
}

template <class S>
std::vector<LastCells> find_last_cells(Device & device, std::vector<SweepJob<S>> const & jobs, KeptCode<S> const & code)
{
    DeviceArray<SweepJob<S>> const on_device{device, jobs};
    DeviceArray<LastCells> const found{device, jobs.size()};
    launch(device.stream(), static_cast<unsigned>(jobs.size()), threads, 0, &last_cells<S>, on_device.data(), code,
           found.data());
    std::vector<LastCells> cells(jobs.size());
    device.download(cells.data(), found.data(), found.bytes());
    return cells;
}

#define NWGPU_FOR(S)                                                                                                   \
    template void fill_borders(Device &, std::vector<SweepJob<S>> const &, bool, bool, KeptCode<S> const &);           \
    template void fill_entries(Device &, Kept<S> *, std::uint64_t, Kept<S>);                                           \
    template std::vector<LastCells> find_last_cells(Device &, std::vector<SweepJob<S>> const &, KeptCode<S> const &);
NWGPU_FOR(std::int32_t)
NWGPU_FOR(std::int64_t)
#undef NWGPU_FOR

} // namespace nwgpu::cuda
