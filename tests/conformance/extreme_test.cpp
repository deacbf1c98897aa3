// SPDX-License-Identifier: BSD-3-Clause
// Inputs at the ends of the range: empty sequences, one letter against a million, all equal, all different, and
// scores past 16 and 32 bits.  Where a formula gives the score, the formula is the witness, not the oracle.
#include <gtest/gtest.h>

#include "model/cigar.hpp"
#include "support/engines.hpp"

namespace nwgpu::test {
namespace {

constexpr std::int64_t big = max_cost;

class ExtremeTest : public OnEachEngine<> {
protected:
    void expect_oracle(SequencePair pair, Scheme const & s, Mode const & mode, std::string const & words)
    {
        PairSet const set{{std::move(pair)}, s.scoring};
        auto const full = oracle(set, s.scoring, mode);
        for (auto const & options : fast_setups(kind()))
            for (Output const output : {Output::score, Output::cigar})
                check(set, s, {mode, output, CigarStyle::eqx}, options, full, words);
    }

    // All setups give this score, these spans and this CIGAR.
    void expect_answer(SequencePair pair, Scoring const & scoring, Mode const & mode, PairResult const & answer,
                       std::string const & words)
    {
        PairSet const set{{std::move(pair)}, scoring};
        for (auto const & options : fast_setups(kind()))
            for (Output const output : {Output::score, Output::cigar})
                expect_equal({at_level(answer, output)}, run(set, scoring, {mode, output, CigarStyle::eqx}, options),
                             set, words + " mode=" + name(mode) + " output=" + name(output) + " " + describe(options));
    }
};
INSTANTIATE_TEST_SUITE_P(All, ExtremeTest, on_each_engine(), ParameterNames{});

TEST_P(ExtremeTest, EmptySequencesInEveryModeAndScheme)
{
    for (Scheme const & s : all_schemes())
        for (Mode const & mode : all_modes()) {
            std::string const some(17, s.letters[0]);
            PairSet const set{{{"", ""}, {some, ""}, {"", some}, {some, some}, {"", some.substr(0, 1)}}, s.scoring};
            auto const full = oracle(set, s.scoring, mode);
            for (auto const & options : engine_setups(false, kind()))
                for (Output const output : {Output::score, Output::cigar})
                    check(set, s, {mode, output, CigarStyle::eqx}, options, full, "EmptySequences");
        }
}

TEST_P(ExtremeTest, EmptyAgainstAMillionInClosedForm)
{
    std::uint64_t const n = 1000000;
    Scoring const scoring = Scoring::uniform(2, 4, {4, 2});
    expect_answer({"", std::string(n, 'A')}, scoring, {},
                  {-4 - 2 * static_cast<std::int64_t>(n), {0, 0, 0, n}, {cigar_run(CigarOp::deletion, n)}},
                  "empty query");
    expect_answer({std::string(n, 'A'), ""}, scoring, {},
                  {-4 - 2 * static_cast<std::int64_t>(n), {0, n, 0, 0}, {cigar_run(CigarOp::insertion, n)}},
                  "empty target");
    Scoring const costly = Scoring::uniform(0, big, {big, big});
    expect_answer({"", std::string(n, 'A')}, costly, {},
                  {-big - big * static_cast<std::int64_t>(n), {0, 0, 0, n}, {cigar_run(CigarOp::deletion, n)}},
                  "costly");
}

TEST_P(ExtremeTest, OneLetterAgainstAMillion)
{
    Random random{21};
    std::string const million = random_sequence(random, 1000000, "ACGTN");
    struct Case {
        char const * scheme;
        Mode mode;
    };
    for (Case const & c : {Case{"dna_2_4_4_2", {}}, Case{"edit", {.free_target_begin = true, .free_target_end = true}},
                           Case{"leaves_16_bits", {.local = true}}, Case{"match_2_20", {.free_query_end = true}}}) {
        Scheme const & s = scheme(c.scheme);
        for (SequencePair const & pair : {SequencePair{"G", million}, SequencePair{million, "G"}}) {
            PairSet const set{{pair}, s.scoring};
            check(set, s, {c.mode, Output::cigar, CigarStyle::eqx}, {.threads = 2, .kind = kind()},
                  oracle(set, s.scoring, c.mode), "OneLetterAgainstAMillion seed=21");
        }
    }
}

// Identical sequences: every letter matches, in every mode; the scores pass 8, 16, 32 and 40 bits.
TEST_P(ExtremeTest, IdenticalSequencesInClosedForm)
{
    Random random{22};
    struct Case {
        std::uint64_t length;
        std::int64_t match;
    };
    for (Case const & c : {Case{64, 2}, {16383, 2}, {16384, 2}, {5000, 1 << 20}, {3000, big}, {2048, 16}}) {
        Scoring const scoring = Scoring::uniform(c.match, c.match, {c.match, 1});
        std::string const sequence = random_sequence(random, c.length, "ACGT");
        PairResult const answer{static_cast<std::int64_t>(c.length) * c.match,
                                {0, c.length, 0, c.length},
                                {cigar_run(CigarOp::equal, static_cast<std::uint32_t>(c.length))}};
        for (Mode const & mode : {Mode{}, Mode{.local = true}, Mode{false, true, true, true, true}})
            expect_answer({sequence, sequence}, scoring, mode, answer, "identical length=" + std::to_string(c.length));
    }
}

// No letter in common: global is the cheaper of mismatches and gaps, local is empty.
TEST_P(ExtremeTest, NothingInCommonInClosedForm)
{
    std::uint64_t const m = 3000, n = 2500;
    std::string const query(m, 'A'), target(n, 'C');
    for (std::int64_t const cost : {std::int64_t{1}, std::int64_t{50}, std::int64_t{40000}, big}) {
        Scoring const scoring = Scoring::uniform(1, cost, {cost, cost});
        auto const n_cost = static_cast<std::int64_t>(n) * cost, rest = static_cast<std::int64_t>(m - n) * cost;
        PairSet const set{{{query, target}}, scoring};
        for (auto const & options : fast_setups(kind())) {
            PairResult const global = run(set, scoring, {Mode{}, Output::cigar, CigarStyle::eqx}, options).at(0);
            EXPECT_EQ(global.score, -n_cost - cost - rest) << cost << " " << describe(options);
            expect_consistent(set, 0, scoring, {}, global, describe(options));
            PairResult const local =
                run(set, scoring, {{.local = true}, Output::cigar, CigarStyle::eqx}, options).at(0);
            EXPECT_EQ(local, (PairResult{0, {0, 0, 0, 0}, {}})) << cost << " " << describe(options);
        }
    }
}

// More runs than a BAM record can count (65,535): every second letter differs, and gaps are too dear.
TEST_P(ExtremeTest, MoreRunsThan65535)
{
    std::uint64_t const n = 40000;
    std::string query, target;
    Runs runs;
    for (std::uint64_t i = 0; i < n; ++i) {
        query += "AC";
        target += "AG";
        runs.insert(runs.end(), {cigar_run(CigarOp::equal, 1), cigar_run(CigarOp::different, 1)});
    }
    expect_answer({query, target}, Scoring::uniform(3, 2, {40, 10}), {},
                  {static_cast<std::int64_t>(n), {0, 2 * n, 0, 2 * n}, runs}, "MoreRunsThan65535");
}

// Scores that go down past 16 and 32 bits and come up again on the way.
TEST_P(ExtremeTest, ScoresDipBelowAndRise)
{
    Random random{23};
    for (char const * scheme_name : {"leaves_8_bits", "leaves_16_bits", "around_32767", "match_2_20", "all_2_30"}) {
        Scheme const & s = scheme(scheme_name);
        std::string const core = random_sequence(random, 900, "ACGT");
        SequencePair const pair{std::string(700, 'A') + core + std::string(500, 'G'),
                                std::string(600, 'C') + core + std::string(800, 'T')};
        for (Mode const & mode : {Mode{}, Mode{.local = true}, Mode{.free_query_begin = true, .free_target_end = true}})
            expect_oracle(pair, s, mode, "ScoresDipBelowAndRise seed=23");
    }
}

TEST_P(ExtremeTest, AllN)
{
    for (char const * scheme_name : {"dna_2_4_4_2", "dna_codes", "EDNAFULL_10_1"})
        for (Mode const & mode : all_modes())
            expect_oracle({std::string(700, 'N'), std::string(450, 'N')}, scheme(scheme_name), mode, "AllN");
}

} // namespace
} // namespace nwgpu::test
