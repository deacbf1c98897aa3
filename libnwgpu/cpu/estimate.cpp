// SPDX-License-Identifier: BSD-3-Clause
// What a piece will take: memory from the plans of its pairs, time from some of the work itself.
#include <algorithm>
#include <chrono>
#include <functional>
#include <numeric>
#include <optional>
#include <queue>
#include <vector>

#include "cpu/align_one.hpp"
#include "cpu/batch/band_batch.hpp"
#include "cpu/batch/bit_batch.hpp"
#include "cpu/probe.hpp"
#include "cpu/work.hpp"

namespace nwgpu::cpu {

namespace {

// Of several smaller pairs some are computed to predict how long all take, for so long.
constexpr double sample_seconds = 16e-3;
// Of long ones so many are looked at.
constexpr std::size_t probes = 3;
// What each thread takes longer beside one more: chosen by rows that 16 threads took 0.7 to 1.9 % per thread longer
// for.
constexpr double slower_beside = 0.01;
// Of what landmarks take, the part that threads do not share: chosen by pairs of a million letters.
constexpr double one_after_another = 0.25;

constexpr std::uint64_t small_objects = 4096; // of each thread

// Measured: some tasks of the smaller pairs, all over their order, on this thread, for all of them.
double sampled_seconds(Work & work, Monitor & monitor)
{
    auto const first =
        std::ranges::partition_point(work.tasks(), [&](Task const & task) { return work.is_long(task.cells); });
    std::span<Task> const tasks{first, work.tasks().end()};
    FurthestMemory furthest;
    ThreadMemory memory{furthest};
    memory.lanes = work.make_lanes();
    AnswerWriter nowhere{nullptr};
    double all = 0, done = 0, seconds = 0;
    for (Task const & task : tasks)
        all += static_cast<double>(work.cells_of(task));
    std::size_t step = tasks.size() * 5 / 8 + 1; // from one to the next, round and round: meets each once
    while (std::gcd(step, tasks.size()) != 1)
        ++step;
    double begin = 0;
    for (std::size_t k = 0, at = tasks.size() / 2; !tasks.empty() && k <= tasks.size() && seconds < sample_seconds;
         ++k) {
        Task & task = tasks[at];
        Means means = work.means_of(task, work.pairs(task)[0]);
        means.threads = 1;
        work.align(task, means, memory, nowhere, monitor);
        work.align_lone_pairs(memory, nowhere, monitor);
        at = (at + step) % tasks.size();
        if (k == 0) { // with new memory
            work.align_waiting(LocatedPairs::Wanted::any, memory, nowhere, monitor);
            begin = thread_seconds();
            continue;
        }
        done += static_cast<double>(work.cells_of(task));
        seconds = thread_seconds() - begin;
    }
    if (done > 0) {
        work.align_waiting(LocatedPairs::Wanted::any, memory, nowhere, monitor); // no further groups will come
        seconds = thread_seconds() - begin;
    }
    auto const at_once = std::min<std::size_t>(tasks.size(), static_cast<std::size_t>(work.threads()));
    return done > 0 ? seconds * all / (done * static_cast<double>(at_once)) : 0;
}

// Measured: a small pair, computed here and now; as high as the strips of long ones.
double cells_per_second(Work const & work, Monitor & monitor)
{
    Scheme const & scheme = work.scheme();
    std::vector<std::uint8_t> letters(4096 + 2 * CodedSequences::padding);
    std::uint64_t const m = scheme.scoring().is_uniform() ? 1024 : 4096;
    PairView const pair{letters.data() + CodedSequences::padding, m, letters.data() + CodedSequences::padding,
                        (std::uint64_t{1} << 22) / m};
    Request score_only = work.piece().request;
    score_only.output = Output::score;
    score_only.top = 1;
    score_only.checkpoint = {};
    if (score_only.mode.band)
        score_only.mode.band = Diagonals{-static_cast<std::int64_t>(pair.m), static_cast<std::int64_t>(pair.n)};
    Tuning tuning = work.tuning();
    tuning.band = -1;
    tuning.furthest = -1;
    PairPlan const plan = plan_pair(pair.m, pair.n, scheme, work.kernels(), score_only, 1, 0, tuning);
    FurthestMemory memory;
    double best = 1e9;
    for (int k = 0; k < 3; ++k) {
        auto const begin = std::chrono::steady_clock::now();
        align_one(pair, scheme, work.kernels(), score_only, plan, memory, monitor);
        std::chrono::duration<double> const seconds = std::chrono::steady_clock::now() - begin;
        best = std::min(best, seconds.count());
    }
    return static_cast<double>(pair.m * pair.n) / best;
}

// Of the long pairs, the largest first, each by the thread that has the least to do; what is computed cell by cell is
// shared at the end.
double long_seconds(Work const & work, double rate, Monitor & monitor)
{
    std::span<Task const> const tasks = work.tasks();
    auto const first_short =
        std::ranges::partition_point(tasks, [&](Task const & task) { return work.is_long(task.cells); });
    auto const count = static_cast<std::size_t>(first_short - tasks.begin()), parts = std::min(count, probes);
    auto const threads = static_cast<std::size_t>(work.threads());
    std::priority_queue<double, std::vector<double>, std::greater<>> ends; // of the threads
    for (std::size_t k = 0; k < std::min(count, threads); ++k)
        ends.push(0);
    double all = 0, last = 0;
    for (std::size_t part = 0; part < parts; ++part) {
        std::size_t const begin = part * count / parts, end = (part + 1) * count / parts;
        auto const pair_of = [&](std::size_t k) { return work.pair(work.pairs(tasks[k])[0]); };
        auto const means_of = [&](std::size_t k) { return work.means_of(tasks[k], work.pairs(tasks[k])[0]); };
        std::size_t const middle = begin + (end - begin) / 2;
        std::optional<Growth> const growth = probe(work, pair_of(middle), means_of(middle), monitor);
        for (std::size_t k = begin; k < end; ++k) {
            PairView const pair = pair_of(k);
            bool const is_shared = (!growth || growth->way == Work::Way::band) && work.may_help();
            double seconds = growth ? growth->seconds(static_cast<double>(pair.m + pair.n))
                                    : work.plan(pair, means_of(k)).work / rate;
            if (growth && growth->way == Work::Way::landmarks && count < threads && means_of(k).threads > 1)
                seconds *= one_after_another +
                           (1 - one_after_another) * static_cast<double>(count) / static_cast<double>(threads);
            all += seconds;
            if (is_shared)
                continue;
            double const end_of_pair = ends.top() + seconds;
            ends.pop();
            ends.push(end_of_pair);
            last = std::max(last, end_of_pair);
        }
    }
    return std::max(last, all / static_cast<double>(work.may_help() ? threads : std::max<std::size_t>(1, ends.size())));
}

// Into a heap of the `count` largest ones.
void keep_most(std::vector<std::uint64_t> & most, std::uint64_t bytes, std::uint64_t count)
{
    if (most.size() == count) {
        if (bytes <= most.front())
            return;
        std::ranges::pop_heap(most, std::greater{});
        most.pop_back();
    }
    most.push_back(bytes);
    std::ranges::push_heap(most, std::greater{});
}

} // namespace

double longer_beside(int threads) { return 1 + slower_beside * (threads - 1); }

Estimate estimate(Work & work, Team & team)
{
    Piece const & piece = work.piece();
    Request const & request = piece.request;
    Estimate estimate;
    double short_work = 0; // in cells
    auto const threads = static_cast<std::uint64_t>(work.threads());
    std::uint64_t const count = piece.pairs.size(), at_once = std::min(count, threads);
    std::uint64_t largest = 0, alone = 0;           // bytes
    bool keeps = false;                             // FurthestMemory
    std::uint64_t longest = 0, longest_in_band = 0; // of BitBatch and BandBatch, letters
    auto const penalties = penalties_before_strips(work.scheme().scoring(), request, work.tuning());
    bool const in_bits = penalties && penalties->unit_costs() && count > 1;
    bool const in_bands = penalties && count > 1 && BandBatch::takes(work.scheme());
    std::vector<std::uint64_t> most; // bytes of the pairs that take most, as many as there are threads; a heap
    for (Task const & task : work.tasks())
        for (std::uint32_t const k : work.pairs(task)) {
            PairView const pair = work.pair(k);
            Means const means = work.means_of(task, k);
            PairPlan plan = work.plan(pair, means);
            if (std::uint64_t const bytes = work.room_for_landmarks(pair, means).bytes; bytes > 0) {
                plan.bytes = std::max(plan.bytes, bytes);
                keeps = keeps || work.memory() == 0;
            }
            estimate.cells += pair.cells();
            keeps = keeps || (plan.furthest.tried && work.memory() == 0);
            std::uint64_t const letters = std::max(pair.m, pair.n);
            if (in_bits && letters <= BitBatch::most_letters)
                longest = std::max(longest, letters);
            if (in_bands && letters <= BandBatch::most_letters)
                longest_in_band = std::max(longest_in_band, letters);
            if (!work.is_long(static_cast<double>(pair.cells())))
                short_work += plan.work;
            if (means.alone)
                alone = std::max(alone, plan.bytes);
            else
                keep_most(most, std::max(plan.bytes, work.bytes_if_shared(pair)), at_once);
            if (plan.bytes > largest) {
                largest = plan.bytes;
                estimate.plan = describe(plan, pair.m, pair.n, request);
            }
        }
    std::uint64_t const beside = std::accumulate(most.begin(), most.end(), work.lane_bytes() * at_once);
    estimate.host_bytes =
        std::max(alone, beside) +
        count * (std::max(Tasks::bytes_per_pair, longest_in_band > 0 ? BandBatch::bytes_per_pair : 0) +
                 sizeof(std::uint64_t)) +
        (at_once + 1) * small_objects +
        (keeps ? at_once * (FurthestMemory::most_kept + BitBatch::workspace(longest)) : 0) +
        (longest_in_band > 0 && work.memory() == 0 ? at_once * BandGroup::workspace(longest_in_band) : 0);
    Progress const silent;
    Monitor monitor{silent, 1, team};
    double const rate = cells_per_second(work, monitor);
    double const short_seconds = count > 1 && short_work > 0 && request.top == 1 && request.checkpoint.folder.empty()
                                     ? sampled_seconds(work, monitor)
                                     : short_work / (rate * static_cast<double>(std::max<std::uint64_t>(1, at_once)));
    std::uint64_t const busy = work.may_help() ? threads : std::max<std::uint64_t>(1, at_once);
    estimate.seconds = (long_seconds(work, rate, monitor) + short_seconds) * longer_beside(static_cast<int>(busy));
    estimate.plan = std::to_string(count) + " pairs on cpu:" + work.kernels().name + " with " +
                    std::to_string(threads) + " threads; the largest: " + estimate.plan;
    return estimate;
}

} // namespace nwgpu::cpu
