// SPDX-License-Identifier: BSD-3-Clause
// Runs pairs through an engine and compares with expected results, in one line per difference: what differs, and
// the words that find the case again (seed, lengths, scheme, mode, instruction set, threads, memory limit).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "align/devices.hpp"
#include "cpu/engine.hpp"
#include "cuda/options.hpp"
#include "model/batch.hpp"
#include "model/result.hpp"
#include "support/random.hpp"
#include "support/schemes.hpp"

namespace nwgpu::test {

// Pairs as the library takes them: bytes end to end, coded for one scheme.  Neither copied nor moved.
class PairSet {
public:
    PairSet(std::vector<SequencePair> pairs, Scoring const & scoring);
    PairSet(PairSet const &) = delete;

    std::uint64_t count() const { return pairs_.size(); }
    SequencePair const & operator[](std::uint64_t p) const { return pairs_[p]; }
    Batch batch() const { return {*queries_, *targets_, indices_}; }
    PairView view(std::uint64_t p) const { return batch().view(p); }

private:
    struct Side {
        std::vector<std::uint8_t> bytes;
        std::vector<std::uint64_t> offsets{0};
    };
    std::vector<SequencePair> pairs_;
    Side query_side_, target_side_;
    std::optional<CodedSequences> queries_, targets_;
    std::vector<Pair> indices_;
};

// How pairs are aligned: by the CPU engine, or by the CUDA engine with a tuning of its own.
struct EngineSetup {
    int threads = 0;
    std::uint64_t max_host_bytes = 0; // of a call; 0: no limit
    std::string isa;
    cpu::Tuning tuning;
    BackendKind kind = BackendKind::cpu; // or cuda
    std::uint64_t max_device_bytes = 0;
    cuda::Tuning cuda;

    operator cpu::EngineOptions() const { return {threads, isa, tuning}; }
};
EngineSetup on_gpu(cuda::Tuning const & tuning = {}, std::uint64_t max_device_bytes = 0);
// CPU engines are made once per setup and kept: what a user with one context does.  A CUDA engine is kept until another
// one is asked for.
Backend & engine(EngineSetup const & setup);
std::string describe(EngineSetup const & setup); // "isa=avx2 threads=2 limit=0", "cuda rows_per_half=8"
// Every instruction set with one thread; `threads` adds 2 and 3 threads on the best one.  On the GPU as it likes.
std::vector<EngineSetup> engine_setups(bool threads = true, BackendKind kind = BackendKind::cpu);
// For long pairs: without the emulated instruction set, whose cells cost a hundred times as much; on the GPU by several
// kernels, with kept boundaries.
std::vector<EngineSetup> fast_setups(BackendKind kind = BackendKind::cpu);

// What an engine answers, and the frame that every call has around it.
BatchResult align(Backend & backend, Batch const & batch, Scoring const & scoring, Request const & request,
                  Progress const & progress = {}, std::uint64_t max_host_bytes = 0);
BatchResult align(EngineSetup const & setup, Batch const & batch, Scoring const & scoring, Request const & request);
Estimate estimate(Backend & backend, Batch const & batch, Scoring const & scoring, Request const & request,
                  std::uint64_t max_host_bytes = 0);
Estimate estimate(EngineSetup const & setup, Batch const & batch, Scoring const & scoring, Request const & request);

// The oracle's answers.
std::vector<PairResult> oracle(PairSet const & set, Scoring const & scoring, Mode const & mode,
                               CigarStyle style = CigarStyle::eqx);
// The engine's answers; a pair that failed is reported as a test failure.  One below the request's min_score has
// too_low_score and nothing else.
std::vector<PairResult> run(PairSet const & set, Scoring const & scoring, Request const & request,
                            EngineSetup const & options);
std::vector<PairResult> run(PairSet const & set, Scoring const & scoring, Request const & request, Backend & backend,
                            std::string const & words, std::uint64_t max_host_bytes = 0);
// What `full` (output level cigar) looks like at a lower level.
PairResult at_level(PairResult full, Output output);
// The same with the request's level and min_score.
PairResult expected_of(PairResult const & full, Request const & request);

// Test failure for each of the first few pairs that differ.  `words` go into the reproducer line.
void expect_equal(std::vector<PairResult> const & expected, std::vector<PairResult> const & actual, PairSet const & set,
                  std::string const & words);
// run() at this output level and compare with `full` cut to that level; returns whether all were equal.
bool check(PairSet const & set, Scheme const & scheme, Request const & request, EngineSetup const & options,
           std::vector<PairResult> const & full, std::string const & words);
bool check(PairSet const & set, Scheme const & scheme, Request const & request, Backend & backend,
           std::vector<PairResult> const & full, std::string const & words, std::uint64_t max_host_bytes = 0);
// Re-scores the CIGAR over the span and demands the score, and that the span keeps to the mode.
void expect_consistent(PairSet const & set, std::uint64_t p, Scoring const & scoring, Mode const & mode,
                       PairResult const & result, std::string const & words);

} // namespace nwgpu::test
