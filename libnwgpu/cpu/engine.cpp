// SPDX-License-Identifier: BSD-3-Clause
// Who computes which pair: large pairs one after another with all threads, the others one per thread, largest first.
#include "cpu/engine.hpp"

#include <algorithm>
#include <atomic>
#include <new>
#include <numeric>

#include <omp.h>

#include "cpu/kernel_table.hpp"
#include "cpu/pair.hpp"

namespace nwgpu::cpu {

namespace {

// A pair of fewer cells is not worth the waiting between threads.
constexpr double cells_for_all_threads = 2e7;

class Engine final : public Backend {
public:
    explicit Engine(EngineOptions const & options) :
        kernels_{kernel_table(options.isa)}, threads_{options.threads > 0 ? options.threads : omp_get_max_threads()},
        max_bytes_{options.max_host_bytes}, tuning_{options.tuning}
    {}

    std::string name() const override { return std::string{"cpu:"} + kernels_.name; }
    int threads() const override { return threads_; }
    void trim() override {}

    Estimate estimate(Batch const & batch, Scoring const & scoring, Request const & request) override
    {
        Scheme const scheme{scoring};
        Estimate estimate;
        double work = 0;
        std::uint64_t largest = 0;
        for (std::uint64_t p = 0; p < batch.pairs.size(); ++p) {
            PairView const pair = batch.view(p);
            estimate.cells += pair.m * pair.n;
            PairPlan const plan = plan_of(pair, scheme, request, batch.pairs.size());
            work += plan.work;
            if (plan.bytes > largest) {
                largest = plan.bytes;
                estimate.plan = plan.text;
            }
        }
        int const at_once = static_cast<int>(std::min<std::uint64_t>(batch.pairs.size(), threads_));
        estimate.host_bytes = largest * at_once + batch.pairs.size() * 64;
        estimate.seconds = work / (cells_per_second(scheme, request) * threads_);
        estimate.plan = std::to_string(batch.pairs.size()) + " pairs on " + name() + " with " + std::to_string(threads_) +
                        " threads; the largest: " + estimate.plan;
        return estimate;
    }

    void align(Batch const & batch, Scoring const & scoring, Request const & request, Progress const & progress,
               BatchResult & result) override
    {
        std::uint64_t const count = batch.pairs.size();
        result.reset(count);
        Scheme const scheme{scoring};
        std::vector<double> cells(count);
        for (std::uint64_t p = 0; p < count; ++p)
            cells[p] = static_cast<double>(batch.view(p).m) * static_cast<double>(batch.view(p).n);
        std::vector<std::uint64_t> order(count);
        std::iota(order.begin(), order.end(), 0);
        std::sort(order.begin(), order.end(), [&](auto a, auto b) { return cells[a] != cells[b] ? cells[a] > cells[b] : a < b; });
        Monitor monitor{progress, static_cast<std::uint64_t>(std::accumulate(cells.begin(), cells.end(), 0.0))};

        std::vector<PairResult> results(count);
        std::uint64_t next = 0;
        for (; next < count && threads_ > 1 && cells[order[next]] >= cells_for_all_threads; ++next)
            align_one(batch, scheme, request, threads_, order[next], monitor, results, result);
        std::atomic<std::uint64_t> ticket{next};
        auto const work = [&] {
            for (std::uint64_t k = ticket++; k < count; k = ticket++)
                align_one(batch, scheme, request, 1, order[k], monitor, results, result);
        };
        int const threads = static_cast<int>(std::min<std::uint64_t>(threads_, count - next));
        if (threads <= 1) {
            work();
        } else {
#pragma omp parallel num_threads(threads)
            work();
        }
        monitor.throw_if_stopped();
        collect(results, request, result);
    }

private:
    PairPlan plan_of(PairView const & pair, Scheme const & scheme, Request const & request, std::uint64_t pairs) const
    {
        bool const alone = threads_ > 1 && static_cast<double>(pair.m) * static_cast<double>(pair.n) >= cells_for_all_threads;
        std::uint64_t const share = alone ? 1 : std::min<std::uint64_t>(pairs, threads_);
        return plan_pair(pair.m, pair.n, scheme, kernels_, request, alone ? threads_ : 1, max_bytes_ / share, tuning_);
    }

    void align_one(Batch const & batch, Scheme const & scheme, Request const & request, int threads, std::uint64_t p,
                   Monitor & monitor, std::vector<PairResult> & results, BatchResult & result) const
    {
        if (monitor.stopped())
            return;
        auto const failed = [&](Status why, std::string const & what) {
#pragma omp critical(nwgpu_pair_failed)
            result.fail(p, why, what);
        };
        try {
            PairView const pair = batch.view(p);
            PairPlan const plan = plan_pair(pair.m, pair.n, scheme, kernels_, request, threads,
                                            threads > 1 ? max_bytes_ : max_bytes_ / static_cast<std::uint64_t>(threads_), tuning_);
            results[p] = align_pair(pair, scheme, kernels_, request, plan, monitor);
        } catch (Error const & error) {
            if (error.status != Status::cancelled) // that one ends the whole call
                failed(error.status, error.what());
        } catch (std::bad_alloc const &) {
            failed(Status::out_of_host_memory, "out of memory");
        }
    }

    static void collect(std::vector<PairResult> const & results, Request const & request, BatchResult & result)
    {
        std::uint64_t total = 0;
        for (PairResult const & pair : results)
            total += pair.runs.size();
        if (request.output == Output::cigar)
            result.runs.reserve(total);
        for (std::uint64_t p = 0; p < results.size(); ++p) {
            result.run_offsets[p + 1] = result.runs.size();
            if (result.status[p] != Status::ok)
                continue;
            PairResult const & pair = results[p];
            result.score[p] = pair.score;
            if (request.output >= Output::span)
                result.span[p] = pair.span;
            else if (request.output == Output::end)
                result.span[p] = {no_position, pair.span.query_end, no_position, pair.span.target_end};
            if (request.output == Output::cigar)
                result.runs.insert(result.runs.end(), pair.runs.begin(), pair.runs.end());
            result.run_offsets[p + 1] = result.runs.size();
        }
    }

    // Measured: a small pair, computed here and now.
    double cells_per_second(Scheme const & scheme, Request const & request) const
    {
        std::vector<std::uint8_t> letters(4096 + 2 * CodedSequences::padding);
        PairView const pair{letters.data() + CodedSequences::padding, 1024, letters.data() + CodedSequences::padding, 4096};
        Request score_only = request;
        score_only.output = Output::score;
        Tuning tuning = tuning_;
        tuning.band = -1;
        PairPlan const plan = plan_pair(pair.m, pair.n, scheme, kernels_, score_only, 1, 0, tuning);
        Progress const silent;
        Monitor monitor{silent, 1};
        double best = 1e9;
        for (int k = 0; k < 3; ++k) {
            double const begin = omp_get_wtime();
            align_pair(pair, scheme, kernels_, score_only, plan, monitor);
            best = std::min(best, omp_get_wtime() - begin);
        }
        return static_cast<double>(pair.m * pair.n) / best;
    }

    KernelTable const & kernels_;
    int threads_;
    std::uint64_t max_bytes_;
    Tuning tuning_;
};

} // namespace

std::unique_ptr<Backend> make_engine(EngineOptions const & options) { return std::make_unique<Engine>(options); }

} // namespace nwgpu::cpu
