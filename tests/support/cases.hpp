// SPDX-License-Identifier: BSD-3-Clause
// Runs pairs through an engine and compares with expected results, in one line per difference: what differs, and
// the words that find the case again (seed, lengths, scheme, mode, instruction set, threads, memory limit).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cpu/engine.hpp"
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

// How pairs are aligned on the CPU.
struct CpuSetup {
    int threads = 0;
    std::uint64_t max_host_bytes = 0; // of a call; 0: no limit
    std::string isa;
    cpu::Tuning tuning;

    operator cpu::EngineOptions() const { return {threads, isa, tuning}; }
};
// Engines are made once per setup and kept: what a user with one context does.
Backend & engine(CpuSetup const & options);
std::string describe(CpuSetup const & options); // "isa=avx2 threads=2 limit=0"
// Every instruction set with one thread; `threads` adds 2 and 3 threads on the best one.
std::vector<CpuSetup> engine_setups(bool threads = true);
// The same for long pairs: without the emulated instruction set, whose cells cost a hundred times as much.
std::vector<CpuSetup> fast_setups();

// What an engine answers, and the frame that every call has around it.
BatchResult align(Backend & backend, Batch const & batch, Scoring const & scoring, Request const & request,
                  Progress const & progress = {}, std::uint64_t max_host_bytes = 0);
BatchResult align(CpuSetup const & setup, Batch const & batch, Scoring const & scoring, Request const & request);
Estimate estimate(Backend & backend, Batch const & batch, Scoring const & scoring, Request const & request,
                  std::uint64_t max_host_bytes = 0);
Estimate estimate(CpuSetup const & setup, Batch const & batch, Scoring const & scoring, Request const & request);

// The oracle's answers.
std::vector<PairResult> oracle(PairSet const & set, Scoring const & scoring, Mode const & mode,
                               CigarStyle style = CigarStyle::eqx);
// The engine's answers; a pair that failed is reported as a test failure.
std::vector<PairResult> run(PairSet const & set, Scoring const & scoring, Request const & request,
                            CpuSetup const & options);
std::vector<PairResult> run(PairSet const & set, Scoring const & scoring, Request const & request, Backend & backend,
                            std::string const & words, std::uint64_t max_host_bytes = 0);
// What `full` (output level cigar) looks like at a lower level.
PairResult at_level(PairResult full, Output output);

// Test failure for each of the first few pairs that differ.  `words` go into the reproducer line.
void expect_equal(std::vector<PairResult> const & expected, std::vector<PairResult> const & actual, PairSet const & set,
                  std::string const & words);
// run() at this output level and compare with `full` cut to that level; returns whether all were equal.
bool check(PairSet const & set, Scheme const & scheme, Request const & request, CpuSetup const & options,
           std::vector<PairResult> const & full, std::string const & words);
bool check(PairSet const & set, Scheme const & scheme, Request const & request, Backend & backend,
           std::vector<PairResult> const & full, std::string const & words, std::uint64_t max_host_bytes = 0);
// Re-scores the CIGAR over the span and demands the score, and that the span keeps to the mode.
void expect_consistent(PairSet const & set, std::uint64_t p, Scoring const & scoring, Mode const & mode,
                       PairResult const & result, std::string const & words);

} // namespace nwgpu::test
