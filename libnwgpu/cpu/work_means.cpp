// SPDX-License-Identifier: BSD-3-Clause
// What a pair is given of the memory of a call, beside the pairs that are at work at the same time.
#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "cpu/work.hpp"

namespace nwgpu::cpu {

namespace {

// Under a limit, a pair of more cells is given the memory with which it takes at most so much longer than with all it
// can use, if it can be had, and fewer pairs are at work at the same time.
constexpr double cells_worth_memory = 1e6, longer = 1.1;

} // namespace

// False where memory is lacking.
bool Work::try_plan(PairView const & pair, Means const & means, PairPlan & plan) const
{
    try {
        plan = this->plan(pair, means);
        return true;
    } catch (Error const & error) {
        if (error.status != Status::memory_limit)
            throw;
        return false;
    }
}

// Under a limit, beside other pairs; with `alone`: it lacks memory.
Means Work::means_beside(PairView const & pair, int threads) const
{
    double const cells = static_cast<double>(pair.m) * static_cast<double>(pair.n),
                 most = cells < cells_worth_memory ? HUGE_VAL : longer * plan(pair, {}).work;
    Means means{threads, share_};
    PairPlan plan;
    while (!(try_plan(pair, means, plan) && (plan.work <= most || means.max_bytes == for_pairs_))) {
        if (means.max_bytes == for_pairs_)
            return {.alone = true};
        means.max_bytes = std::min(2 * means.max_bytes, for_pairs_);
    }
    // Further alignments of a pair may take all.
    means.bytes = piece_.request.top > 1 ? means.max_bytes : plan.bytes;
    // By landmarks few pairs at a time take less time than all do by cells.
    LandmarkRoom landmarks = room_for_landmarks(pair, threads, means.max_bytes);
    if (landmarks.bytes == 0)
        landmarks = room_for_landmarks(pair, threads, for_pairs_, ByLandmarks::least_strip_bytes);
    means.bytes = std::max(means.bytes, landmarks.bytes);
    return means;
}

Means Work::means_of(Task const & task, std::uint32_t k) const
{
    PairView const pair = this->pair(k);
    bool const may_share = can_share(static_cast<double>(pair.m) * static_cast<double>(pair.n));
    int const threads = may_share && task.shared ? threads_ : 1;
    if (memory_ == 0)
        return {threads};
    Means means = means_beside(pair, threads);
    // The memory does not hold as many of its kind as there are threads.
    if (may_share && !task.shared && !means.alone && means.bytes > for_pairs_ / static_cast<std::uint64_t>(threads_))
        if (Means const shared = means_beside(pair, threads_); !shared.alone)
            return shared;
    if (!means.alone)
        return means;
    PairPlan plan;
    means.max_bytes = memory_;
    means.threads = may_share ? threads_ : 1;
    if (means.threads > 1 && try_plan(pair, means, plan))
        return means;
    means.threads = 1;
    this->plan(pair, means);
    return means;
}

Work::LandmarkRoom Work::room_for_landmarks(PairView const & pair, int threads, std::uint64_t most,
                                            std::uint64_t strip_bytes) const
{
    if (tuning_ != Tuning{})
        return {};
    std::uint64_t const bytes = ByLandmarks::bytes(pair, scheme_, piece_.request, threads, strip_bytes);
    if (bytes > 0 && (memory_ == 0 || bytes <= most))
        return {bytes, strip_bytes};
    constexpr std::uint64_t least = ByLandmarks::least_strip_bytes;
    return strip_bytes > least ? room_for_landmarks(pair, threads, most, least) : LandmarkRoom{};
}

std::uint64_t Work::bytes_if_shared(PairView const & pair) const
{
    PairPlan plan;
    bool const may = memory_ != 0 && can_share(static_cast<double>(pair.m) * static_cast<double>(pair.n)) &&
                     try_plan(pair, {threads_, for_pairs_}, plan);
    return may ? plan.bytes : 0;
}

} // namespace nwgpu::cpu
