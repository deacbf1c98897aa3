// SPDX-License-Identifier: BSD-3-Clause
#include "cuda/align_call.hpp"

#include <algorithm>
#include <new>

#include "backend/invalid_letters.hpp"
#include "checkpoint/temporary_folder.hpp"
#include "cuda/kernels/letters.hpp"
#include "cuda/known_score.hpp"
#include "cuda/plan/facts.hpp"
#include "cuda/sweep/band_probe.hpp"
#include "cuda/sweep/launch_batch.hpp"
#include "cuda/sweep/long_pair.hpp"
#include "cuda/sweep/top_sweep.hpp"
#include "path/overlap.hpp"

namespace nwgpu::cuda {

namespace {

// One align() call.
class AlignCall {
public:
    AlignCall(Device & device, EngineOptions const & options, Piece const & piece, Monitor & monitor,
              Answers & answers) :
        device_{device},
        options_{options},
        piece_{piece},
        batch_{piece.batch},
        scoring_{piece.scoring},
        request_{piece.request},
        monitor_{monitor},
        writer_{&answers},
        used_queries_{piece, piece.pairs, &Pair::query},
        used_targets_{piece, piece.pairs, &Pair::target},
        table_{used_queries_, used_targets_, scoring_},
        queries_{device_, used_queries_, table_.query_map},
        targets_{device_, used_targets_, table_.target_map},
        scores_{device_, table_.scores},
        device_facts_{device_facts(device_, piece)}
    {}

    void run()
    {
        if (!request_.checkpoint.folder.empty())
            return run_with_checkpoints();
        std::vector<std::uint64_t> order(piece_.pairs.begin(), piece_.pairs.end());
        std::ranges::stable_sort(order, std::greater{}, [&](std::uint64_t p) { return batch_.view(p).cells(); });

        std::vector<std::uint64_t> launch_batch;
        PairPlan plan;
        bool wide = false;
        std::uint64_t bytes = 0;
        auto const flush = [&] {
            if (!launch_batch.empty())
                align_launch_batch(launch_batch, plan, wide);
            launch_batch.clear();
            bytes = 0;
        };
        for (std::uint64_t const p : order) {
            PairView const pair = batch_.view(p);
            PairFacts const facts = facts_of(pair, table_, scoring_, request_, options_.tuning);
            if (request_.top > 1) {
                attempt({p}, [&] { facts.wide ? find_top<std::int64_t>(p, facts) : find_top<std::int32_t>(p, facts); });
                continue;
            }
            PairPlan next;
            try {
                next = plan_pair(facts, device_facts_);
            } catch (Error const & error) {
                writer_.fail(p, error.status, error.what());
                continue;
            }
            if (may_have_band(next, facts))
                next = with_band(p, facts, next);
            if (auto const parts = parts_of(pair, next, facts, scoring_, device_facts_)) {
                attempt({p}, [&] { align_in_parts(p, *parts, facts.wide); });
                continue;
            }
            next = with_known_score(p, facts, next);
            bool const joins = !launch_batch.empty() && next.levels.empty() && plan.levels.empty() &&
                               next.traced == plan.traced && next.band.everything() && plan.band.everything() &&
                               facts.wide == wide && launch_batch.size() < 16384 &&
                               bytes + next.bytes <= device_facts_.budget / 2;
            if (!joins) {
                flush();
                plan = next;
                wide = facts.wide;
            }
            launch_batch.push_back(p);
            bytes += next.bytes;
        }
        flush();
    }

    // One pair.
    bool run_if_similar()
    {
        std::uint64_t const p = piece_.pairs[0];
        PairFacts const facts = facts_of(batch_.view(p), table_, scoring_, request_, options_.tuning);
        PairPlan plan;
        bool is_similar = false;
        try {
            plan = plan_pair(facts, device_facts_);
            plan = may_have_band(plan, facts) ? with_band(p, facts, plan) : with_known_score(p, facts, plan);
            // Other devices would wait as well.
            is_similar = !plan.band.everything() || (plan.known_score > 0 && plan.sweep.alone);
        } catch (Error const & error) {
            if (!lacks_memory(error))
                throw;
        }
        if (is_similar && !request_.checkpoint.folder.empty()) {
            run_with_checkpoints();
        } else if (is_similar) {
            align_launch_batch({p}, plan, facts.wide);
        }
        return is_similar;
    }

private:
    // One pair.
    void run_with_checkpoints()
    {
        std::uint64_t const p = piece_.pairs[0];
        checkpoint::Folder folder{
            request_.checkpoint.folder, {batch_.view(p), scoring_, request_.mode}, request_.checkpoint.resume};
        PairResult answer;
        bool const done = attempt({p}, [&] {
            PairFacts facts = facts_of(batch_.view(p), table_, scoring_, request_, options_.tuning);
            if (folder.count() > 0)
                resume(folder, request_, facts);
            PairPlan plan = plan_pair(facts, device_facts_);
            if (folder.count() == 0 && may_have_band(plan, facts)) {
                plan = with_band(p, facts, plan);
                facts.band = plan.band;
            }
            plan = with_known_score(p, facts, plan);
            Saving saving;
            if (!plan.traced)
                saving = {&folder, checkpoint_rows(plan, facts, device_facts_, request_.checkpoint.seconds),
                          options_.tuning.most_slabs};
            align_pairs(facts.wide, {device_pair(p, &answer)}, request_, plan, saving);
        });
        if (!done)
            return;
        folder.clear();
        writer_.put(p, answer);
    }

    // A failure that ends a pair, not the call.
    static bool lacks_memory(Error const & error)
    {
        return error.status == Status::out_of_device_memory || error.status == Status::out_of_host_memory ||
               error.status == Status::memory_limit;
    }

    // The same, with a known score where one is worth being looked for.
    PairPlan with_known_score(std::uint64_t p, PairFacts facts, PairPlan const & full)
    {
        if (full.sweep.skip)
            know_score(facts, known_score(options_, piece_, p, monitor_), facts.m, facts.n, scoring_);
        return plan_known(facts, device_facts_, full);
    }

    // `full`, the plan of the whole matrix, or one with a band where one is proven and saves time.
    PairPlan with_band(std::uint64_t p, PairFacts facts, PairPlan const & full)
    {
        if (probe_bytes(facts) > device_facts_.budget)
            return full;
        try {
            auto const band = facts.wide ? find_band<std::int64_t>(p, facts) : find_band<std::int32_t>(p, facts);
            if (!band)
                return full;
            facts.band = *band;
            PairPlan banded = plan_pair(facts, device_facts_);
            return options_.tuning.band > 0 || banded.seconds < full.seconds ? banded : full;
        } catch (Error const & error) {
            if (!lacks_memory(error))
                throw;
            return full;
        }
    }

    template <class S>
    std::optional<path::Band> find_band(std::uint64_t p, PairFacts const & facts)
    {
        Sweeper<S> const sweeper = make_sweeper<S>();
        DevicePair const pair = device_pair(p, nullptr);
        return BandProbe<S>{sweeper, scoring_, pair, facts, device_facts_, monitor_}.find();
    }

    DevicePair device_pair(std::uint64_t p, PairResult * result) const
    {
        Pair const pair = batch_.pairs[p];
        return {batch_.view(p), queries_.of(pair.query), targets_.of(pair.target), result};
    }

    template <class S>
    Sweeper<S> make_sweeper()
    {
        return {device_, sweep_args<S>(scoring_, request_.mode, scores_.data(), table_.target_letters)};
    }

    void align_launch_batch(std::vector<std::uint64_t> const & launch_batch, PairPlan plan, bool wide)
    {
        if (launch_batch.size() > 1) { // the plan was made for one
            PairView const pair = batch_.view(launch_batch.front());
            PairFacts facts = facts_of(pair, table_, scoring_, request_, options_.tuning);
            if (plan.traced)
                facts.most_rows_per_half = 0;
            plan.sweep = plan_sweep(pair.m, pair.n, launch_batch.size(), facts, device_facts_, pair.m);
        }
        std::vector<PairResult> answers(launch_batch.size());
        std::vector<DevicePair> pairs;
        for (std::size_t k = 0; k < launch_batch.size(); ++k)
            pairs.push_back(device_pair(launch_batch[k], &answers[k]));
        std::string lack;
        std::uint64_t const cells_done = monitor_.done();
        bool const done = attempt(launch_batch, [&] {
            try {
                align_pairs(wide, pairs, request_, plan);
            } catch (Error const & error) {
                if (error.status != Status::out_of_device_memory)
                    throw;
                lack = error.what();
            } catch (std::bad_alloc const &) {
                if (plan.kept_in != KeptIn::host)
                    throw;
                lack = "out of host memory";
                device_facts_.host_budget = plan.host_bytes / 2;
            }
        });
        if (!done)
            return;
        if (lack.empty()) {
            for (std::size_t k = 0; k < launch_batch.size(); ++k)
                writer_.put(launch_batch[k], answers[k]);
            return;
        }
        // Pair by pair, each with at most half of what was planned; the limits of what plan_pair() can do end this.
        monitor_.go_back_to(cells_done);
        device_.trim();
        device_facts_.budget = std::min(device_facts(device_, piece_).budget, plan.bytes * launch_batch.size() / 2);
        warn(lack + "; going on with " + std::to_string(device_facts_.budget >> 20) + " MiB of the device and " +
             std::to_string(device_facts_.host_budget >> 20) + " MiB of the host");
        for (std::uint64_t const p : launch_batch)
            attempt({p}, [&] {
                PairFacts facts = facts_of(batch_.view(p), table_, scoring_, request_, options_.tuning);
                facts.band = plan.band;
                align_launch_batch({p}, plan_pair(facts, device_facts_), wide);
            });
    }

    void warn(std::string const & text) const
    {
        if (options_.warn)
            options_.warn(text);
    }

    // Pairs that lack memory fail alone.  Returns whether the work was done.
    template <class Work>
    bool attempt(std::vector<std::uint64_t> const & launch_batch, Work const & work)
    {
        try {
            work();
            return true;
        } catch (Error const & error) {
            if (!lacks_memory(error))
                throw;
            for (std::uint64_t const p : launch_batch)
                writer_.fail(p, error.status, error.what());
        } catch (std::bad_alloc const &) {
            for (std::uint64_t const p : launch_batch)
                writer_.fail(p, Status::out_of_host_memory, "out of memory");
        }
        return false;
    }

    void align_pairs(bool wide, std::vector<DevicePair> const & pairs, Request const & request, PairPlan const & plan,
                     Saving const & saving = {})
    {
        if (wide)
            align_pairs<std::int64_t>(pairs, request, plan, saving);
        else
            align_pairs<std::int32_t>(pairs, request, plan, saving);
    }

    template <class S>
    void align_pairs(std::vector<DevicePair> const & pairs, Request const & request, PairPlan const & plan,
                     Saving const & saving)
    {
        Sweeper<S> const sweeper = make_sweeper<S>();
        auto const align_long = [&](Saving const & where) {
            LongPair<S>{sweeper, scoring_, request, monitor_, pairs.front(), plan, where}.align();
        };
        if (plan.levels.empty() && !saving.store)
            return LaunchBatch<S>{sweeper, scoring_, request, monitor_}.align(pairs, plan);
        if (plan.kept_in == KeptIn::device || saving.store)
            return align_long(saving);
        warn("device memory is too small for the kept boundaries: " + plan.text);
        if (plan.kept_in == KeptIn::host) {
            checkpoint::SlabsInMemory slabs;
            return align_long({&slabs, plan.slab_rows});
        }
        try {
            checkpoint::TemporaryFolder slabs;
            align_long({&slabs, plan.slab_rows});
        } catch (Error const & error) {
            if (error.status != Status::checkpoint) // nobody asked for one
                throw;
            throw Error{Status::memory_limit, std::string{"kept boundaries go to files: "} + error.what()};
        }
    }

    void align_in_parts(std::uint64_t p, ColumnParts const & parts, bool wide)
    {
        DevicePair const whole = device_pair(p, nullptr);
        std::vector<path::OverlappingPart> const cut =
            path::overlapping_parts(whole.pair.n, parts.count, parts.overlap);
        std::vector<PairResult> results(cut.size());
        std::vector<DevicePair> pairs;
        for (std::size_t k = 0; k < cut.size(); ++k) {
            pairs.push_back(whole);
            pairs[k].pair.target += cut[k].begin;
            pairs[k].pair.n = cut[k].end - cut[k].begin;
            pairs[k].target += cut[k].begin;
            pairs[k].result = &results[k];
        }
        Request request = request_;
        request.output = Output::score;
        PairPlan plan;
        plan.sweep = parts.sweep;
        align_pairs(wide, pairs, request, plan);
        auto const best =
            static_cast<std::size_t>(std::ranges::max_element(results, {}, &PairResult::score) - results.begin());
        if (request_.output > Output::score && results[best].score > 0 && results[best].score >= request_.min_score) {
            align_pairs(wide, {pairs[best]}, request_, parts.path);
            AlignedSpan & span = results[best].span;
            span.target_end += cut[best].begin;
            if (span.target_begin != no_position)
                span.target_begin += cut[best].begin;
        }
        writer_.put(p, results[best]);
    }

    template <class S>
    void find_top(std::uint64_t p, PairFacts const & facts)
    {
        TopPlan const plan = plan_top(facts, device_facts_, [&](checkpoint::SlabShape const & slab) {
            return options_.top_finder->cost(scoring_, request_, slab, piece_.max_host_bytes);
        });
        checkpoint::SweptMatrix matrix = sweep_top(make_sweeper<S>(), device_pair(p, nullptr), plan, monitor_);
        PairResult answer = options_.top_finder->find(batch_.view(p), scoring_, request_, std::move(matrix),
                                                      piece_.max_host_bytes, [&] { return monitor_.report(0); });
        writer_.put(p, answer);
    }

    Device & device_;
    EngineOptions const & options_;
    Piece const & piece_;
    Batch const & batch_;
    Scoring const & scoring_;
    Request const & request_;
    Monitor & monitor_;
    AnswerWriter writer_;
    UsedSequences const used_queries_, used_targets_; // by pairs that are not computed many at a time
    ScoreTable table_;
    DeviceLetters queries_, targets_;
    DeviceArray<std::int32_t> scores_;
    DeviceFacts device_facts_; // asking for free memory takes longer than planning a short pair
};

} // namespace

void align(Device & device, batch::BatchAligner & batches, EngineOptions const & options, Piece const & piece,
           Monitor & monitor, Answers & answers)
{
    auto const one_by_one = [&](Piece const & left) {
        if (!left.pairs.empty())
            AlignCall{device, options, left, monitor, answers}.run();
    };
    if (!batch::are_allowed(options.tuning))
        return one_by_one(piece);
    std::vector<std::uint64_t> rest = batches.align(piece, options.tuning, monitor, answers);
    if (!rest.empty() && piece.batch.are_letters())
        rest = code_pairs(piece.batch, rest, answers);
    one_by_one({piece.batch, rest, piece.scoring, piece.request, piece.max_host_bytes});
}

bool align_if_similar(Device & device, EngineOptions const & options, Piece const & piece, Monitor & monitor,
                      Answers & answers)
{
    return AlignCall{device, options, piece, monitor, answers}.run_if_similar();
}

} // namespace nwgpu::cuda
