// SPDX-License-Identifier: BSD-3-Clause
#include "cpu/work.hpp"

#include <algorithm>
#include <new>
#include <optional>

#include "base/rest_of_limit.hpp"
#include "cpu/align_one.hpp"
#include "cpu/pair/align_antidiagonals.hpp"
#include "cpu/pair/align_strips.hpp"
#include "cpu/pair/similar_part.hpp"

namespace nwgpu::cpu {

namespace {

// Of a thread's memory, the part that its lanes may take.
constexpr std::uint64_t part_for_lanes = 4;

std::uint64_t memory_for_threads(Piece const & piece)
{
    return rest_of_limit(piece.max_host_bytes, piece.pairs.size() * Tasks::bytes_per_pair);
}

// Of the pairs that are at work at the same time.
std::uint64_t at_once(Piece const & piece, int threads)
{
    return std::clamp<std::uint64_t>(piece.pairs.size(), 1, static_cast<std::uint64_t>(threads));
}

bool may_share_lanes(Piece const & piece, Tuning const & tuning)
{
    return tuning.lanes >= 0 && piece.pairs.size() > 1 && piece.request.mode.has_usual_rules() &&
           piece.request.top == 1;
}

} // namespace

Work::Work(Piece const & piece, Scheme const & scheme, KernelTable const & kernels, Tuning const & tuning,
           LaneLosses & losses, Team & team, Ways ways) :
    piece_{piece},
    scheme_{scheme},
    kernels_{kernels},
    tuning_{tuning},
    losses_{losses},
    threads_{team.size()},
    ways_{ways},
    memory_{memory_for_threads(piece)},
    share_{memory_ == 0 ? 0 : std::max<std::uint64_t>(1, memory_ / at_once(piece, threads_))},
    before_strips_{memory_ == 0 ? penalties_before_strips(scheme.scoring(), piece_.request, tuning) : std::nullopt},
    lane_rules_{scheme, kernels, piece_.request, tuning.max_trace_bytes,
                // Under a limit, what goes alone has to be planned before.
                tuning.bands >= 0 && memory_ == 0},
    tasks_{piece_,
           lane_rules_,
           may_share_lanes(piece, tuning) && ways == Ways::all,
           tuning.lanes > 0 ? std::size_t{2} : 0,
           memory_ == 0 ? 0 : std::max<std::uint64_t>(1, share_ / part_for_lanes),
           team},
    located_{std::make_unique<LocatedPairs>(lane_rules_.has_paths_later() ? count_groups() : 0,
                                            static_cast<std::size_t>(kernels.lanes), at_once(piece, threads_))},
    lone_{std::make_unique<Lone>()}
{
    if (memory_ == 0)
        return;
    share_ = std::max<std::uint64_t>(1, share_ - std::min(share_, tasks_.lane_bytes()));
    for_pairs_ = share_ * at_once(piece, threads_);
}

std::size_t Work::count_groups() const
{
    return static_cast<std::size_t>(std::ranges::count_if(tasks(), [](Task const & task) { return task.count > 1; }));
}

std::uint64_t Work::cells_of(Task const & task) const
{
    std::uint64_t cells = 0;
    for (std::uint32_t const k : tasks_.pairs(task))
        cells += piece_.batch.view(piece_.pairs[k]).cells();
    return cells;
}

bool Work::can_share(double cells) const
{
    return threads_ > 1 && is_long(cells) && !needs_antidiagonals(piece_.request.mode); // which one thread computes
}

PairPlan Work::plan(PairView const & pair, Means const & means) const
{
    return plan_pair(pair.m, pair.n, scheme_, kernels_, piece_.request, means.threads, means.max_bytes, tuning_);
}

void Work::align(Task const & task, Means const & means, ThreadMemory & memory, AnswerWriter & writer,
                 Monitor & monitor) const
{
    if (monitor.stopped())
        return;
    if (task.count > 1)
        return align_group(task, memory, writer, monitor);
    align_pair(piece_.pairs[tasks_.pairs(task)[0]], means, memory, writer, monitor);
}

std::unique_ptr<LaneBatch> Work::make_lanes() const
{
    using Bands = LaneBatch::Bands;
    return std::make_unique<LaneBatch>(scheme_, kernels_, piece_.request, lane_rules_, losses_, *located_,
                                       tuning_.bands > 0   ? Bands::always
                                       : tuning_.bands < 0 ? Bands::never
                                                           : Bands::where_quicker);
}

void Work::align_group(Task const & task, ThreadMemory & memory, AnswerWriter & writer, Monitor & monitor) const
{
    try {
        memory.lanes->align(piece_, tasks_.pairs(task), writer);
    } catch (std::bad_alloc const &) { // alone they take less
        memory.lanes->give_up();
    }
    std::uint64_t cells = cells_of(task);
    for (std::uint32_t const k : memory.lanes->alone())
        cells -= std::min(cells, pair(k).cells());
    monitor.poll(cells);
    share_lone_pairs(memory, writer, monitor);
    located_->end_group();
    align_located(LocatedPairs::Wanted::several_groups, memory, writer, monitor);
}

void Work::align_waiting(LocatedPairs::Wanted wanted, ThreadMemory & memory, AnswerWriter & writer,
                         Monitor & monitor) const
{
    if (!memory.lanes || monitor.stopped())
        return;
    try {
        memory.lanes->align_waiting(piece_, writer);
    } catch (std::bad_alloc const &) {
        memory.lanes->give_up();
    }
    share_lone_pairs(memory, writer, monitor);
    align_located(wanted, memory, writer, monitor);
    align_lone_pairs(memory, writer, monitor);
}

void Work::align_located(LocatedPairs::Wanted wanted, ThreadMemory & memory, AnswerWriter & writer,
                         Monitor & monitor) const
{
    for (bool some = true; some && !monitor.stopped(); share_lone_pairs(memory, writer, monitor))
        try {
            some = memory.lanes->align_located(piece_, wanted, writer);
        } catch (std::bad_alloc const &) {
            memory.lanes->give_up();
        }
}

// To all threads, so that none has many of them to itself in the end.
void Work::share_lone_pairs(ThreadMemory & memory, AnswerWriter & writer, Monitor & monitor) const
{
    auto const pairs = memory.lanes->alone();
    try {
        std::lock_guard const lock{lone_->mutex};
        lone_->pairs.insert(lone_->pairs.end(), pairs.begin(), pairs.end());
    } catch (std::bad_alloc const &) {
        for (std::uint32_t const k : pairs)
            align_lone_pair(k, memory, writer, monitor);
    }
    memory.lanes->forget_alone();
}

void Work::align_lone_pairs(ThreadMemory & memory, AnswerWriter & writer, Monitor & monitor) const
{
    for (;;) {
        std::unique_lock lock{lone_->mutex};
        if (lone_->next == lone_->pairs.size())
            return;
        std::uint32_t const k = lone_->pairs[lone_->next++];
        lock.unlock();
        align_lone_pair(k, memory, writer, monitor);
    }
}

void Work::align_lone_pair(std::uint32_t k, ThreadMemory & memory, AnswerWriter & writer, Monitor & monitor) const
{
    if (!monitor.stopped())
        align_pair(piece_.pairs[k], {1, share_}, memory, writer, monitor);
}

void Work::align_pair(std::uint64_t p, Means const & means, ThreadMemory & memory, AnswerWriter & writer,
                      Monitor & monitor) const
{
    try {
        if (auto answer = align_pair(piece_.batch.view(p), means, memory, monitor))
            writer.put(p, *answer);
    } catch (Error const & error) {
        if (!piece_.request.checkpoint.folder.empty() &&
            (error.status == Status::checkpoint || error.status == Status::cancelled))
            throw;                             // the only pair, on the calling thread
        if (error.status != Status::cancelled) // that one ends the whole call
            writer.fail(p, error.status, error.what());
    } catch (std::bad_alloc const &) {
        writer.fail(p, Status::out_of_host_memory, "out of memory");
    }
}

// Under a limit nothing is kept for the next pair, or for other ways.
std::optional<PairResult> Work::align_by_landmarks(PairView const & pair, Means const & means, ThreadMemory & memory,
                                                   Monitor & monitor) const
{
    if (tuning_ != Tuning{})
        return std::nullopt;
    std::uint64_t const strip_bytes =
        memory_ == 0 ? ByLandmarks::usual_strip_bytes : room_for_landmarks(pair, means).strip_bytes;
    if (strip_bytes == 0)
        return std::nullopt;
    Team * const team = means.threads > 1 ? &monitor.team() : nullptr;
    auto answer = memory.landmarks.align(pair, scheme_, kernels_, piece_.request, team, strip_bytes, monitor);
    if (memory_ != 0)
        memory.landmarks.trim();
    return answer;
}

namespace {

struct Trimmed { // however it ends
    FurthestMemory & memory;
    std::uint64_t const most;
    ~Trimmed() { memory.trim(most); }
};

} // namespace

// Most of what is planned is needed only where sequences are not very similar.
std::optional<PairResult> Work::align_pair(PairView const & pair, Means const & means, ThreadMemory & memory,
                                           Monitor & monitor) const
{
    // Under a limit it is no part of a plan.
    Trimmed const trimmed{memory.furthest, memory_ == 0 ? FurthestMemory::most_kept : 0};
    bool tried = false;
    if (auto answer = align_by_landmarks(pair, means, memory, monitor))
        return answer;
    monitor.throw_if_stopped();
    if (ways_ == Ways::landmarks)
        return std::nullopt;
    if (auto answer = align_by_fronts(pair, means, memory.furthest, monitor, tried))
        return answer;
    PairPlan plan = this->plan(pair, means);
    plan.furthest.tried = plan.furthest.tried && !tried;
    look_for_score(pair, monitor, plan);
    BandCut const cut = cut_by_words(pair, means, plan);
    return moved(cut, align_one(cut.pair, scheme_, kernels_, piece_.request, plan, memory.furthest, monitor));
}

void Work::look_for_score(PairView const & pair, Monitor & monitor, PairPlan & plan) const
{
    if (!plan.may_skip)
        return;
    try {
        Mode const & mode = piece_.request.mode;
        plan.known = similar_part_score(pair, scheme_, kernels_, mode, plan.threads, monitor);
        if (std::int64_t const known = std::max(plan.known, piece_.request.min_score); known > 0 && !mode.local) {
            Scoring const & scoring = scheme_.scoring();
            std::uint64_t const half_width = path::free_ends_half_width(pair, mode, scoring, known);
            plan.band = word_band(pair, mode, scoring, known, path::band_around(pair, half_width));
        }
    } catch (std::bad_alloc const &) { // without it the pair takes less
        plan.may_skip = false;
    }
}

// The pair that is left, and its plan.
BandCut Work::cut_by_words(PairView const & pair, Means const & means, PairPlan & plan) const
{
    if (!plan.band)
        return {pair};
    BandCut const cut = cut_to_band(pair, *plan.band);
    PairPlan rest = this->plan(cut.pair, means);
    rest.furthest.tried = rest.furthest.tried && plan.furthest.tried;
    rest.may_skip = true;
    rest.known = plan.known;
    rest.band = cut.band;
    plan = rest;
    return cut;
}

std::optional<PairResult> Work::align_by_fronts(PairView const & pair, Means const & means, FurthestMemory & furthest,
                                                Monitor & monitor, bool & tried) const
{
    if (!before_strips_)
        return std::nullopt;
    int const threads = std::max(1, means.threads);
    FurthestMemory::Planned & known = furthest.planned[(pair.m + pair.n) % furthest.planned.size()];
    FurthestMemory::Planned::Key const key{
        pair.m, pair.n, *before_strips_, piece_.request.min_score, piece_.request.output >= Output::span, threads};
    if (known.key != key)
        known = {key, plan_before_strips(pair.m, pair.n, *before_strips_, kernels_, piece_.request, threads, tuning_)};
    if (!known.plan)
        return std::nullopt;
    FurthestPlan const plan = *known.plan; // memory may be given back
    tried = true;
    auto answer = align_furthest(pair, *before_strips_, kernels_, piece_.request, plan, furthest, monitor);
    if (!answer)
        furthest.trim();
    return answer;
}

std::optional<PairResult> Work::align_if_similar(Monitor & monitor) const
{
    Task const & task = tasks().front();
    std::uint32_t const k = pairs(task)[0];
    FurthestMemory furthest;
    Way way{};
    try {
        return align_if_similar(pair(k), means_of(task, k), false, furthest, monitor, way);
    } catch (Error const & error) {
        if (error.status == Status::memory_limit)
            return std::nullopt;
        throw;
    } catch (std::bad_alloc const &) {
        return std::nullopt;
    }
}

std::optional<PairResult> Work::align_if_similar(PairView const & pair, Means const & means, bool may_skip,
                                                 FurthestMemory & furthest, Monitor & monitor, Way & way) const
{
    ThreadMemory memory{furthest};
    way = Way::landmarks;
    if (auto answer = align_by_landmarks(pair, means, memory, monitor))
        return answer;
    if (monitor.stopped())
        return std::nullopt;
    way = Way::fronts;
    bool tried = false;
    if (auto answer = align_by_fronts(pair, means, furthest, monitor, tried))
        return answer;
    PairPlan plan = this->plan(pair, means);
    plan.may_skip = plan.may_skip && may_skip;
    if (plan.furthest.tried && !tried)
        if (auto answer = align_furthest(pair, Penalties::of(scheme_.scoring()), kernels_, piece_.request,
                                         plan.furthest, furthest, monitor))
            return answer;
    furthest.trim(0);
    way = Way::band;
    look_for_score(pair, monitor, plan);
    BandCut const cut = cut_by_words(pair, means, plan);
    auto answer = align_in_band(cut.pair, scheme_, kernels_, piece_.request, plan, monitor);
    return answer ? std::optional{moved(cut, *std::move(answer))} : std::nullopt;
}

} // namespace nwgpu::cpu
