// SPDX-License-Identifier: BSD-3-Clause
// One call: take out the pairs that no engine can align, run the engine on the others, merge.
#include "align/aligner.hpp"

#include <cstdlib>

#include "align/auto_backend.hpp"
#include "align/host_memory.hpp"
#include "cpu/engine.hpp"
#include "cpu/kernel_table.hpp"
#include "cuda/engine.hpp"
#include "published/engine.hpp"

namespace nwgpu {

namespace {

// Below this many letters in a pair, 64 bits hold every sum of costs (each at most 2^30) with room to spare.
constexpr std::uint64_t max_letters = std::uint64_t{1} << 31;

cpu::EngineOptions to_cpu_options(AlignerOptions const & options, std::shared_ptr<Team> const & team)
{
    std::string isa = options.cpu_isa;
    if (char const * const forced = std::getenv("NWGPU_FORCE_ISA"); isa.empty() && forced)
        isa = forced;
    return {options.cpu_threads, options.max_host_bytes, isa, {}, team};
}

std::unique_ptr<Backend> make_cpu_engine(AlignerOptions const & options, std::shared_ptr<Team> const & team)
{
    return cpu::make_engine(to_cpu_options(options, team));
}

// Of several alignments a pair the device does what is quadratic, the CPU the rest.
cuda::EngineOptions to_cuda_options(AlignerOptions const & options, std::shared_ptr<Team> const & team)
{
    return {options.device,
            options.max_device_bytes,
            options.max_host_bytes,
            options.cuda_stream,
            {},
            cpu::make_swept_finder(to_cpu_options(options, team)),
            [log = options.log](std::string const & text) {
                if (log)
                    log(LogLevel::warning, text);
            }};
}

std::unique_ptr<Backend> make_cuda_engine(AlignerOptions const & options, std::shared_ptr<Team> const & team)
{
    return cuda::make_engine(to_cuda_options(options, team));
}

std::unique_ptr<Backend> make_backend(AlignerOptions const & options, std::shared_ptr<Team> const & team)
{
    if (options.backend == BackendKind::cuda)
        return make_cuda_engine(options, team);
    if (options.backend == BackendKind::cpu)
        return make_cpu_engine(options, team);
    auto const log = [log = options.log](LogLevel level, std::string const & text) {
        if (log)
            log(level, text);
    };
    if (resolve(options.backend) == BackendKind::cuda)
        return make_auto_backend(
            make_cpu_engine(options, team), cuda::name(options.device),
            [options, team] { return make_cuda_engine(options, team); },
            [log](std::string const & text) { log(LogLevel::warning, text); });
    log(LogLevel::info, "using the CPU: " + why_no_device());
    return make_cpu_engine(options, team);
}

std::uint64_t bytes_of_codes(Problem const & problem)
{
    return CodedSequences::bytes_for(problem.queries) + CodedSequences::bytes_for(problem.targets);
}

struct Failure {
    std::uint64_t pair;
    Status status;
    std::string what;
};

std::shared_ptr<CodedSequences const> coded(RawSequences const & raw, CodeCache * cache, Scoring const & scoring,
                                            Team * team, Translate translate)
{
    if (cache)
        return cache->get(raw, scoring, team, translate);
    return std::make_shared<CodedSequences const>(raw, scoring, team, translate);
}

// The coded problem, the pairs that no engine can align, and the others.
class Checked {
public:
    Checked(Problem const & problem, Scoring const & scoring, Team * team, Translate translate) :
        queries_{coded(problem.queries, problem.query_codes, scoring, team, translate)},
        targets_{coded(problem.targets, problem.target_codes, scoring, team, translate)},
        all_{problem.pairs}
    {
        for (std::uint64_t p = 0; p < all_.size(); ++p)
            check(p);
        if (failures_.empty())
            return;
        auto failure = failures_.begin();
        for (std::uint64_t p = 0; p < all_.size(); ++p) {
            if (failure != failures_.end() && failure->pair == p) {
                ++failure;
            } else {
                good_.push_back(p);
                good_pairs_.push_back(all_[p]);
            }
        }
    }

    Batch batch() const
    {
        return {*queries_, *targets_, failures_.empty() ? all_ : std::span<Pair const>{good_pairs_}};
    }

    // The result of all pairs, from the engine's result of batch().
    BatchResult complete(BatchResult && of_batch) const
    {
        if (failures_.empty())
            return std::move(of_batch);
        BatchResult result;
        result.reset(all_.size());
        for (Failure const & failure : failures_)
            result.fail(failure.pair, failure.status, failure.what);
        replace_pairs(result, of_batch, good_);
        return result;
    }

private:
    void check(std::uint64_t p)
    {
        auto const [query, target] = all_[p];
        if (queries_->first_invalid(query) != UINT64_MAX)
            failures_.push_back({p, Status::invalid_sequence, "query: " + queries_->why_invalid(query)});
        else if (targets_->first_invalid(target) != UINT64_MAX)
            failures_.push_back({p, Status::invalid_sequence, "target: " + targets_->why_invalid(target)});
        else if (queries_->length(query) + targets_->length(target) >= max_letters)
            failures_.push_back({p, Status::too_large, "the pair has 2^31 letters or more"});
    }

    std::shared_ptr<CodedSequences const> queries_, targets_;
    std::span<Pair const> all_;
    std::vector<Failure> failures_; // in the order of their pairs
    // Only where there are failures: the other pairs, and their indices.
    std::vector<std::uint64_t> good_;
    std::vector<Pair> good_pairs_;
};

} // namespace

Aligner::Aligner(AlignerOptions const & options) :
    options_{options},
    team_{std::make_shared<Team>(options.cpu_threads)},
    translate_{cpu::kernel_table(to_cpu_options(options, team_).isa).translate},
    backend_{make_backend(options, team_)}
{}

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
            algorithm, {options_.cpu_threads, options_.max_host_bytes, to_cuda_options(options_, team_), team_});
    }
    return *published_;
}

void Aligner::check_memory(Problem const & problem) const
{
    std::uint64_t const bytes = bytes_of_codes(problem);
    if (options_.max_host_bytes != 0 && bytes > options_.max_host_bytes)
        throw Error{Status::memory_limit, "the sequences alone take " + std::to_string(bytes) + " bytes"};
}

Estimate Aligner::estimate(Problem const & problem, Scoring const & scoring, Request const & request,
                           std::string const & algorithm)
{
    check_pairs(problem);
    check_memory(problem);
    Checked const checked{problem, scoring, nullptr, translate_};
    Estimate result = backend_for(algorithm).estimate(checked.batch(), scoring, request);
    result.host_bytes += bytes_of_codes(problem);
    return result;
}

BatchResult Aligner::align(Problem const & problem, Scoring const & scoring, Request const & request,
                           Progress const & progress, std::string const & algorithm)
{
    check_pairs(problem);
    check_memory(problem);
    if (!request.checkpoint.folder.empty()) {
        if (problem.pairs.size() != 1)
            throw Error{Status::invalid_argument,
                        "a checkpoint belongs to one pair, there are " + std::to_string(problem.pairs.size())};
        if (!algorithm.empty() || !request.is_plain())
            throw Error{Status::unsupported,
                        "no checkpoints of published algorithms, bands, other tie rules and several alignments"};
    }
    Backend & backend = backend_for(algorithm);
    Checked const checked{problem, scoring, team_.get(), translate_};
    BatchResult result;
    backend.align(checked.batch(), scoring, request, progress, result);
    return checked.complete(std::move(result));
}

void check_pairs(Problem const & problem)
{
    for (std::uint64_t p = 0; p < problem.pairs.size(); ++p) {
        Pair const pair = problem.pairs[p];
        if (pair.query >= problem.queries.count() || pair.target >= problem.targets.count())
            throw Error{Status::invalid_argument, "a pair names a sequence that does not exist", p};
    }
}

} // namespace nwgpu
