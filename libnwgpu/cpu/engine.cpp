// SPDX-License-Identifier: BSD-3-Clause
// Who computes which pair: large pairs one after another with all threads; short ones in groups, one pair per SIMD
// lane; the others alone, one per thread.  Largest first.
#include "cpu/engine.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <mutex>
#include <new>
#include <numeric>
#include <span>

#include <time.h>

#include "cpu/kernel_table.hpp"
#include "cpu/lane_batch.hpp"
#include "cpu/pair.hpp"
#include "cpu/wave_pair.hpp"

namespace nwgpu::cpu {

namespace {

// A pair of fewer cells is not worth the waiting between threads.
constexpr double cells_for_all_threads = 2e7;

// Fewer cells are computed in less time than a thread needs to wake up.
constexpr std::uint64_t cells_worth_waking = 500'000;

// Of several smaller pairs some are computed to predict how long all take, for so long.
constexpr double sample_seconds = 4e-3;

// Of every pair of a call, beyond its plan: task, result, index.
constexpr std::uint64_t pair_bytes = 256;

struct Task {
    double cells = 0;
    std::span<std::uint64_t const> pairs; // one, or a group for the lanes
};

// The work of a call, largest first.
struct Tasks {
    std::vector<std::uint64_t> order; // of the pairs; tasks are pieces of it
    std::vector<Task> all;
};

// A pair for the lanes, in the order in which they are grouped.
struct Short {
    std::uint64_t key, pair;

    // LaneRules takes no pair whose lengths have more bits.
    Short(PairView const & view, std::uint64_t p) : key{(view.m / 32) << 40 | view.n << 20 | view.m}, pair{p} {}
    std::uint64_t m() const { return key & 0xfffff; }
    std::uint64_t n() const { return key >> 20 & 0xfffff; }
    auto operator<=>(Short const &) const = default;
};

// Processor time of this thread: other programs do not count.
double thread_seconds()
{
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

// One align() call.
struct Work {
    Batch const & batch;
    Scheme const & scheme;
    Request const & request;
    BatchResult & result;
    std::vector<PairResult> results;
    std::mutex failing;

    void fail(std::uint64_t pair, Status why, std::string const & what)
    {
        std::lock_guard const lock{failing};
        result.fail(pair, why, what);
    }
};

class Engine final : public Backend {
public:
    explicit Engine(EngineOptions const & options) :
        kernels_{kernel_table(options.isa)},
        team_{options.team ? options.team : std::make_shared<Team>(options.threads)},
        threads_{team_->size()},
        max_bytes_{options.max_host_bytes},
        tuning_{options.tuning}
    {}

    std::string name() const override { return std::string{"cpu:"} + kernels_.name; }
    int threads() const override { return threads_; }
    void trim() override {}

    Estimate estimate(Batch const & batch, Scoring const & scoring, Request const & request) override
    {
        Scheme const & scheme = scheme_of(scoring);
        Estimate estimate;
        double long_work = 0, short_work = 0; // in cells
        std::uint64_t largest = 0;
        for (std::uint64_t p = 0; p < batch.pairs.size(); ++p) {
            PairView const pair = batch.view(p);
            estimate.cells += pair.cells();
            PairPlan const plan = plan_of(pair, scheme, request, batch);
            (static_cast<double>(pair.cells()) < cells_for_all_threads ? short_work : long_work) += plan.work;
            if (plan.bytes > largest) {
                largest = plan.bytes;
                estimate.plan = describe(plan, pair.m, pair.n, request);
            }
        }
        std::uint64_t const at_once = std::min<std::uint64_t>(batch.pairs.size(), threads_);
        estimate.host_bytes =
            (largest + (use_lanes(batch) ? LaneBatch::max_bytes : 0)) * at_once + batch.pairs.size() * pair_bytes;
        double const rate = cells_per_second(scheme, request);
        double const short_seconds =
            batch.pairs.size() > 1 && short_work > 0 && request.top == 1
                ? sampled_seconds(batch, scheme, request)
                : short_work / (rate * static_cast<double>(std::max<std::uint64_t>(1, at_once)));
        estimate.seconds = long_work / (rate * threads_) + short_seconds;
        estimate.plan = std::to_string(batch.pairs.size()) + " pairs on " + name() + " with " +
                        std::to_string(threads_) + " threads; the largest: " + estimate.plan;
        return estimate;
    }

    void align(Batch const & batch, Scoring const & scoring, Request const & request, Progress const & progress,
               BatchResult & result) override
    {
        std::uint64_t const count = batch.pairs.size();
        result.reset(count);
        Scheme const & scheme = scheme_of(scoring);
        Work work{batch, scheme, request, result, {}, {}};
        work.results.resize(count);
        std::uint64_t const cells = batch.cells();
        Monitor monitor{progress, cells, *team_};

        Tasks const made = make_tasks(work);
        std::vector<Task> const & tasks = made.all;
        std::size_t next = 0;
        bool const share = threads_ > 1 && !needs_waves(1, 1, request.mode); // waves are computed by one thread
        for (; next < tasks.size() && share && tasks[next].cells >= cells_for_all_threads &&
               tasks[next].pairs.size() == 1;
             ++next)
            align_one(work, threads_, tasks[next].pairs[0], monitor);
        std::atomic<std::size_t> ticket{next};
        auto const run = [&](int) {
            try {
                LaneBatch lanes{scheme, kernels_, request};
                for (std::size_t k = ticket++; k < tasks.size(); k = ticket++)
                    align_task(work, lanes, tasks[k], monitor);
            } catch (...) { // the call fails as a whole
                monitor.stop();
                throw;
            }
        };
        team_->run(static_cast<int>(std::min<std::size_t>(threads_, tasks.size() - next)), run,
                   cells >= cells_worth_waking);
        monitor.throw_if_stopped();
        collect(work.results, request, result);
    }

private:
    // Kept from call to call: pair after pair is often aligned with the same scoring.
    Scheme const & scheme_of(Scoring const & scoring)
    {
        if (!scheme_ || scheme_->scoring() != scoring)
            scheme_ = std::make_unique<Scheme>(scoring);
        return *scheme_;
    }

    // What one of `sharers` threads may allocate; 0 is no limit.  The letters of the batch are there already.
    std::uint64_t share_of_limit(Batch const & batch, std::uint64_t sharers) const
    {
        if (max_bytes_ == 0)
            return 0;
        std::uint64_t const used = batch.queries.bytes() + batch.targets.bytes() + batch.pairs.size() * pair_bytes;
        return std::max<std::uint64_t>(1, (max_bytes_ - std::min(used, max_bytes_)) / sharers);
    }

    bool use_lanes(Batch const & batch) const
    {
        std::uint64_t const limit = share_of_limit(batch, static_cast<std::uint64_t>(threads_));
        return tuning_.lanes >= 0 && batch.pairs.size() > 1 && (limit == 0 || limit >= LaneBatch::max_bytes);
    }

    PairPlan plan_of(PairView const & pair, Scheme const & scheme, Request const & request, Batch const & batch) const
    {
        bool const alone =
            threads_ > 1 && static_cast<double>(pair.m) * static_cast<double>(pair.n) >= cells_for_all_threads;
        return plan_of(pair, scheme, request, batch, alone ? threads_ : 1);
    }
    PairPlan plan_of(PairView const & pair, Scheme const & scheme, Request const & request, Batch const & batch,
                     int threads) const
    {
        std::uint64_t const sharers =
            threads > 1 ? 1 : std::min<std::uint64_t>(batch.pairs.size(), static_cast<std::uint64_t>(threads_));
        return plan_pair(pair.m, pair.n, scheme, kernels_, request, threads, share_of_limit(batch, sharers), tuning_);
    }

    Tasks make_tasks(Work const & work) const
    {
        Batch const & batch = work.batch;
        LaneRules const rules{work.scheme, kernels_, work.request};
        Tasks tasks;
        tasks.order.reserve(batch.pairs.size());
        // The pairs that were put into the order last.
        auto const add = [&](std::uint64_t m, std::uint64_t n, std::size_t count) {
            tasks.all.push_back({static_cast<double>(m) * static_cast<double>(n), std::span{tasks.order}.last(count)});
        };
        std::vector<Short> shorts;
        bool const lanes = use_lanes(batch) && work.request.is_plain();
        for (std::uint64_t p = 0; p < batch.pairs.size(); ++p)
            if (PairView const pair = batch.view(p); lanes && rules.takes(pair)) {
                shorts.emplace_back(pair, p);
            } else {
                tasks.order.push_back(p);
                add(pair.m, pair.n, 1);
            }

        // Groups of pairs of similar lengths: at least 70 % of the longest in both directions.
        std::sort(shorts.begin(), shorts.end(), std::greater{});
        for (std::size_t begin = 0, end = 0; begin < shorts.size(); begin = end) {
            std::uint64_t m = 0, n = 0;
            for (; end < shorts.size(); ++end) {
                Short const & pair = shorts[end];
                std::uint64_t const rows = std::max(m, pair.m()), cols = std::max(n, pair.n());
                if (end - begin >= static_cast<std::size_t>(rules.lanes(rows, cols)) || 10 * pair.m() < 7 * rows ||
                    10 * pair.n() < 7 * cols || !rules.fits(rows, cols))
                    break;
                m = rows;
                n = cols;
            }
            end = std::max(end, begin + 1);
            std::size_t const enough = tuning_.lanes > 0 ? 2 : static_cast<std::size_t>(rules.lanes(m, n)) / 3;
            bool const grouped = end - begin >= enough;
            for (std::size_t k = begin; k < end; ++k) {
                tasks.order.push_back(shorts[k].pair);
                if (!grouped)
                    add(shorts[k].m(), shorts[k].n(), 1);
            }
            if (grouped)
                add(m, n, end - begin);
        }
        std::stable_sort(tasks.all.begin(), tasks.all.end(),
                         [](Task const & a, Task const & b) { return a.cells > b.cells; });
        return tasks;
    }

    // On this thread.
    void align_task(Work & work, LaneBatch & lanes, Task const & task, Monitor & monitor) const
    {
        if (task.pairs.size() == 1)
            align_one(work, 1, task.pairs[0], monitor);
        else
            align_group(work, lanes, task, monitor);
    }

    void align_group(Work & work, LaneBatch & lanes, Task const & task, Monitor & monitor) const
    {
        if (monitor.stopped())
            return;
        std::uint64_t cells = 0;
        try {
            std::vector<PairView> pairs;
            std::vector<PairResult *> results;
            for (std::uint64_t const p : task.pairs) {
                pairs.push_back(work.batch.view(p));
                results.push_back(&work.results[p]);
                cells += pairs.back().cells();
            }
            lanes.align(pairs, results);
        } catch (std::bad_alloc const &) { // alone they take less
            for (std::uint64_t const p : task.pairs)
                align_one(work, 1, p, monitor);
            return;
        }
        monitor.poll(cells);
    }

    void align_one(Work & work, int threads, std::uint64_t p, Monitor & monitor) const
    {
        if (monitor.stopped())
            return;
        try {
            PairView const pair = work.batch.view(p);
            PairPlan const plan = plan_of(pair, work.scheme, work.request, work.batch, threads);
            work.results[p] = align_pair(pair, work.scheme, kernels_, work.request, plan, monitor);
            if (work.request.output != Output::cigar)
                std::vector<std::uint32_t>{}.swap(work.results[p].runs); // of a path whose span was asked for
        } catch (Error const & error) {
            if (!work.request.checkpoint.folder.empty() &&
                (error.status == Status::checkpoint || error.status == Status::cancelled))
                throw;                             // the only pair, on the calling thread
            if (error.status != Status::cancelled) // that one ends the whole call
                work.fail(p, error.status, error.what());
        } catch (std::bad_alloc const &) {
            work.fail(p, Status::out_of_host_memory, "out of memory");
        }
    }

    // Measured: some tasks of the smaller pairs, all over their order, on this thread, for all of them.
    double sampled_seconds(Batch const & batch, Scheme const & scheme, Request request) const
    {
        request.checkpoint = {};
        BatchResult unused;
        unused.reset(batch.pairs.size());
        Work work{batch, scheme, request, unused, {}, {}};
        work.results.resize(batch.pairs.size());
        Progress const silent;
        Monitor monitor{silent, 1, *team_};
        LaneBatch lanes{scheme, kernels_, request};
        Tasks const made = make_tasks(work);
        auto const first = std::partition_point(made.all.begin(), made.all.end(),
                                                [](Task const & task) { return task.cells >= cells_for_all_threads; });
        std::span<Task const> const tasks{first, made.all.end()};
        auto const cells_of = [&](Task const & task) {
            std::uint64_t cells = 0;
            for (std::uint64_t const p : task.pairs)
                cells += batch.view(p).cells();
            return static_cast<double>(cells);
        };
        double all = 0, done = 0, seconds = 0;
        for (Task const & task : tasks)
            all += cells_of(task);
        std::size_t step = tasks.size() * 5 / 8 + 1; // from one to the next, round and round: meets each once
        while (std::gcd(step, tasks.size()) != 1)
            ++step;
        double begin = 0;
        for (std::size_t k = 0, at = tasks.size() / 2; !tasks.empty() && k <= tasks.size() && seconds < sample_seconds;
             ++k) {
            Task const & task = tasks[at];
            align_task(work, lanes, task, monitor);
            at = (at + step) % tasks.size();
            if (k == 0) { // with new memory
                begin = thread_seconds();
                continue;
            }
            done += cells_of(task);
            seconds = thread_seconds() - begin;
        }
        return done > 0 ? seconds * all / (done * static_cast<double>(std::min<std::size_t>(tasks.size(), threads_)))
                        : 0;
    }

    // Measured: a small pair, computed here and now; as high as the strips of long ones.
    double cells_per_second(Scheme const & scheme, Request const & request) const
    {
        std::vector<std::uint8_t> letters(4096 + 2 * CodedSequences::padding);
        std::uint64_t const m = scheme.scoring().is_uniform() ? 1024 : 4096;
        PairView const pair{letters.data() + CodedSequences::padding, m, letters.data() + CodedSequences::padding,
                            (std::uint64_t{1} << 22) / m};
        Request score_only = request;
        score_only.output = Output::score;
        score_only.top = 1;
        score_only.checkpoint = {};
        if (score_only.mode.band)
            score_only.mode.band = Diagonals{-static_cast<std::int64_t>(pair.m), static_cast<std::int64_t>(pair.n)};
        Tuning tuning = tuning_;
        tuning.band = -1;
        PairPlan const plan = plan_pair(pair.m, pair.n, scheme, kernels_, score_only, 1, 0, tuning);
        Progress const silent;
        Monitor monitor{silent, 1, *team_};
        double best = 1e9;
        for (int k = 0; k < 3; ++k) {
            auto const begin = std::chrono::steady_clock::now();
            align_pair(pair, scheme, kernels_, score_only, plan, monitor);
            std::chrono::duration<double> const seconds = std::chrono::steady_clock::now() - begin;
            best = std::min(best, seconds.count());
        }
        return static_cast<double>(pair.m * pair.n) / best;
    }

    KernelTable const & kernels_;
    std::shared_ptr<Team> team_;
    int threads_;
    std::uint64_t max_bytes_;
    Tuning tuning_;
    std::unique_ptr<Scheme const> scheme_;
};

} // namespace

std::unique_ptr<Backend> make_engine(EngineOptions const & options) { return std::make_unique<Engine>(options); }

} // namespace nwgpu::cpu
