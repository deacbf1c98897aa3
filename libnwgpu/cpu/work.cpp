// SPDX-License-Identifier: BSD-3-Clause
#include "cpu/work.hpp"

#include <algorithm>
#include <new>

#include "cpu/align_one.hpp"
#include "cpu/pair/align_antidiagonals.hpp"

namespace nwgpu::cpu {

namespace {

// A pair of fewer cells is not worth the waiting between threads.
constexpr double cells_for_all_threads = 2e7;

// Of a thread's memory, the part that its lanes may take.
constexpr std::uint64_t part_for_lanes = 4;

std::uint64_t memory_for_threads(Piece const & piece)
{
    std::uint64_t const limit = piece.max_host_bytes, lists = piece.pairs.size() * Tasks::bytes_per_pair;
    return limit == 0 ? 0 : std::max<std::uint64_t>(1, limit - std::min(limit, lists));
}

// Of one of the threads that are at work; 0: no limit.
std::uint64_t share_of(std::uint64_t memory, Piece const & piece, int threads)
{
    std::uint64_t const sharers = std::clamp<std::uint64_t>(piece.pairs.size(), 1, static_cast<std::uint64_t>(threads));
    return memory == 0 ? 0 : std::max<std::uint64_t>(1, memory / sharers);
}

bool may_share_lanes(Piece const & piece, Tuning const & tuning)
{
    return tuning.lanes >= 0 && piece.pairs.size() > 1 && piece.request.is_plain();
}

} // namespace

Work::Work(Piece const & piece, Scheme const & scheme, KernelTable const & kernels, Tuning const & tuning,
           int threads) :
    piece_{piece},
    scheme_{scheme},
    kernels_{kernels},
    tuning_{tuning},
    threads_{threads},
    memory_{memory_for_threads(piece)},
    share_{share_of(memory_, piece, threads)},
    tasks_{piece_, LaneRules{scheme, kernels, piece.request}, may_share_lanes(piece, tuning),
           tuning.lanes > 0 ? std::size_t{2} : 0,
           memory_ == 0 ? 0 : std::max<std::uint64_t>(1, share_ / part_for_lanes)}
{
    share_ -= std::min(share_, tasks_.lane_bytes());
}

std::uint64_t Work::cells_of(Task const & task) const
{
    std::uint64_t cells = 0;
    for (std::uint32_t const k : tasks_.pairs(task))
        cells += piece_.batch.view(piece_.pairs[k]).cells();
    return cells;
}

bool Work::is_long(double cells) { return cells >= cells_for_all_threads; }

Way Work::way_of(double cells) const
{
    bool const by_one =
        threads_ == 1 || needs_antidiagonals(piece_.request.mode); // antidiagonals are computed by one thread
    return by_one || !is_long(cells) ? Way::beside : Way::all_threads;
}

PairPlan Work::plan(PairView const & pair, Way way) const
{
    return plan_pair(pair.m, pair.n, scheme_, kernels_, piece_.request, way == Way::all_threads ? threads_ : 1,
                     way == Way::beside ? share_ : memory_, tuning_);
}

std::pair<PairPlan, Way> Work::first_plan(PairView const & pair) const
{
    Way const way = way_of(static_cast<double>(pair.m) * static_cast<double>(pair.n));
    try {
        return {plan(pair, way), way};
    } catch (Error const & error) {
        if (error.status != Status::memory_limit)
            throw;
        return {plan(pair, Way::alone), Way::alone};
    }
}

void Work::align(Task & task, Way way, LaneBatch * lanes, AnswerWriter & writer, Monitor & monitor) const
{
    if (monitor.stopped())
        return;
    if (task.count > 1)
        return align_group(task, *lanes, writer, monitor);
    bool const has_other_way = way == Way::all_threads || (way == Way::beside && share_ < memory_);
    task.refused = !align_pair(piece_.pairs[tasks_.pairs(task)[0]], way, has_other_way, writer, monitor);
}

void Work::align_group(Task const & task, LaneBatch & lanes, AnswerWriter & writer, Monitor & monitor) const
{
    std::span<std::uint32_t const> const which = tasks_.pairs(task);
    try {
        lanes.align(piece_, which, writer);
    } catch (std::bad_alloc const &) { // alone they take less
        for (std::uint32_t const k : which)
            align_pair(piece_.pairs[k], Way::beside, false, writer, monitor);
        return;
    }
    monitor.poll(cells_of(task));
}

bool Work::align_pair(std::uint64_t p, Way way, bool may_refuse, AnswerWriter & writer, Monitor & monitor) const
{
    try {
        PairView const pair = piece_.batch.view(p);
        PairResult answer = align_one(pair, scheme_, kernels_, piece_.request, plan(pair, way), monitor);
        writer.put(p, answer);
    } catch (Error const & error) {
        if (!piece_.request.checkpoint.folder.empty() &&
            (error.status == Status::checkpoint || error.status == Status::cancelled))
            throw; // the only pair, on the calling thread
        if (error.status == Status::memory_limit && may_refuse)
            return false;
        if (error.status != Status::cancelled) // that one ends the whole call
            writer.fail(p, error.status, error.what());
    } catch (std::bad_alloc const &) {
        writer.fail(p, Status::out_of_host_memory, "out of memory");
    }
    return true;
}

} // namespace nwgpu::cpu
