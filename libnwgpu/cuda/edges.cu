// SPDX-License-Identifier: BSD-3-Clause
#include "cuda/edges.hpp"

#include <algorithm>

namespace nwgpu::cuda {

namespace {

constexpr unsigned threads = 256;

// One column of blocks per job.
template <class S>
__global__ void fill(SweepJob<S> const * jobs, bool free_top, bool free_left, S open, S extend)
{
    SweepJob<S> const job = jobs[blockIdx.x];
    auto * const top = const_cast<Entry<S> *>(job.top);
    auto * const left = const_cast<Entry<S> *>(job.left);
    std::uint64_t const first = blockIdx.y * threads + threadIdx.x, apart = gridDim.y * threads;
    auto const cell = [&](std::uint64_t k, bool free) {
        S const h = free ? 0 : -open - static_cast<S>(k + 1) * extend;
        return Entry<S>{h, h - open - extend};
    };
    if (first == 0)
        left[-1] = {0, 0};
    for (std::uint64_t k = first; k < job.cols; k += apart)
        top[k] = cell(k, free_top);
    for (std::uint64_t k = first; k < job.rows; k += apart)
        left[k] = cell(k, free_left);
}

template <class S>
__global__ void fill_all(Entry<S> * entries, std::uint64_t count, Entry<S> entry)
{
    std::uint64_t const apart = std::uint64_t{gridDim.x} * threads;
    for (std::uint64_t k = std::uint64_t{blockIdx.x} * threads + threadIdx.x; k < count; k += apart)
        entries[k] = entry;
}

__device__ bool better(Peak const & a, Peak const & b)
{
    return a.score != b.score ? a.score > b.score : a.index < b.index;
}

// Of n scores, `stride` scores apart; the result is thread 0's.
template <class S>
__device__ Peak block_peak(S const * scores, std::uint64_t stride, std::uint64_t n, Peak * shared)
{
    Peak mine{INT64_MIN, 0};
    for (std::uint64_t k = threadIdx.x; k < n; k += threads)
        if (Peak const other{scores[k * stride], k}; other.score > mine.score)
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
__global__ void last_cells(SweepJob<S> const * jobs, LastCells * found)
{
    __shared__ Peak shared[threads];
    SweepJob<S> const & job = jobs[blockIdx.x];
    Peak const bottom = block_peak(job.bottom, 1, job.bottom ? job.cols - 1 : 0, shared);
    Peak const right = block_peak(&job.right->h, 2, job.right_from == 0 ? job.rows - 1 : 0, shared);
    if (threadIdx.x == 0)
        found[blockIdx.x] = {bottom, right, job.right[job.rows - 1].h};
}

} // namespace

template <class S>
void fill_borders(Device & device, std::vector<SweepJob<S>> const & jobs, bool free_top, bool free_left, S open,
                  S extend)
{
    DeviceArray<SweepJob<S>> const on_device{device, jobs};
    std::uint32_t longest = 0;
    for (SweepJob<S> const & job : jobs)
        longest = std::max({longest, job.rows, job.cols});
    dim3 const blocks{static_cast<unsigned>(jobs.size()), std::clamp(longest / (16 * threads), 1u, 1024u)};
    fill<S><<<blocks, threads, 0, device.stream()>>>(on_device.data(), free_top, free_left, open, extend);
    check(cudaGetLastError(), "starting a kernel");
}

template <class S>
void fill_entries(Device & device, Entry<S> * entries, std::uint64_t count, Entry<S> entry)
{
    if (count == 0)
        return;
    auto const blocks = static_cast<unsigned>(std::clamp<std::uint64_t>(count / threads, 1, 4096));
    fill_all<S><<<blocks, threads, 0, device.stream()>>>(entries, count, entry);
    check(cudaGetLastError(), "starting a kernel");
}

template <class S>
std::vector<LastCells> find_last_cells(Device & device, std::vector<SweepJob<S>> const & jobs)
{
    DeviceArray<SweepJob<S>> const on_device{device, jobs};
    DeviceArray<LastCells> const found{device, jobs.size()};
    last_cells<S><<<static_cast<unsigned>(jobs.size()), threads, 0, device.stream()>>>(on_device.data(), found.data());
    check(cudaGetLastError(), "starting a kernel");
    std::vector<LastCells> cells(jobs.size());
    device.download(cells.data(), found.data(), found.bytes());
    return cells;
}

template void fill_borders(Device &, std::vector<SweepJob<std::int32_t>> const &, bool, bool, std::int32_t,
                           std::int32_t);
template void fill_borders(Device &, std::vector<SweepJob<std::int64_t>> const &, bool, bool, std::int64_t,
                           std::int64_t);
template void fill_entries(Device &, Entry<std::int32_t> *, std::uint64_t, Entry<std::int32_t>);
template void fill_entries(Device &, Entry<std::int64_t> *, std::uint64_t, Entry<std::int64_t>);
template std::vector<LastCells> find_last_cells(Device &, std::vector<SweepJob<std::int32_t>> const &);
template std::vector<LastCells> find_last_cells(Device &, std::vector<SweepJob<std::int64_t>> const &);

} // namespace nwgpu::cuda
