// SPDX-License-Identifier: BSD-3-Clause
#include "cuda/sweep/device_speed.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <map>
#include <mutex>

#include "cuda/kernels/boundaries.hpp"
#include "cuda/sweep/boundary_memory.hpp"
#include "cuda/sweep/sweeper.hpp"

namespace nwgpu::cuda {

namespace {

// By KernelKind::index(), what measure_step() says on an H200.
constexpr double fitted_on[KernelKind::count] = {137.6e-9, 351.5e-9, 141.3e-9, 122.8e-9, 162.4e-9, 143.0e-9};

constexpr int rows_per_half = 16, schedulers = 4;
constexpr std::uint32_t steps = 4096;
constexpr double most_seconds = 8e-3; // of measuring: an idle device needs some to come to its full clock

template <class S>
double measure(Device & device, KernelKind const & kind)
{
    constexpr std::uint32_t letters = 4;
    std::vector<std::int32_t> scores(letters * letters, -3);
    for (std::uint32_t k = 0; k < letters; ++k)
        scores[k * letters + k] = 1;
    DeviceArray<std::int32_t> const device_scores{device, scores};
    SweepArgs<S> args;
    args.scores = device_scores.data();
    args.letters = letters;
    args.open = kind.linear ? 0 : 3;
    args.extend = 2;
    args.code = KeptCode<S>::of(args.open, args.extend);
    args.floor = kind.local ? 0 : std::numeric_limits<S>::min() / 2;
    args.local = kind.local;
    Sweeper<S> const sweeper{device, args};
    SweepKernel const kernel = sweeper.kernel(kind.packed ? rows_per_half : 0);

    std::vector<std::uint8_t> text(std::max(steps, kernel.strip_rows));
    for (std::size_t k = 0; k < text.size(); ++k)
        text[k] = static_cast<std::uint8_t>(k * k / 7 % letters);
    DeviceArray<std::uint8_t> const device_text{device, text};
    SweepJob<S> job;
    job.query = job.target = device_text.data();
    job.rows = kernel.strip_rows;
    job.cols = steps;
    std::vector<SweepJob<S>> jobs(static_cast<std::size_t>(schedulers * device.multiprocessors()), job);
    Borders<S> const borders{device, jobs, false, false};
    fill_borders(device, jobs, kind.local, kind.local, args.code);

    SweepPlan plan;
    plan.rows_per_half = kind.packed ? rows_per_half : 0;
    plan.warps_per_multiprocessor = schedulers;
    Progress const none;
    Team alone{1};
    Monitor monitor{none, 0, alone};
    using Clock = std::chrono::steady_clock;
    auto const seconds_since = [](Clock::time_point begin) {
        return std::chrono::duration<double>(Clock::now() - begin).count();
    };
    sweeper.run(kernel, jobs, plan, monitor, 0); // loads the kernel
    double best = 1e9;
    auto const begin = Clock::now();
    for (int k = 0; k < 3 || seconds_since(begin) < most_seconds; ++k) {
        auto const start = Clock::now();
        sweeper.run(kernel, jobs, plan, monitor, 0);
        best = std::min(best, seconds_since(start));
    }
    return best / steps;
}

} // namespace

double measure_step(Device & device, KernelKind const & kind)
{
    return kind.wide ? measure<std::int64_t>(device, kind) : measure<std::int32_t>(device, kind);
}

double device_speed(Device & device, KernelKind const & kind)
{
    static std::mutex mutex;
    static std::map<std::pair<int, int>, double> known;
    std::lock_guard const lock{mutex};
    std::pair const key{device.index(), kind.index()};
    if (auto const at = known.find(key); at != known.end())
        return at->second;
    if (!device.has_own_stream()) // work of the caller may be on it
        return 1;
    try {
        return known[key] = measure_step(device, kind) / fitted_on[kind.index()];
    } catch (Error const & error) {
        known.erase(key);
        if (error.status != Status::out_of_device_memory)
            throw;
        return 1;
    }
}

} // namespace nwgpu::cuda
