// SPDX-License-Identifier: BSD-3-Clause
// The engine as align/ sees it: one device, one call at a time.
#include <algorithm>
#include <array>
#include <mutex>
#include <optional>
#include <type_traits>
#include <utility>

#include "backend/inner_monitor.hpp"
#include "cuda/align_call.hpp"
#include "cuda/batch_model.hpp"
#include "cuda/device/pinned_copy.hpp"
#include "cuda/engine.hpp"
#include "cuda/kernels/kernels.hpp"
#include "cuda/known_score.hpp"
#include "cuda/plan/facts.hpp"
#include "cuda/result_memory.hpp"
#include "cuda/sweep/band_probe.hpp"
#include "cuda/sweep/device_speed.hpp"
#include "cuda/sweep/row_share.hpp"
#include "cuda/sweep/saved_walk.hpp"
#include "cuda/sweep/top_sweep.hpp"

namespace nwgpu::cuda {

namespace {

constexpr double letter_seconds = 0.35e-9;      // checked by the host and copied to the device
constexpr double least_seconds_for_speed = 0.1; // of work that is worth measuring the device for

[[noreturn]] void throw_lost()
{
    throw Error{Status::device_lost, "an earlier failure of the device has ended this context"};
}

// A share of rows whose device serves others between its members' calls.
class SharedDevice final : public RowShare {
public:
    SharedDevice(std::mutex & mutex, bool & lost, Device & device, RowTask const & task, Tuning const & tuning) :
        mutex_{mutex}, lost_{lost}, device_{device}
    {
        alone([&] { share_ = make_row_share(device, task, tuning); });
    }
    ~SharedDevice() override
    {
        std::lock_guard const lock{mutex_};
        try {
            DeviceGuard const guard{device_.index()};
            share_.reset();
        } catch (Error const &) { // the device is lost
            share_.reset();
        }
    }
    std::vector<SweptRows> sweep(RowLines & lines, Monitor & monitor) override
    {
        return watched(monitor, [&](Monitor & own) { return share_->sweep(lines, own); });
    }
    WalkedRows walk(std::size_t part, path::Cursor const & from, Monitor & monitor) override
    {
        return watched(monitor, [&](Monitor & own) { return share_->walk(part, from, own); });
    }
    WalkedRows walk_from_best(std::size_t part, bool with_path, Monitor & monitor) override
    {
        return watched(monitor, [&](Monitor & own) { return share_->walk_from_best(part, with_path, own); });
    }
    std::vector<checkpoint::Slab> slabs(std::size_t part, RowEnd const & above, Monitor & monitor) override
    {
        return watched(monitor, [&](Monitor & own) { return share_->slabs(part, above, own); });
    }

private:
    template <class Work>
    std::invoke_result_t<Work> alone(Work const & work)
    {
        std::lock_guard const lock{mutex_};
        if (lost_)
            throw_lost();
        DeviceGuard const guard{device_.index()};
        try {
            return work();
        } catch (Error const & error) {
            lost_ = lost_ || error.status == Status::device_lost;
            throw;
        }
    }
    // With a monitor that somebody watches, or the device would not be stopped.
    template <class Work>
    std::invoke_result_t<Work, Monitor &> watched(Monitor & monitor, Work const & work)
    {
        InnerMonitor inner{monitor, monitor.team()};
        return alone([&] {
            auto done = work(inner.monitor());
            inner.monitor().report(0);
            return done;
        });
    }

    std::mutex & mutex_;
    bool & lost_;
    Device & device_;
    std::unique_ptr<RowShare> share_;
};

class Engine final : public Backend, private RowEngine {
public:
    explicit Engine(EngineOptions const & options) : device_{options}, options_{options}, results_{device_.index()} {}

    std::string name() const override { return cuda::name(device_.index()); }
    int threads() const override { return 1; }

    void trim() override
    {
        results_.trim();
        if (options_.host)
            options_.host->trim();
        std::lock_guard const lock{mutex_};
        if (lost_)
            return;
        DeviceGuard const guard{device_.index()};
        if (batches_)
            batches_->trim();
        device_.trim();
    }

    Estimate estimate(Piece const & piece) override
    {
        if (is_for_host(piece.request)) {
            Estimate estimate = options_.host->estimate(piece);
            estimate.plan = "bands and other tie rules are computed on the CPU: " + estimate.plan;
            return estimate;
        }
        auto const & [batch, pairs, scoring, request, max_host_bytes, queue] = piece;
        std::lock_guard const lock{mutex_};
        DeviceGuard const guard{device_.index()};
        if (lost_)
            throw_lost();
        DeviceFacts device = device_facts(device_, piece);
        Estimate estimate;
        std::uint64_t most_work = 0; // of the host, for one pair after the other
        struct Work {
            KernelKind kind;
            double seconds = 0;
        };
        std::array<Work, KernelKind::count> work;
        batch::Needs needs;
        Team team{options_.host ? options_.host->threads() : 1};
        std::span<std::uint64_t const> others = pairs;
        if (auto model = batch::are_allowed(options_.tuning) ? batch_model(piece, &team) : std::nullopt;
            model && !pairs.empty()) {
            if (Pair const first = batch.pairs[pairs.front()]; is_page_locked(batch.queries.letters(first.query)) &&
                                                               is_page_locked(batch.targets.letters(first.target)))
                model->letter_seconds = std::min(model->letter_seconds, model->locked_letter_seconds);
            model->queries_kept = part_on_device(batch.queries);
            model->targets_kept = part_on_device(batch.targets);
            needs = batch::needs_of(piece, device.budget, *model->work);
            double small = 0, small_letters = 0, small_cells = 0, alone = 0;
            for (std::uint64_t const p : pairs) {
                PairView const pair = batch.view(p);
                if (double const computed = model->cells(pair); computed > 0) {
                    ++small;
                    small_letters += model->letters(pair);
                    small_cells += computed;
                    alone = std::max(alone, model->alone_seconds(pair));
                    estimate.cells += pair.cells();
                }
            }
            if (small > 0) {
                others = needs.rest;
                estimate.seconds = model->seconds(small, small_letters, small_cells, alone);
                // The runs of a single pair are the engine's to count.
                estimate.host_bytes =
                    needs.host_bytes +
                    (pairs.size() == 1 ? 8 * (batch.view(pairs.front()).m + batch.view(pairs.front()).n) : 0);
                estimate.device_bytes = needs.device_bytes;
                estimate.plan = "many pairs at a time";
            }
        }
        std::vector<std::uint64_t> all{others.begin(), others.end()};
        if (needs.unsure)
            all.push_back(*needs.unsure); // of which the memory counts
        UsedSequences const queries{piece, all, &Pair::query}, targets{piece, all, &Pair::target};
        std::optional<ScoreTable> table; // which takes a look at all letters
        std::uint64_t const letters = all.empty() ? 0 : queries.bytes() + targets.bytes();
        if (!all.empty())
            table.emplace(queries, targets, scoring);
        device.budget -= std::min(device.budget, letters);
        Progress const none;
        Monitor monitor{none, 0, team};
        for (std::uint64_t const p : all) {
            PairView const pair = batch.view(p);
            PairFacts facts = facts_of(pair, *table, scoring, request, options_.tuning);
            std::uint64_t const host_bytes = (request.output == Output::cigar ? 4 * (pair.m + pair.n) + 256 : 256) +
                                             known_score_bytes(options_, piece, p);
            PairPlan plan;
            if (request.top > 1 && options_.top_finder) {
                TopPlan const top = plan_top(facts, device, [&](checkpoint::SlabShape const & slab) {
                    return options_.top_finder->cost(piece.scoring, piece.request, slab, piece.max_host_bytes);
                });
                plan.bytes = top.bytes;
                plan.seconds = top.seconds;
                plan.text = top.text;
                plan.sweep = top.sweep;
                plan.host_bytes = top.host_bytes;
            } else {
                plan = plan_pair(facts, device);
                if (may_have_band(plan, facts)) {
                    plan.bytes = std::max(plan.bytes, probe_bytes(facts));
                    plan.text += ", or less of it in a band";
                    if (auto const band =
                            pairs.size() == 1 ? expected_band(options_, piece, p, monitor) : std::nullopt) {
                        PairFacts banded = facts;
                        banded.band = *band;
                        plan.seconds = std::min(plan.seconds, plan_pair(banded, device).seconds + probe_seconds(facts));
                    }
                }
                if (auto const parts = parts_of(pair, plan, facts, scoring, device)) {
                    plan.bytes = parts->bytes;
                    plan.host_bytes = parts->path.host_bytes;
                    plan.seconds = parts->seconds;
                    plan.sweep = parts->sweep;
                    plan.text += ", the target in " + std::to_string(parts->count) + " parts";
                } else if (plan.sweep.skip && pairs.size() == 1 && known_score_bytes(options_, piece, p) > 0) {
                    PairPlan const full = plan; // of a call that lacks memory to look for a score
                    know_score(facts, cuda::known_score(options_, piece, p, monitor), pair.m, pair.n, scoring);
                    plan = plan_known(facts, device, full);
                    plan.bytes = std::max(plan.bytes, full.bytes);
                    plan.host_bytes = std::max(plan.host_bytes, full.host_bytes);
                }
            }
            estimate.alone = pairs.size() == 1 && plan.known_score > 0 && plan.sweep.alone;
            plan.bytes += letters; // batches copy what they need
            most_work = std::max(most_work, plan.host_bytes);
            if (p == needs.unsure) {
                most_work = std::max(most_work, plan.host_bytes + host_bytes);
                estimate.device_bytes = std::max(estimate.device_bytes, plan.bytes);
                continue;
            }
            estimate.cells += pair.cells();
            KernelKind const kind = KernelKind::of(facts, plan.sweep);
            Work & of_kind = work[static_cast<std::size_t>(kind.index())];
            of_kind.kind = kind;
            of_kind.seconds += plan.seconds;
            estimate.host_bytes += host_bytes;
            if (plan.bytes > estimate.device_bytes) {
                estimate.device_bytes = plan.bytes;
                estimate.plan = plan.text;
            }
        }
        estimate.host_bytes += most_work;
        for (auto const & [kind, seconds] : work)
            estimate.seconds += seconds * (seconds < least_seconds_for_speed ? 1 : device_speed(device_, kind));
        if (!others.empty())
            estimate.seconds += letter_seconds * static_cast<double>(letters);
        estimate.plan = std::to_string(pairs.size()) + " pairs on " + name() + "; the largest: " + estimate.plan;
        return estimate;
    }

    // Kept boundaries go to files where they do not fit host memory.
    void check_memory(Piece const & piece) override
    {
        if (is_for_host(piece.request))
            options_.host->check_memory(piece);
    }

    bool takes_letters(Scoring const & scoring, Request const & request) override
    {
        return batch::are_allowed(options_.tuning) && batch_model(scoring, request);
    }
    bool takes_turns(Scoring const & scoring, Request const & request) override
    {
        auto const model = batch::are_allowed(options_.tuning) ? batch_model(scoring, request) : std::nullopt;
        return model && !model->work->may_couple; // couples have an order of their own
    }

    double kept_part(CodedSequences const & sequences) override
    {
        std::lock_guard const lock{mutex_};
        return part_on_device(sequences);
    }
    bool gains_by_common_targets(Scoring const & scoring, Request const & request) override
    {
        auto const model = batch::are_allowed(options_.tuning) ? batch_model(scoring, request) : std::nullopt;
        return model && model->work->may_couple;
    }

    RowEngine * row_engine() override { return this; }
    ResultMemory result_memory() override { return results_.memory(); }

    void align(Piece const & piece, Monitor & monitor, Answers & answers) override
    {
        if (is_for_host(piece.request))
            return options_.host->align(piece, monitor, answers);
        if (!has_kernel(piece.request)) {
            for (std::uint64_t const p : piece.pairs)
                answers.fail(p, Status::unsupported, "there is no kernel for this, and no engine of the host");
            return;
        }
        std::lock_guard const lock{mutex_};
        if (lost_)
            throw_lost();
        DeviceGuard const guard{device_.index()};
        try {
            if (!batches_)
                batches_ = std::make_unique<batch::BatchAligner>(device_, options_.to_two_bits);
            cuda::align(device_, *batches_, options_, piece, monitor, answers);
        } catch (Error const & error) {
            lost_ = error.status == Status::device_lost;
            throw;
        }
    }

private:
    bool suits(Request const & request) const override
    {
        return request.top == 1 && request.mode.has_usual_rules() && request.checkpoint.folder.empty();
    }
    RowPace pace() const override { return on_this_chip(share_pace(device_.multiprocessors(), options_.tuning)); }
    RowPace pace_of(std::uint64_t rows, Scoring const & scoring) const override
    {
        return on_this_chip(share_pace(device_.multiprocessors(), options_.tuning, rows, scoring.gap().open == 0));
    }
    RowPace on_this_chip(RowPace pace) const
    {
        pace.chip = device_.chip();
        return pace;
    }
    bool align_if_similar(Piece const & piece, Monitor & monitor, Answers & answers) override
    {
        std::lock_guard const lock{mutex_};
        if (lost_)
            throw_lost();
        DeviceGuard const guard{device_.index()};
        return cuda::align_if_similar(device_, options_, piece, monitor, answers);
    }
    std::int64_t known_score(Piece const & piece, Monitor & monitor) override
    {
        return cuda::known_score(options_, piece, piece.pairs[0], monitor);
    }
    std::unique_ptr<RowShare> share(RowTask const & task) override
    {
        return std::make_unique<SharedDevice>(mutex_, lost_, device_, task, options_.tuning);
    }
    WalkedRows walk_saved(Piece const & piece, checkpoint::Folder & folder, path::Cursor const & from,
                          Monitor & monitor) override
    {
        std::lock_guard const lock{mutex_};
        if (lost_)
            throw_lost();
        DeviceGuard const guard{device_.index()};
        return cuda::walk_saved(device_, options_.tuning, piece, folder, from, monitor);
    }

    // From earlier calls.
    double part_on_device(CodedSequences const & sequences) const
    {
        auto const * const letters = batches_ ? batches_->kept().find(sequences) : nullptr;
        return letters ? letters->part() : 0;
    }
    bool has_kernel(Request const & request) const
    {
        return request.mode.has_usual_rules() && (request.top == 1 || options_.top_finder);
    }
    bool is_for_host(Request const & request) const { return options_.host && !has_kernel(request); }

    std::mutex mutex_;
    Device device_;
    std::unique_ptr<batch::BatchAligner> batches_; // from the first call on
    EngineOptions const options_;
    KeptResults results_;
    bool lost_ = false;
};

} // namespace

std::unique_ptr<Backend> make_engine(EngineOptions const & options)
{
    if (options.device < 0 || options.device >= device_count()) {
        std::string const why = device_count() == 0 ? why_none() : "there are " + std::to_string(device_count());
        throw Error{Status::no_device, "no CUDA device " + std::to_string(options.device) + ": " + why};
    }
    DeviceGuard const guard{options.device};
    cudaFuncAttributes attributes{};
    if (cudaFuncGetAttributes(&attributes, plain_kernel<std::int32_t>(false, 1, UINT64_MAX).function) != cudaSuccess) {
        cudaGetLastError();
        throw Error{Status::unsupported, "this build has no code for " + describe(options.device)};
    }
    return std::make_unique<Engine>(options);
}

} // namespace nwgpu::cuda
