// SPDX-License-Identifier: BSD-3-Clause
// Alignments on the CPU that skip cells which cannot reach a known score (docs/proofs.md, lemmas 35 and 36): forced, in
// small tiles, with all ways to a path.
#include <gtest/gtest.h>

#include "support/cases.hpp"

namespace nwgpu::test {
namespace {

constexpr Mode local{.local = true};

// Similar sequences, of which either may have letters of its own before and behind.
SequencePair similar_pair(Random & random, Scheme const & s, std::uint64_t most)
{
    SequencePair pair = random_pair(random, random.pick(all_models()), random.between(1, most), random.between(1, most),
                                    s.letters, static_cast<double>(random.below(1000)) / 3000);
    auto const flank = [&](std::string & sequence) {
        std::string const before = random_sequence(random, random.below(2) * random.below(most / 2), s.letters),
                          behind = random_sequence(random, random.below(2) * random.below(most / 2), s.letters);
        sequence = before + sequence + behind;
    };
    flank(pair.query);
    flank(pair.target);
    return pair;
}

void check_forced(std::uint64_t seed, Random & random, Mode const & mode, std::string const & name)
{
    Scheme const & s = random.chance(0.5) ? random.pick(tie_schemes()) : random.pick(all_schemes());
    PairSet const set{{similar_pair(random, s, random.chance(0.2) ? 2500 : 400)}, s.scoring};
    auto const full = oracle(set, s.scoring, mode);
    for (EngineSetup setup : fast_setups()) {
        setup.tuning.skip = 1;
        setup.tuning.lanes = -1;
        setup.tuning.tile_cols = random.pick(std::vector<std::uint64_t>{0, 1, 7, 64, 200, 2000});
        if (random.chance(0.2)) // scores of 64 bits, in strips of few rows
            setup.tuning.score_width = 64;
        setup.tuning.max_trace_bytes = random.pick(std::vector<std::uint64_t>{0, 1, 1u << 12, 1u << 16});
        // What is known is often no more than a least score that is asked for.
        std::int64_t const near = full[0].score + static_cast<std::int64_t>(random.below(8)) - 6,
                           least = random.pick(std::vector<std::int64_t>{no_min_score, full[0].score, near});
        for (Output const output : {Output::score, Output::end, Output::cigar}) {
            Request request{mode, output, CigarStyle::eqx};
            request.min_score = least;
            check(set, s, request, setup, full, "CpuSkip." + name + " seed=" + std::to_string(seed));
        }
    }
}

TEST(CpuSkip, LocalEqualsTheOracle)
{
    std::uint64_t const count = is_thorough() ? 4000 : 100;
    for (std::uint64_t seed = 1; seed <= count && !testing::Test::HasFailure(); ++seed) {
        Random random{seed};
        check_forced(seed, random, local, "LocalEqualsTheOracle");
    }
}

// The ends of one sequence are free: a band that a score proves.
TEST(CpuSkip, FreeEndsEqualTheOracle)
{
    std::uint64_t const count = is_thorough() ? 4000 : 100;
    for (std::uint64_t seed = 1; seed <= count && !testing::Test::HasFailure(); ++seed) {
        Random random{seed};
        std::uint64_t const ends = random.between(1, 3);
        bool const begin = ends & 1, end = ends & 2;
        Mode const mode = random.chance(0.5) ? Mode{.free_query_begin = begin, .free_query_end = end}
                                             : Mode{.free_target_begin = begin, .free_target_end = end};
        check_forced(seed, random, mode, "FreeEndsEqualTheOracle");
    }
}

// Long pairs, for which the oracle is too slow: the answer of the usual engine when it skips nothing.
void expect_the_full_answer(SequencePair const & pair, Scoring const & scoring, Request const & request,
                            std::vector<cpu::Tuning> const & tunings, std::string const & words)
{
    PairSet const set{{pair}, scoring};
    auto const expected = run(set, scoring, request, {.threads = 1, .tuning = {.skip = -1}});
    for (EngineSetup setup : fast_setups())
        for (cpu::Tuning const & tuning : tunings) {
            setup.tuning = tuning;
            expect_equal(expected, run(set, scoring, request, setup), set, words + " " + describe(setup));
        }
}

// An edge goes on from strip to strip, and so does the gap along it: it is opened once.
TEST(CpuSkip, EdgesOfLongGaps)
{
    struct Costs {
        std::int64_t match, mismatch, open, extend;
    };
    for (auto const & [match, mismatch, open, extend] :
         {Costs{5, 4, 10, 1}, {5, 4, 20, 1}, {3, 2, 31, 0}, {1, 1, 30, 1}, {127, 128, 127, 1}})
        for (std::uint64_t const columns : {64, 512, 4096}) {
            if (columns == 512 && !is_thorough())
                continue;
            std::string const words = "CpuSkip.EdgesOfLongGaps match=" + std::to_string(match) +
                                      " open=" + std::to_string(open) + " columns=" + std::to_string(columns);
            Random random{static_cast<std::uint64_t>(match + open) + columns};
            std::string const query = random_sequence(random, 6000, "ACGT");
            std::string target = mutated(random, query, "ACGT", 0.01);
            target.insert(random.between(1000, 4500), random_sequence(random, 1500, "ACGT"));
            Scoring const scoring = Scoring::uniform(match, mismatch, {open, extend});
            std::vector<cpu::Tuning> tunings;
            for (std::uint64_t const trace : {0, 1})
                tunings.push_back({.max_trace_bytes = trace, .tile_cols = columns, .skip = 1, .lanes = -1});
            for (bool const swapped : {false, true})
                expect_the_full_answer(swapped ? SequencePair{target, query} : SequencePair{query, target}, scoring,
                                       {local, Output::cigar, CigarStyle::eqx}, tunings, words);
        }
}

// Words on two diagonals that share letters of the target; with and without changes elsewhere.
TEST(CpuSkip, WordsThatOverlap)
{
    for (std::uint64_t const shared : {1, 5, 11, 15})
        for (double const rate : {0.0, 0.03}) {
            Random random{shared};
            std::string const target = random_sequence(random, 8000, "ACGT"),
                              query = target.substr(0, 4000) + random_sequence(random, 96, "ACGT") +
                                      target.substr(4000 - shared);
            SequencePair const pair{mutated(random, query, "ACGT", rate), target};
            for (Mode const & mode : {local, Mode{.free_query_begin = true, .free_query_end = true}})
                expect_the_full_answer(pair, Scoring::uniform(2, 4, {4, 2}), {mode, Output::cigar, CigarStyle::eqx},
                                       {{.lanes = -1}}, "CpuSkip.WordsThatOverlap shared=" + std::to_string(shared));
        }
}

// More than there is, and a little less, is asked for.
TEST(CpuSkip, LeastScores)
{
    Random random{4};
    std::string const both = random_sequence(random, 5000, "ACGT"), before = random_sequence(random, 3000, "ACGT"),
                      behind = random_sequence(random, 3000, "ACGT");
    SequencePair const pair{mutated(random, both, "ACGT", 0.05) + before, behind + both};
    Scoring const scoring = Scoring::uniform(2, 4, {4, 2});
    PairSet const set{{pair}, scoring};
    std::int64_t const best = run(set, scoring, {local, Output::score}, {.tuning = {.skip = -1}})[0].score;
    for (std::int64_t const least : {best / 2, best - 1, best, best + 1, best + 1000, 2 * best})
        for (Output const output : {Output::score, Output::cigar}) {
            Request request{local, output, CigarStyle::eqx};
            request.min_score = least;
            expect_the_full_answer(pair, scoring, request, {{.lanes = -1}},
                                   "CpuSkip.LeastScores least=" + std::to_string(least));
        }
}

} // namespace
} // namespace nwgpu::test
