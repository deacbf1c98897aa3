// SPDX-License-Identifier: BSD-3-Clause
#include "cuda/sweeper.hpp"

#include <algorithm>

namespace nwgpu::cuda {

namespace {

template <class S>
bool before(StripBest<S> const & a, StripBest<S> const & b) // in the order of the tie rule
{
    return a.score != b.score ? a.score > b.score : a.col != b.col ? a.col < b.col : a.row < b.row;
}

} // namespace

template <class S>
void Sweeper<S>::run(SweepKernel const & kernel, std::vector<SweepJob<S>> jobs, int warps_per_multiprocessor,
                     Monitor & monitor, std::uint64_t cells, std::vector<StripBest<S>> * best) const
{
    std::vector<SweepItem> items;
    for (std::uint32_t j = 0; j < jobs.size(); ++j) {
        jobs[j].first_strip = static_cast<std::uint32_t>(items.size());
        for (std::uint32_t s = 0; s < ceil_div(jobs[j].rows, kernel.strip_rows); ++s)
            items.push_back({j, s});
    }
    auto const count = static_cast<std::uint32_t>(items.size());
    DeviceArray<SweepJob<S>> const device_jobs{device_, jobs};
    DeviceArray<SweepItem> const device_items{device_, items};
    DeviceArray<std::uint32_t> const counters{device_, std::uint64_t{count} + 1}; // the ticket, then progress
    check(cudaMemsetAsync(counters.data(), 0, counters.bytes(), device_.stream()), "clearing memory");
    DeviceArray<StripBest<S>> const strip_best{device_, best ? count : 0};

    SweepArgs<S> args = args_;
    args.jobs = device_jobs.data();
    args.items = device_items.data();
    args.item_count = count;
    args.ticket = counters.data();
    args.progress = counters.data() + 1;
    args.best = best ? strip_best.data() : nullptr;
    args.stop = device_.stop_flag();

    auto const shared = static_cast<std::size_t>(args.letters) * kernel.letter_bytes;
    check(cudaFuncSetAttribute(kernel.function, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shared)),
          "reserving shared memory");
    int resident = 0;
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel.function, 32, shared), "planning a launch");
    if (resident == 0)
        throw Error{Status::device, "the score table does not fit the device's shared memory"};
    auto const blocks =
        std::min<std::uint32_t>(count, std::min(resident, warps_per_multiprocessor) * device_.multiprocessors());
    void * parameters[] = {&args};
    check(cudaLaunchKernel(kernel.function, blocks, 32, parameters, shared, device_.stream()), "starting a kernel");
    device_.wait(monitor, args.ticket, count, cells);

    if (!best)
        return;
    std::vector<StripBest<S>> of_strips(count);
    device_.download(of_strips.data(), strip_best.data(), strip_best.bytes());
    best->assign(jobs.size(), StripBest<S>{0, 0, 0});
    for (std::uint32_t k = 0; k < count; ++k)
        if (StripBest<S> & so_far = (*best)[items[k].job]; of_strips[k].score > 0 && before(of_strips[k], so_far))
            so_far = of_strips[k];
}

template class Sweeper<std::int32_t>;
template class Sweeper<std::int64_t>;

} // namespace nwgpu::cuda
