// SPDX-License-Identifier: BSD-3-Clause
// Which pairs are computed together, and on what plan.  Largest first.
#include <algorithm>
#include <limits>
#include <mutex>
#include <new>
#include <numeric>

#include "cuda/backend.hpp"
#include "cuda/band_probe.hpp"
#include "cuda/device.hpp"
#include "cuda/group.hpp"
#include "cuda/plan.hpp"
#include "cuda/scheme.hpp"
#include "path/empty.hpp"

namespace nwgpu::cuda {

namespace {

constexpr double least_seconds_for_band = 0.05; // of the whole matrix, below which looking for a band costs more

// Sequences on the device, as indices of the score table.
class Letters {
public:
    Letters(Device & device, CodedSequences const & sequences, LetterMap const & map)
    {
        std::vector<std::uint8_t> all;
        all.reserve(sequences.bytes());
        for (std::uint64_t s = 0; s < sequences.count(); ++s) {
            starts_.push_back(all.size());
            all.resize(all.size() + sequences.length(s));
            std::uint8_t const * const codes = sequences.codes(s);
            std::transform(codes, codes + sequences.length(s), all.data() + starts_.back(),
                           [&](std::uint8_t code) { return map[code]; });
        }
        letters_ = DeviceArray<std::uint8_t>{device, all};
    }
    std::uint8_t const * of(std::uint64_t sequence) const { return letters_.data() + starts_[sequence]; }

private:
    std::vector<std::uint64_t> starts_;
    DeviceArray<std::uint8_t> letters_;
};

class Engine final : public Backend {
public:
    explicit Engine(EngineOptions const & options) : device_{options}, tuning_{options.tuning} {}

    std::string name() const override { return cuda::name(device_.index()); }
    int threads() const override { return 1; }

    void trim() override
    {
        std::lock_guard const lock{mutex_};
        DeviceGuard const guard{device_.index()};
        device_.trim();
    }

    Estimate estimate(Batch const & batch, Scoring const & scoring, Request const & request) override
    {
        std::lock_guard const lock{mutex_};
        DeviceGuard const guard{device_.index()};
        ScoreTable const table{batch, scoring};
        DeviceShape const device = device_shape();
        Estimate estimate;
        for (std::uint64_t p = 0; p < batch.pairs.size(); ++p) {
            PairView const pair = batch.view(p);
            if (pair.m == 0 || pair.n == 0)
                continue;
            PairShape const shape = shape_of(pair, table, scoring, request);
            PairPlan plan = plan_pair(shape, device);
            if (may_have_band(plan, request))
                plan.bytes = std::max(plan.bytes, probe_bytes(shape));
            estimate.cells += pair.cells();
            estimate.seconds += plan.seconds;
            estimate.host_bytes += request.output == Output::cigar ? 4 * (pair.m + pair.n) + 256 : 256;
            if (plan.bytes > estimate.device_bytes) {
                estimate.device_bytes = plan.bytes;
                estimate.plan = plan.text;
            }
        }
        estimate.device_bytes += batch.queries.bytes() + batch.targets.bytes();
        estimate.plan = std::to_string(batch.pairs.size()) + " pairs on " + name() + "; the largest: " + estimate.plan;
        return estimate;
    }

    void align(Batch const & batch, Scoring const & scoring, Request const & request, Progress const & progress,
               BatchResult & result) override
    {
        if (!request.is_plain()) {
            result.reset(batch.pairs.size());
            for (std::uint64_t p = 0; p < batch.pairs.size(); ++p)
                result.fail(p, Status::unsupported,
                            "the CUDA engine has no bands, one tie rule and one alignment a pair: use auto or the CPU");
            return;
        }
        std::lock_guard const lock{mutex_};
        if (lost_)
            throw Error{Status::device_lost, "an earlier failure of the device has ended this context"};
        DeviceGuard const guard{device_.index()};
        try {
            Call{*this, batch, scoring, request, progress, result}.run();
        } catch (Error const & error) {
            lost_ = error.status == Status::device_lost;
            throw;
        }
    }

private:
    DeviceShape device_shape() const
    {
        return {device_.multiprocessors(), device_.shared_bytes(), device_.shared_bytes_per_block(),
                device_.budget() - device_.used()};
    }

    PairShape shape_of(PairView const & pair, ScoreTable const & table, Scoring const & scoring,
                       Request const & request) const
    {
        PairShape shape;
        shape.m = pair.m;
        shape.n = pair.n;
        shape.letters = table.target_letters;
        shape.most_pairs = most_packed_pairs(scoring, request.mode.local);
        shape.wide = tuning_.width == 64 || !fits_32_bits(scoring, pair.m, pair.n);
        shape.linear = scoring.gap().open == 0;
        // The end of a local alignment is found again from kept boundaries.
        shape.path = request.output >= (request.mode.local ? Output::end : Output::span);
        shape.mode = request.mode;
        shape.tuning = tuning_;
        return shape;
    }

    // `full`: the plan of the whole matrix.
    bool may_have_band(PairPlan const & full, Request const & request) const
    {
        return request.mode.global() && tuning_.band >= 0 &&
               (tuning_.band > 0 || full.seconds >= least_seconds_for_band);
    }

    // One align() call.
    class Call {
    public:
        Call(Engine & engine, Batch const & batch, Scoring const & scoring, Request const & request,
             Progress const & progress, BatchResult & result) :
            engine_{engine},
            device_{engine.device_},
            batch_{batch},
            scoring_{scoring},
            request_{request},
            result_{result},
            monitor_{progress, batch.cells()},
            table_{batch, scoring},
            queries_{device_, batch.queries, table_.query_map},
            targets_{device_, batch.targets, table_.target_map},
            scores_{device_, table_.scores},
            results_(batch.pairs.size()),
            shape_{engine.device_shape()}
        {}

        void run()
        {
            result_.reset(batch_.pairs.size());
            std::vector<std::uint64_t> order(batch_.pairs.size());
            std::iota(order.begin(), order.end(), std::uint64_t{0});
            auto const cells = [&](std::uint64_t p) { return batch_.view(p).cells(); };
            std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return cells(a) > cells(b); });

            std::vector<std::uint64_t> group;
            PairPlan plan;
            bool wide = false;
            std::uint64_t bytes = 0;
            auto const flush = [&] {
                if (!group.empty())
                    align_group(group, plan, wide);
                group.clear();
                bytes = 0;
            };
            for (std::uint64_t const p : order) {
                PairView const pair = batch_.view(p);
                if (pair.m == 0 || pair.n == 0) {
                    results_[p] = path::align_empty(pair, scoring_, request_.mode);
                    continue;
                }
                PairShape const shape = engine_.shape_of(pair, table_, scoring_, request_);
                PairPlan next;
                try {
                    next = plan_pair(shape, shape_);
                } catch (Error const & error) {
                    result_.fail(p, error.status, error.what());
                    continue;
                }
                if (engine_.may_have_band(next, request_))
                    next = with_band(p, shape, next);
                bool const joins = !group.empty() && next.levels.empty() && plan.levels.empty() &&
                                   next.traced == plan.traced && next.band.everything() && plan.band.everything() &&
                                   shape.wide == wide && group.size() < 16384 &&
                                   bytes + next.bytes <= shape_.budget / 2;
                if (!joins) {
                    flush();
                    plan = next;
                    wide = shape.wide;
                }
                group.push_back(p);
                bytes += next.bytes;
            }
            flush();
            collect(results_, request_, result_);
        }

    private:
        // A failure that ends a pair, not the call.
        static bool lacks_memory(Error const & error)
        {
            return error.status == Status::out_of_device_memory || error.status == Status::memory_limit;
        }

        // `full`, the plan of the whole matrix, or one with a band where one is proven and saves time.
        PairPlan with_band(std::uint64_t p, PairShape shape, PairPlan const & full)
        {
            if (probe_bytes(shape) > shape_.budget)
                return full;
            try {
                auto const band = shape.wide ? find_band<std::int64_t>(p, shape) : find_band<std::int32_t>(p, shape);
                if (!band)
                    return full;
                shape.band = *band;
                PairPlan banded = plan_pair(shape, shape_);
                return engine_.tuning_.band > 0 || banded.seconds < full.seconds ? banded : full;
            } catch (Error const & error) {
                if (!lacks_memory(error))
                    throw;
                return full;
            }
        }

        template <class S>
        std::optional<path::Band> find_band(std::uint64_t p, PairShape const & shape)
        {
            Sweeper<S> const sweeper = make_sweeper<S>();
            return BandProbe<S>{sweeper, scoring_, group_pair(p), shape, shape_, monitor_}.find();
        }

        GroupPair group_pair(std::uint64_t p)
        {
            return {batch_.view(p), queries_.of(batch_.pairs[p].query), targets_.of(batch_.pairs[p].target),
                    &results_[p]};
        }

        template <class S>
        Sweeper<S> make_sweeper()
        {
            SweepArgs<S> args;
            args.scores = scores_.data();
            args.letters = table_.target_letters;
            args.open = static_cast<S>(scoring_.gap().open);
            args.extend = static_cast<S>(scoring_.gap().extend);
            args.code = KeptCode<S>::of(args.open, args.extend);
            args.floor = request_.mode.local ? 0 : std::numeric_limits<S>::min() / 2;
            args.skip.most = static_cast<S>(std::max<std::int64_t>(1, scoring_.max_score()));
            return {device_, args};
        }

        void align_group(std::vector<std::uint64_t> const & group, PairPlan plan, bool wide)
        {
            if (group.size() > 1) { // the plan was made for one
                PairView const pair = batch_.view(group.front());
                PairShape shape = engine_.shape_of(pair, table_, scoring_, request_);
                if (plan.traced)
                    shape.most_pairs = 0;
                plan.sweep = plan_sweep(pair.m, pair.n, group.size(), shape, shape_, pair.m);
            }
            std::vector<GroupPair> pairs;
            for (std::uint64_t const p : group)
                pairs.push_back(group_pair(p));
            try {
                if (wide)
                    align_group<std::int64_t>(pairs, plan);
                else
                    align_group<std::int32_t>(pairs, plan);
            } catch (Error const & error) {
                if (!lacks_memory(error))
                    throw;
                for (std::uint64_t const p : group)
                    result_.fail(p, error.status, error.what());
            } catch (std::bad_alloc const &) {
                for (std::uint64_t const p : group)
                    result_.fail(p, Status::out_of_host_memory, "out of memory");
            }
        }

        template <class S>
        void align_group(std::vector<GroupPair> const & pairs, PairPlan const & plan)
        {
            Sweeper<S> const sweeper = make_sweeper<S>();
            Group<S>{sweeper, scoring_, request_, monitor_}.align(pairs, plan);
        }

        Engine & engine_;
        Device & device_;
        Batch const & batch_;
        Scoring const & scoring_;
        Request const & request_;
        BatchResult & result_;
        Monitor monitor_;
        ScoreTable table_;
        Letters queries_, targets_;
        DeviceArray<std::int32_t> scores_;
        std::vector<PairResult> results_;
        DeviceShape const shape_; // asking for free memory takes longer than planning a short pair
    };

    std::mutex mutex_;
    Device device_;
    Tuning tuning_;
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
    if (cudaFuncGetAttributes(&attributes, plain_kernel<std::int32_t>(false).function) != cudaSuccess) {
        cudaGetLastError();
        throw Error{Status::unsupported, "this build has no code for " + describe(options.device)};
    }
    return std::make_unique<Engine>(options);
}

} // namespace nwgpu::cuda
