// SPDX-License-Identifier: BSD-3-Clause
// One call: choose the engine, turn letters into codes; the frame does the rest.
#include "align/aligner.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <numeric>
#include <optional>

#include "align/auto_backend.hpp"
#include "align/frame.hpp"
#include "align/host_memory.hpp"
#include "backend/looks.hpp"
#include "backend/row_share.hpp"
#include "base/pieces.hpp"
#include "cpu/engine.hpp"
#include "cpu/kernels/kernel_table.hpp"
#include "cuda/engine.hpp"
#include "places/devices_backend.hpp"
#include "places/ranks_backend.hpp"
#include "published/engine.hpp"

namespace nwgpu {

namespace {

cpu::EngineOptions to_cpu_options(AlignerOptions const & options, std::shared_ptr<Team> const & team)
{
    std::string isa = options.cpu_isa;
    if (char const * const forced = std::getenv("NWGPU_FORCE_ISA"); isa.empty() && forced)
        isa = forced;
    return {options.cpu_threads, isa, {}, team};
}

std::unique_ptr<Backend> make_cpu_engine(AlignerOptions const & options, std::shared_ptr<Team> const & team)
{
    return cpu::make_engine(to_cpu_options(options, team));
}

using Log = std::shared_ptr<CallerLog>;

// Of several alignments a pair the device does what is quadratic, the CPU the rest; bands and other ties are the CPU's.
cuda::EngineOptions to_cuda_options(AlignerOptions const & options, int device, std::shared_ptr<Team> const & team,
                                    Log const & log)
{
    return {device,
            options.max_device_bytes,
            options.cuda_stream,
            {},
            cpu::make_swept_finder(to_cpu_options(options, team)),
            make_cpu_engine(options, team),
            [log](std::string const & text) { (*log)(LogLevel::warning, text); },
            cpu::kernel_table(to_cpu_options(options, team).isa).to_two_bits};
}

// Of a GPU, about: batches of short pairs, with paths.
constexpr places::Speed gpu_speed{2e-9, 0.035e-9, 1 / 4e12, 12e-3, UINT64_MAX, 0.75};

std::unique_ptr<Backend> make_cuda_engine(AlignerOptions const & options, std::shared_ptr<Team> const & team,
                                          Log const & log)
{
    if (options.devices.size() <= 1)
        return cuda::make_engine(to_cuda_options(options, options.device, team, log));
    std::vector<places::Device> devices;
    int const threads = std::max(1, team->size() / static_cast<int>(options.devices.size()));
    for (int const device : options.devices) {
        auto own = std::make_shared<Team>(threads);
        devices.push_back({cuda::make_engine(to_cuda_options(options, device, own, log)), own});
    }
    return places::make_devices_backend(std::move(devices), gpu_speed, options.row_rules,
                                        [log](std::string const & text) { (*log)(LogLevel::warning, text); });
}

// Of a CPU's thread, about: 16-bit scores, with paths.
constexpr double cpu_cell_seconds = 1 / 5e9, cpu_least_seconds = 20e-3;
// So many letters go to a rank at a time, and come back as runs.
constexpr std::uint64_t most_task_letters = std::uint64_t{64} << 20;

std::unique_ptr<Backend> make_backend(AlignerOptions const & options, std::shared_ptr<Team> const & team,
                                      Log const & log)
{
    if (options.backend == BackendKind::cuda)
        return make_cuda_engine(options, team, log);
    if (options.backend == BackendKind::cpu)
        return make_cpu_engine(options, team);
    if (resolve(options.backend) == BackendKind::cuda) {
        std::size_t const count = options.devices.size();
        std::vector<RowPace> paces;
        for (int const device : count > 0 ? options.devices : std::vector{options.device})
            paces.push_back(cuda::row_pace(device));
        return make_auto_backend(
            make_cpu_engine(options, team),
            (count > 1 ? std::to_string(count) + "x" : std::string{}) + cuda::name(options.device),
            [options, team, log] { return make_cuda_engine(options, team, log); },
            [log](std::string const & text) { (*log)(LogLevel::warning, text); }, places::united(paces));
    }
    (*log)(LogLevel::info, "using the CPU: " + why_no_device());
    return make_cpu_engine(options, team);
}

std::shared_ptr<CodedSequences const> coded(RawSequences const & raw, CodeCache * cache, Scoring const & scoring,
                                            Team & team, Translate translate, GoOn const & go_on)
{
    if (cache)
        return cache->get(raw, scoring, &team, translate, go_on);
    return std::make_shared<CodedSequences const>(raw, scoring, &team, translate, go_on);
}

// Of a query, from which on others are looked for that have the same.
constexpr std::uint64_t many_targets = 4096;

// In which queries of nearly equal length are neighbours, where that matters; empty: the order that they have.
std::vector<std::uint64_t> best_order(Backend & backend, CodedSequences const & queries, std::uint64_t pairs,
                                      Scoring const & scoring, Request request, std::uint64_t max_host_bytes)
{
    request.output = Output::score;
    if (pairs / many_targets < queries.count() || max_host_bytes != 0 ||
        !backend.gains_by_common_targets(scoring, request))
        return {};
    std::vector<std::uint64_t> order(queries.count());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return queries.length(a) < queries.length(b); });
    return order;
}

} // namespace

Aligner::Aligner(AlignerOptions const & options) :
    options_{options},
    log_{std::make_shared<CallerLog>(options.log)},
    team_{std::make_shared<Team>(options.cpu_threads)},
    translate_{nullptr},
    backend_{make_engine()}
{}

Aligner::~Aligner()
{
    if (options_.world && options_.world->rank() == 0)
        try {
            options_.world->end();
        } catch (...) { // who does not hear of it ends in another way
        }
}

// The engine, and the ranks behind it.
std::unique_ptr<Backend> Aligner::make_engine()
{
    places::World * const world = options_.world.get();
    std::unique_ptr<Backend> engine;
    places::Member self;
    try {
        translate_ = cpu::kernel_table(to_cpu_options(options_, team_).isa).translate;
        engine = make_backend(options_, team_, log_);
        RowEngine const * const rows = world ? engine->row_engine() : nullptr;
        self = places::Member::here(engine->name(), engine->threads(), rows ? rows->pace() : RowPace{});
    } catch (Error const & error) {
        if (!world)
            throw;
        self = places::Member::here({}, 0, {}, error.what());
        try {
            world->meet(self, build_info());
        } catch (Error const &) { // of this rank, perhaps: the others are told
        }
        throw;
    }
    if (!world)
        return engine;
    world->meet(self, build_info());
    if (world->rank() != 0)
        return engine;
    bool const on_gpu = !engine->name().starts_with("cpu");
    double const threads = team_->size(), gpus = static_cast<double>(std::max<std::size_t>(1, options_.devices.size()));
    places::Speed const speed =
        on_gpu ? places::Speed{gpu_speed.pair_seconds / gpus, gpu_speed.letter_seconds, gpu_speed.cell_seconds / gpus,
                               gpu_speed.least_seconds, most_task_letters}
               : places::Speed{0, 0, cpu_cell_seconds / threads, cpu_least_seconds, most_task_letters};
    return places::make_ranks_backend(options_.world, std::move(engine), speed, options_.row_rules,
                                      [log = log_](std::string const & text) { (*log)(LogLevel::warning, text); });
}

void Aligner::trim()
{
    backend_->trim();
    published_.reset();
}

void * Aligner::allocate_host(std::uint64_t bytes) const
{
    bool const has_gpu = resolve(options_.backend) == BackendKind::cuda;
    return nwgpu::allocate_host(bytes, has_gpu ? std::optional{options_.device} : std::nullopt);
}

Backend & Aligner::backend_for(std::string const & algorithm)
{
    if (algorithm.empty())
        return *backend_;
    if (!published_ || published_name_ != algorithm) {
        published_.reset(); // its memory first
        published_name_ = algorithm;
        published_ = published::make_engine(
            algorithm, {options_.cpu_threads, to_cuda_options(options_, options_.device, team_, log_), team_});
    }
    return *published_;
}

// `as_letters`: if the engine takes them, and nobody needs to know invalid ones before.  `entries`: of the result, as
// far as they are known.
template <class Work>
auto Aligner::with_codes(Problem const & problem, std::uint64_t entries, Scoring const & scoring,
                         Request const & request, std::string const & algorithm, bool as_letters,
                         Progress const & progress, Work const & work)
{
    log_->begin();
    // Before the first report of the work: nothing is done yet, of as many cells as all sequences have, say.
    std::uint64_t const all_cells = problem.queries.bytes.size() * problem.targets.bytes.size();
    std::optional<Monitor> monitor;
    GoOn go_on;
    if (progress) {
        monitor.emplace(progress, std::max<std::uint64_t>(1, all_cells), *team_);
        go_on = [&] { return Looks{*monitor}.look(); };
    }
    check_pairs(problem, team_.get(), go_on);
    std::uint64_t const codes = CodedSequences::bytes_for(problem.queries) + CodedSequences::bytes_for(problem.targets);
    check_call(call_bytes(codes, entries, request), problem.pairs.size(), options_.max_host_bytes);
    Backend & backend = backend_for(algorithm);
    auto const make = [&](RawSequences const & raw, CodeCache * cache, GoOn const & go_on) {
        return coded(raw, cache, scoring, *team_, translate_, go_on);
    };
    // Of an engine that makes them itself, later, perhaps.
    auto const queries_then = [&] { return make(problem.queries, problem.query_codes, {}); };
    auto const targets_then = [&] { return make(problem.targets, problem.target_codes, {}); };
    as_letters = as_letters && options_.max_host_bytes == 0 && request.min_score == no_min_score &&
                 backend.takes_letters(scoring, request);
    auto const queries = as_letters ? std::make_shared<CodedSequences const>(problem.queries, queries_then)
                                    : make(problem.queries, problem.query_codes, go_on);
    auto const targets = as_letters ? std::make_shared<CodedSequences const>(problem.targets, targets_then)
                                    : make(problem.targets, problem.target_codes, go_on);
    try {
        auto result = work(backend, *queries, *targets, go_on);
        log_->flush();
        return result;
    } catch (...) {
        log_->flush();
        throw;
    }
}

template <class Work>
auto Aligner::with_frame(Problem const & problem, Scoring const & scoring, Request const & request,
                         std::string const & algorithm, bool as_letters, Progress const & progress, Work const & work)
{
    return with_codes(
        problem, problem.pairs.size(), scoring, request, algorithm, as_letters, progress,
        [&](Backend & backend, CodedSequences const & queries, CodedSequences const & targets, GoOn const & go_on) {
            Batch const batch{queries, targets, problem.pairs};
            return work(Frame{backend, *team_, batch, scoring, request, options_.max_host_bytes}, go_on);
        });
}

template <class Work>
auto Aligner::with_best(Problem const & problem, Pairing pairing, Best const & best, Scoring const & scoring,
                        Request const & request, std::string const & algorithm, bool as_letters,
                        Progress const & progress, Work const & work)
{
    return with_codes(
        problem, 0, scoring, request, algorithm, as_letters, progress,
        [&](Backend & backend, CodedSequences const & queries, CodedSequences const & targets, GoOn const &) {
            std::uint64_t const count = pairing == Pairing::list  ? problem.pairs.size()
                                        : pairing == Pairing::all ? queries.count() * targets.count()
                                                                  : 0;
            PairsByQuery const pairs{pairing, queries.count(), targets.count(), problem.pairs,
                                     best_order(backend, queries, count, scoring, request, options_.max_host_bytes)};
            return work(
                BestCall{backend, *team_, queries, targets, pairs, scoring, request, best, options_.max_host_bytes});
        });
}

Estimate Aligner::estimate(Problem const & problem, Scoring const & scoring, Request const & request,
                           std::string const & algorithm)
{
    return with_frame(problem, scoring, request, algorithm, false, {},
                      [](Frame frame, GoOn const &) { return frame.estimate(); });
}

BatchResult Aligner::align(Problem const & problem, Scoring const & scoring, Request const & request,
                           Progress const & progress, std::string const & algorithm)
{
    if (!request.checkpoint.folder.empty()) {
        if (problem.pairs.size() != 1)
            throw Error{Status::invalid_argument,
                        "a checkpoint belongs to one pair, there are " + std::to_string(problem.pairs.size())};
        if (!request.mode.has_usual_rules() || request.top > 1)
            throw Error{Status::unsupported, "no checkpoints of bands, other tie rules and several alignments"};
    }
    return with_frame(problem, scoring, request, algorithm, true, progress,
                      [&](Frame frame, GoOn const & go_on) { return frame.align(progress, go_on); });
}

Estimate Aligner::estimate_best(Problem const & problem, Pairing pairing, Best const & best, Scoring const & scoring,
                                Request const & request, std::string const & algorithm)
{
    return with_best(problem, pairing, best, scoring, request, algorithm, false, {},
                     [](BestCall call) { return call.estimate(); });
}

BestResult Aligner::align_best(Problem const & problem, Pairing pairing, Best const & best, Scoring const & scoring,
                               Request const & request, Progress const & progress, std::string const & algorithm)
{
    return with_best(problem, pairing, best, scoring, request, algorithm, true, progress,
                     [&](BestCall call) { return call.align(progress); });
}

void check_pairs(Problem const & problem, Team * team, GoOn const & go_on)
{
    std::atomic<std::uint64_t> first{UINT64_MAX}; // that names one
    for_pieces_while(go_on, team, problem.pairs.size(), [&](std::uint64_t begin, std::uint64_t end) {
        std::uint64_t const queries = problem.queries.count(), targets = problem.targets.count();
        std::uint64_t p = begin;
        while (p < end && problem.pairs[p].query < queries && problem.pairs[p].target < targets)
            ++p;
        for (std::uint64_t before = first; p < end && p < before && !first.compare_exchange_weak(before, p);) {
        }
    });
    if (first != UINT64_MAX)
        throw Error{Status::invalid_argument, "a pair names a sequence that does not exist", first};
}

} // namespace nwgpu
