// SPDX-License-Identifier: BSD-3-Clause
#include "cuda/sweep/sweeper.hpp"

#include <algorithm>

#include "cuda/kernels/raw_columns.hpp"

namespace nwgpu::cuda {

namespace {

template <class S>
struct StopAtEnd {
    BesideSweep<S> * beside;
    ~StopAtEnd()
    {
        if (beside)
            beside->stop();
    }
};

} // namespace

template <class S>
void Sweeper<S>::start(SweepKernel const & kernel, std::vector<SweepJob<S>> jobs, SweepPlan const & plan,
                       Monitor * monitor, std::uint64_t cells, std::vector<std::vector<StripBest<S>>> * best,
                       Skipping<S> * skip, BesideSweep<S> * beside) const
{
    std::vector<SweepItem> items;
    std::vector<std::uint32_t> begins_so_far; // a place per strip, and one for each top that comes
    for (std::uint32_t j = 0; j < jobs.size(); ++j) {
        if (jobs[j].top_comes)
            begins_so_far.push_back(1); // with the first column
        jobs[j].first_strip = static_cast<std::uint32_t>(begins_so_far.size());
        begins_so_far.resize(begins_so_far.size() + ceil_div(jobs[j].rows, kernel.strip_rows));
        for (std::uint32_t s = 0; s < ceil_div(jobs[j].rows, kernel.strip_rows); ++s)
            items.push_back({j, s});
    }
    auto const count = static_cast<std::uint32_t>(items.size()),
               places = static_cast<std::uint32_t>(begins_so_far.size());
    DeviceArray<SweepJob<S>> const device_jobs{device_, jobs};
    DeviceArray<SweepItem> const device_items{device_, items};
    DeviceArray<std::uint32_t> const counters{device_, std::uint64_t{places} + 1}; // the ticket, then progress
    check(cudaMemsetAsync(counters.data(), 0, counters.bytes(), device_.stream()), "clearing memory");
    DeviceArray<StripBest<S>> const strip_best{device_, best ? places : 0};
    DeviceArray<std::uint32_t> const begins{device_, skip ? places : 0}, ends{device_, skip ? places : 0};
    DeviceArray<S> const best_so_far = skip ? DeviceArray<S>{device_, std::vector{skip->best}} : DeviceArray<S>{};

    SweepArgs<S> args = args_;
    args.jobs = device_jobs.data();
    args.items = device_items.data();
    args.item_count = count;
    args.ticket = counters.data();
    args.progress = counters.data() + 1;
    args.best = best ? strip_best.data() : nullptr;
    args.stop = device_.stop_flag();
    args.slack = plan.slack;
    if (skip) {
        device_.upload(begins.data(), begins_so_far.data(), begins.bytes());
        check(cudaMemsetAsync(ends.data(), 0xff, ends.bytes(), device_.stream()), "clearing memory");
        args.skip.best = best_so_far.data();
        args.skip.top_end = skip->top_end;
        args.skip.begin = begins.data();
        args.skip.end = ends.data();
    }

    std::uint32_t const warps = kernel.warps_per_block;
    auto const threads = static_cast<int>(32 * warps);
    auto const shared = (std::size_t{args.letters} + 1) * kernel.letter_bytes * warps;
    // As much as there may be, whatever it is here: the number belongs to the kernel, and other engines have others.
    cudaFuncAttributes attributes{};
    check(cudaFuncGetAttributes(&attributes, kernel.function), "reserving shared memory");
    check(cudaFuncSetAttribute(kernel.function, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               static_cast<int>(device_.shared_bytes_per_block() - attributes.sharedSizeBytes)),
          "reserving shared memory");
    // No multiprocessor may get more blocks than its share: the slowest sets the pace.
    int resident = 0;
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel.function, threads, shared),
          "planning a launch");
    if (resident == 0)
        throw Error{Status::device, "the score table does not fit the device's shared memory"};
    int const wanted = std::max(1, plan.warps_per_multiprocessor / static_cast<int>(warps));
    auto const blocks = static_cast<unsigned>(std::min<std::uint64_t>(
        ceil_div(count, warps), static_cast<std::uint64_t>(std::min(resident, wanted)) * device_.multiprocessors()));
    if (kernel.raw_columns)
        load_finish_columns();
    StopAtEnd<S> const stop{beside};
    if (beside) {
        check(cudaStreamSynchronize(device_.stream()), "preparing a sweep");
        beside->begin(args, jobs);
    }
    void * parameters[] = {&args};
    check(cudaLaunchKernel(kernel.function, blocks, threads, parameters, shared, device_.stream()),
          "starting a kernel");
    if constexpr (sizeof(S) == 4)
        if (kernel.raw_columns)
            finish_columns(device_, kernel, jobs, args);
    if (!monitor)
        return; // the memory is freed in the order of the stream
    device_.wait(*monitor, args.ticket, count, cells);
    if (beside)
        beside->end();
    for (std::size_t j = 0; skip && skip->bottoms && j < jobs.size(); ++j) {
        std::uint64_t const last = jobs[j].first_strip + ceil_div(jobs[j].rows, kernel.strip_rows) - 1;
        std::uint32_t begin = 0, end = 0;
        device_.download(&begin, begins.data() + last, sizeof begin);
        device_.download(&end, ends.data() + last, sizeof end);
        skip->bottoms->push_back(written_bottom(begin, end, jobs[j].cols));
    }
    if (!best)
        return;
    std::vector<StripBest<S>> of_strips(places);
    device_.download(of_strips.data(), strip_best.data(), strip_best.bytes());
    best->assign(jobs.size(), {});
    for (std::uint32_t k = 0; k < count; ++k) {
        StripBest<S> & found = of_strips[jobs[items[k].job].first_strip + items[k].strip];
        std::vector<StripBest<S>> & so_far = (*best)[items[k].job];
        if (found.score <= 0 || (!so_far.empty() && found.score < so_far.front().score))
            continue;
        if (!so_far.empty() && found.score > so_far.front().score)
            so_far.clear();
        found.row = std::max(found.row, items[k].strip * kernel.strip_rows);
        so_far.push_back(found);
    }
}

template class Sweeper<std::int32_t>;
template class Sweeper<std::int64_t>;

} // namespace nwgpu::cuda
