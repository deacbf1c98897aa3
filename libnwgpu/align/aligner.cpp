// SPDX-License-Identifier: BSD-3-Clause
// One call: choose the engine, turn letters into codes; the frame does the rest.
#include "align/aligner.hpp"

#include <atomic>
#include <cstdlib>

#include "align/auto_backend.hpp"
#include "align/frame.hpp"
#include "align/host_memory.hpp"
#include "base/pieces.hpp"
#include "cpu/engine.hpp"
#include "cpu/kernels/kernel_table.hpp"
#include "cuda/engine.hpp"
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

// Of several alignments a pair the device does what is quadratic, the CPU the rest.
cuda::EngineOptions to_cuda_options(AlignerOptions const & options, std::shared_ptr<Team> const & team)
{
    return {options.device,
            options.max_device_bytes,
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

std::shared_ptr<CodedSequences const> coded(RawSequences const & raw, CodeCache * cache, Scoring const & scoring,
                                            Team & team, Translate translate)
{
    if (cache)
        return cache->get(raw, scoring, &team, translate);
    return std::make_shared<CodedSequences const>(raw, scoring, &team, translate);
}

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
        published_ = published::make_engine(algorithm, {options_.cpu_threads, to_cuda_options(options_, team_), team_});
    }
    return *published_;
}

template <class Work>
auto Aligner::with_frame(Problem const & problem, Scoring const & scoring, Request const & request,
                         std::string const & algorithm, Work const & work)
{
    check_pairs(problem, team_.get());
    std::uint64_t const codes = CodedSequences::bytes_for(problem.queries) + CodedSequences::bytes_for(problem.targets);
    check_call(call_bytes(codes, problem.pairs.size(), request), problem.pairs.size(), options_.max_host_bytes);
    Backend & backend = backend_for(algorithm);
    auto const queries = coded(problem.queries, problem.query_codes, scoring, *team_, translate_);
    auto const targets = coded(problem.targets, problem.target_codes, scoring, *team_, translate_);
    return work(Frame{backend, *team_, {*queries, *targets, problem.pairs}, scoring, request, options_.max_host_bytes});
}

Estimate Aligner::estimate(Problem const & problem, Scoring const & scoring, Request const & request,
                           std::string const & algorithm)
{
    return with_frame(problem, scoring, request, algorithm, [](Frame frame) { return frame.estimate(); });
}

BatchResult Aligner::align(Problem const & problem, Scoring const & scoring, Request const & request,
                           Progress const & progress, std::string const & algorithm)
{
    if (!request.checkpoint.folder.empty()) {
        if (problem.pairs.size() != 1)
            throw Error{Status::invalid_argument,
                        "a checkpoint belongs to one pair, there are " + std::to_string(problem.pairs.size())};
        if (!algorithm.empty() || !request.is_plain())
            throw Error{Status::unsupported,
                        "no checkpoints of published algorithms, bands, other tie rules and several alignments"};
    }
    return with_frame(problem, scoring, request, algorithm, [&](Frame frame) { return frame.align(progress); });
}

void check_pairs(Problem const & problem, Team * team)
{
    std::atomic<std::uint64_t> first{UINT64_MAX}; // that names one
    for_pieces(team, problem.pairs.size(), [&](std::uint64_t begin, std::uint64_t end) {
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
