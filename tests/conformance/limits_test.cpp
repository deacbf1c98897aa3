// SPDX-License-Identifier: BSD-3-Clause
// Memory limits: a pair is either aligned, and then exactly as without a limit, or refused with memory_limit; a
// limit of a few times the lengths is enough; what is refused harms no other pair.
#include <gtest/gtest.h>

#include "support/engines.hpp"

namespace nwgpu::test {
namespace {

constexpr std::uint64_t mib = 1 << 20;

struct Outcome {
    Status status;
    PairResult result;
};

std::vector<Outcome> attempt(PairSet const & set, Scoring const & scoring, Request const & request,
                             EngineSetup const & options)
{
    BatchResult batch;
    try {
        batch = align(options, set.batch(), scoring, request);
    } catch (Error const & error) { // the call as a whole
        return std::vector<Outcome>(set.count(), {error.status, {}});
    }
    std::vector<Outcome> outcomes;
    for (std::uint64_t p = 0; p < set.count(); ++p) {
        Outcome & outcome = outcomes.emplace_back(Outcome{batch.status.at(p), {batch.score.at(p), {}, {}, {}}});
        if (request.output > Output::score)
            outcome.result.span = batch.span.at(p);
        auto const runs = batch.runs.begin();
        if (request.output == Output::cigar)
            outcome.result.runs = {runs + static_cast<std::ptrdiff_t>(batch.run_offsets.at(p)),
                                   runs + static_cast<std::ptrdiff_t>(batch.run_offsets.at(p + 1))};
    }
    return outcomes;
}

// The path runs along an edge of the band, and little memory makes blocks of several strips, of which the band may
// leave out the first.
TEST(LimitsBand, ShiftedCopyWithLittleMemory)
{
    for (std::string const name : {"dna_2_4_4_2", "edit", "BLOSUM62_11_1"}) {
        Scheme const & s = scheme(name);
        for (std::uint64_t const shift : {300, 1000}) {
            Random random{shift};
            std::string const core = random_sequence(random, 26 * shift, s.letters);
            std::string const extra = random_sequence(random, shift, s.letters);
            PairSet const set{{{core + extra, extra + core}, {extra + core, core + extra}}, s.scoring};
            Request const request{Mode{}, Output::cigar, CigarStyle::eqx};
            auto const full = run(set, s.scoring, request, {.tuning = {.band = -1}});
            for (auto options : fast_setups()) {
                options.tuning.band = 1;
                bool refused = true;
                for (std::uint64_t limit = 4 << 20; limit > 64 << 10; limit = limit * 7 / 8) {
                    options.max_host_bytes = limit;
                    auto const outcomes = attempt(set, s.scoring, request, options);
                    if (outcomes[0].status != Status::ok || outcomes[1].status != Status::ok)
                        break;
                    refused = false;
                    for (std::uint64_t p = 0; p < set.count(); ++p)
                        EXPECT_EQ(outcomes[p].result, full[p])
                            << name << " pair=" << p << " shift=" << shift << " " << describe(options);
                }
                EXPECT_FALSE(refused) << describe(options);
            }
        }
    }
}

class LimitsTest : public OnEachEngine<std::string, Mode> {};

TEST_P(LimitsTest, SameAnswerOrRefused)
{
    Scheme const & s = scheme(value());
    Mode const mode = value<2>();
    Random random{31};
    std::vector<SequencePair> pairs;
    for (Model const model : {Model::mutated, Model::uniform, Model::structured, Model::tandem})
        pairs.push_back(random_pair(random, model, random.between(1500, 2500), random.between(1500, 2500), s.letters));
    pairs.push_back({"ACGTA", "ACTTA"});
    PairSet const set{std::move(pairs), s.scoring};
    auto const full = oracle(set, s.scoring, mode);
    for (int const threads : {1, 2})
        for (std::uint64_t limit = 256 * mib; limit >= mib / 16; limit /= 4)
            for (Output const output : {Output::score, Output::cigar}) {
                EngineSetup const options{.threads = threads, .max_host_bytes = limit};
                auto const outcomes = attempt(set, s.scoring, {mode, output, CigarStyle::eqx}, options);
                for (std::uint64_t p = 0; p < set.count(); ++p) {
                    std::string const words = s.name + " mode=" + name(mode) + " output=" + name(output) +
                                              " pair=" + std::to_string(p) + " seed=31 " + describe(options);
                    if (outcomes[p].status == Status::ok) {
                        EXPECT_EQ(outcomes[p].result, at_level(full[p], output)) << words;
                    } else {
                        EXPECT_EQ(outcomes[p].status, Status::memory_limit) << words;
                        EXPECT_LT(limit, 4 * mib) << words; // linear memory: these 2500 letters fit many times over
                    }
                }
            }
}

INSTANTIATE_TEST_SUITE_P(All, LimitsTest,
                         testing::Combine(testing::Values(BackendKind::cpu), // host memory is the CPU engine's
                                          testing::Values("dna_2_4_4_2", "edit", "leaves_16_bits", "match_2_20",
                                                          "BLOSUM62_11_1"),
                                          testing::Values(global, local, fitting)),
                         ParameterNames{});

// A huge pair that cannot fit, between small ones that can.
TEST(LimitsBatchTest, RefusedPairHarmsNoOther)
{
    Scheme const & s = scheme("dna_2_4_4_2");
    Random random{32};
    std::vector<SequencePair> pairs;
    for (int p = 0; p < 21; ++p) {
        std::uint64_t const length = p == 10 ? 3000000 : 100;
        pairs.push_back(random_pair(random, Model::mutated, length, length, s.letters, 0.02));
    }
    PairSet const set{std::move(pairs), s.scoring};
    EngineSetup const options{.threads = 2, .max_host_bytes = 16 * mib};
    auto const outcomes = attempt(set, s.scoring, {Mode{}, Output::cigar, CigarStyle::eqx}, options);
    EXPECT_EQ(outcomes[10].status, Status::memory_limit);
    for (std::uint64_t p = 0; p < set.count(); ++p) {
        if (p == 10)
            continue;
        EXPECT_EQ(outcomes[p].status, Status::ok) << p;
        PairSet const alone{{set[p]}, s.scoring};
        EXPECT_EQ(outcomes[p].result, oracle(alone, s.scoring, {}).at(0)) << p;
    }
}

} // namespace
} // namespace nwgpu::test
