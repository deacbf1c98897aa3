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

// The boundaries of a job as one line of cells: up in `left`, over the corner, and on in `top`.  A gap that goes along
// it has aligned letters to take where it goes up or to the left.
struct Bend {
    using Score = std::int32_t; // of the kernels that skip cells
    SweepJob<Score> const & job;
    KeptCode<Score> code;
    path::MostSteps steps;

    __device__ std::uint64_t size() const { return std::uint64_t{job.rows} + 1 + job.cols; }

    // Gaps that go to the right, from the line's first cell to its last one, and gaps that go down, back from there.
    template <bool back>
    __device__ std::int64_t gap(std::uint64_t k) const // of cell k, whatever was before it on the way
    {
        Entry<Score> const entry = code.show(*at(k));
        return goes_on<back>(k) ? entry.gap : entry.h - steps.fall();
    }
    template <bool back>
    __device__ std::int64_t cost(std::uint64_t k) const // of the letters between the line's first cell and cell k
    {
        std::int64_t const plain = steps.extend, taking = steps.most + steps.extend;
        auto const in_left = static_cast<std::int64_t>(k < job.rows ? k : job.rows);
        return in_left * (back ? plain : taking) + (static_cast<std::int64_t>(k) - in_left) * (back ? taking : plain);
    }
    template <bool back>
    __device__ void raise(std::uint64_t k, std::int64_t gap) const
    {
        Entry<Score> const entry = code.show(*at(k));
        auto const h = max(entry.h, static_cast<Score>(gap + steps.extend));
        auto const other = goes_on<back>(k) ? static_cast<Score>(gap) : h - code.open - code.extend;
        if (h > entry.h || other > entry.gap)
            *at(k) = code.keep({h, max(entry.gap, other)});
    }

private:
    // Whether the gap that the cell holds is of these: those of `left` go to the right.  What the corner holds may be a
    // gap of the line above it, or of that to its left.
    template <bool back>
    __device__ bool goes_on(std::uint64_t k) const
    {
        return back ? k > job.rows : k < job.rows;
    }
    __device__ Kept<Score> * at(std::uint64_t k) const
    {
        Kept<Score> const * const cell = k <= job.rows ? job.left + (job.rows - k) - 1 : job.top + (k - job.rows - 1);
        return const_cast<Kept<Score> *>(cell);
    }
};

// A block per job.  A thread has some neighbouring cells: it finds the best gap that leaves them, then takes what the
// threads before it have found, and goes over its cells once more.
__global__ void raise(SweepJob<std::int32_t> const * jobs, KeptCode<std::int32_t> code, path::MostSteps steps)
{
    __shared__ std::int64_t best_of[threads];
    Bend const line{jobs[blockIdx.x], code, steps};
    std::uint64_t const each = line.size() / threads + 1, begin = threadIdx.x * each,
                        end = begin + each < line.size() ? begin + each : line.size();
    auto const share = [&](std::int64_t best, unsigned first, unsigned last) { // the best of those threads
        __syncthreads();
        best_of[threadIdx.x] = best;
        __syncthreads();
        best = INT64_MIN;
        for (unsigned t = first; t < last; ++t)
            best = best_of[t] > best ? best_of[t] : best;
        return best;
    };
    auto const add = [](std::int64_t & best, std::int64_t other) { best = other > best ? other : best; };

    std::int64_t best = INT64_MIN;
    for (std::uint64_t k = begin; k < end; ++k)
        add(best, line.gap<false>(k) + line.cost<false>(k));
    best = share(best, 0, threadIdx.x);
    for (std::uint64_t k = begin; k < end; ++k) {
        add(best, line.gap<false>(k) + line.cost<false>(k));
        line.raise<false>(k, best - line.cost<false>(k));
    }
    best = INT64_MIN;
    for (std::uint64_t k = begin; k < end; ++k)
        add(best, line.gap<true>(k) - line.cost<true>(k));
    best = share(best, threadIdx.x + 1, threads);
    for (std::uint64_t k = end; k-- > begin;) {
        add(best, line.gap<true>(k) - line.cost<true>(k));
        line.raise<true>(k, best + line.cost<true>(k));
    }
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

void raise_skipped(Device & device, std::vector<SweepJob<std::int32_t>> const & jobs, path::MostSteps const & steps,
                   KeptCode<std::int32_t> const & code)
{
    if (jobs.empty())
        return;
    DeviceArray<SweepJob<std::int32_t>> const on_device{device, jobs};
    launch(device.stream(), static_cast<unsigned>(jobs.size()), threads, 0, &raise, on_device.data(), code, steps);
}

#define NWGPU_FOR(S)                                                                                                   \
    template void fill_borders(Device &, std::vector<SweepJob<S>> const &, bool, bool, KeptCode<S> const &);           \
    template void fill_entries(Device &, Kept<S> *, std::uint64_t, Kept<S>);                                           \
    template std::vector<LastCells> find_last_cells(Device &, std::vector<SweepJob<S>> const &, KeptCode<S> const &);
NWGPU_FOR(std::int32_t)
NWGPU_FOR(std::int64_t)
#undef NWGPU_FOR

} // namespace nwgpu::cuda
