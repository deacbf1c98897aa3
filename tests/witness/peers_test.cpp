// SPDX-License-Identifier: BSD-3-Clause
// Inputs on which other aligners were found to be wrong, each a test of ours.  The comment of each test says what
// went wrong elsewhere.
#include <gtest/gtest.h>

#include "model/cigar.hpp"
#include "support/cases.hpp"
#include "support/data.hpp"

namespace nwgpu::test {
namespace {

void check_oracle(std::vector<SequencePair> pairs, Scheme const & s, Mode const & mode, std::string const & words)
{
    PairSet const set{std::move(pairs), s.scoring};
    auto const full = oracle(set, s.scoring, mode);
    for (auto const & options : engine_setups())
        for (Output const output : {Output::cigar, Output::score})
            check(set, s, {mode, output, CigarStyle::eqx}, options, full, words);
}

std::vector<SequencePair> reads(std::uint64_t seed, int count, std::uint64_t m, std::uint64_t n)
{
    Random random{seed};
    std::vector<SequencePair> pairs;
    for (int p = 0; p < count; ++p)
        pairs.push_back(random_pair(random, Model::mutated, m, n, "ACGT", 0.05));
    return pairs;
}

Mode const query_end{.free_query_end = true}, target_end{.free_target_end = true};
Mode const all_free{false, true, true, true, true};

// A vectorised local and semi-global kernel returned -32755 for ordinary pairs: its start value.
TEST(PeersWitness, LocalAndFreeScoresAreNeverNegative)
{
    PairSet const set{reads(1, 100, 150, 200), scheme("dna_2_4_4_2").scoring};
    for (auto const & options : engine_setups())
        for (Mode const & mode : {Mode{.local = true}, all_free})
            for (PairResult const & result :
                 run(set, scheme("dna_2_4_4_2").scoring, {mode, Output::score, CigarStyle::eqx}, options))
                EXPECT_GE(result.score, 0) << name(mode) << " " << describe(options);
}

// A local CIGAR that began at query 0 got the rest of the target prepended: POS 1, 2D19=.
TEST(PeersWitness, LocalBeginsAtQuery0)
{
    std::string const query = "ACGGTCATTGACCGATAGC";
    Scheme const & s = scheme("dna_2_4_4_2");
    PairSet const set{{{query, "TT" + query + "GGA"}}, s.scoring};
    for (auto const & options : engine_setups())
        EXPECT_EQ(run(set, s.scoring, {{.local = true}, Output::cigar, CigarStyle::eqx}, options).at(0),
                  (PairResult{38, {0, 19, 2, 21}, {cigar_run(CigarOp::equal, 19)}}))
            << describe(options);
    check_oracle(reads(2, 300, 150, 200), s, {.local = true}, "LocalBeginsAtQuery0 seed=2");
}

// Free trailing ends in a vectorised batch looked at the corner cell only: 0 for 20.
TEST(PeersWitness, FreeTrailingEndsInBatches)
{
    Scheme const & s = scheme("dna_5_3_8_1");
    std::vector<SequencePair> const tails(64, {"ACGTAAAAAA", "ACGTCCCCCC"});
    for (Mode const & mode : {query_end, target_end, all_free}) {
        check_oracle(tails, s, mode, "FreeTrailingEnds equal pairs");
        check_oracle(reads(3, 64, 120, 120), s, mode, "FreeTrailingEnds equal lengths seed=3");
        check_oracle(reads(4, 64, 120, 150), s, mode, "FreeTrailingEnds longer target seed=4");
        check_oracle(reads(5, 64, 150, 120), s, mode, "FreeTrailingEnds longer query seed=5");
    }
    PairSet const set{{{"ACGT", "ACGTCCCCCC"}}, s.scoring};
    for (auto const & options : engine_setups())
        EXPECT_EQ(run(set, s.scoring, {target_end, Output::score, CigarStyle::eqx}, options).at(0).score, 20);
}

// Ends-free with a match reward was suboptimal for 188 of 20,000 read pairs.
TEST(PeersWitness, FreeEndsWithMatchReward)
{
    for (Mode const & mode : {fitting, all_free})
        check_oracle(reads(6, 2000, 150, 200), scheme("dna_2_4_4_2"), mode, "FreeEndsWithMatchReward seed=6");
}

// A local score past 32767 came back as 32767, without an error.  Aligned with itself every letter matches.
TEST(PeersWitness, LocalScorePast32767)
{
    NWGPU_NEEDS_DATA("proteins/titin_human_Q8WZ42.faa.gz");
    Scheme const & s = scheme("BLOSUM62_11_1");
    std::string const titin = read_fasta("proteins/titin_human_Q8WZ42.faa.gz").at(0).sequence.substr(0, 23000);
    PairSet const set{{{titin, titin}}, s.scoring};
    std::int64_t self = 0;
    for (std::uint64_t i = 0; i < titin.size(); ++i)
        self += s.scoring.score(set.view(0).query[i], set.view(0).query[i]);
    ASSERT_GT(self, 100000);
    for (Mode const & mode : {Mode{}, Mode{.local = true}})
        for (auto const & options : fast_setups())
            EXPECT_EQ(run(set, s.scoring, {mode, Output::cigar, CigarStyle::eqx}, options).at(0),
                      (PairResult{self, {0, 23000, 0, 23000}, {cigar_run(CigarOp::equal, 23000)}}))
                << name(mode) << " " << describe(options);
}

// An alignment asked for without its begin came back empty.
TEST(PeersWitness, CigarBringsSpanAndRuns)
{
    PairSet const set{reads(7, 70, 100, 130), scheme("dna_2_4_4_2").scoring};
    for (auto const & options : engine_setups())
        for (Mode const & mode : {Mode{}, Mode{.local = true}, fitting})
            for (PairResult const & result :
                 run(set, scheme("dna_2_4_4_2").scoring, {mode, Output::cigar, CigarStyle::eqx}, options)) {
                EXPECT_FALSE(result.runs.empty());
                EXPECT_NE(result.span.query_begin, no_position);
                EXPECT_NE(result.span.target_end, no_position);
            }
}

// Insertions and deletions were swapped against SAM, and neighbouring runs of one operation were not merged.
TEST(PeersWitness, InsertionIsInQueryOnly)
{
    Scheme const & s = scheme("dna_2_4_4_2");
    PairSet const set{{{"ACGTTTTACG", "ACGACG"}, {"ACGACG", "ACGTTTTACG"}}, s.scoring};
    for (auto const & options : engine_setups()) {
        auto const results = run(set, s.scoring, {Mode{}, Output::cigar, CigarStyle::eqx}, options);
        EXPECT_EQ(cigar_text(results.at(0).runs), "3=4I3=") << describe(options);
        EXPECT_EQ(cigar_text(results.at(1).runs), "3=4D3=") << describe(options);
    }
}

// A gap extended from a gap was traced wrongly with this matrix, whose gaps cost less than its mismatches.
TEST(PeersWitness, MatrixWithCheapGaps)
{
    for (std::uint64_t seed = 8; seed < 12; ++seed) {
        Scheme const s = random_matrix("cheap_gaps", seed, "ACGT", -153, 145, {52, 58});
        Random random{seed};
        std::vector<SequencePair> pairs;
        for (Model const model : all_models())
            pairs.push_back(random_pair(random, model, 180, 210, s.letters));
        for (Mode const & mode : {Mode{}, Mode{.local = true}, all_free})
            check_oracle(pairs, s, mode, "MatrixWithCheapGaps seed=" + std::to_string(seed));
    }
}

} // namespace
} // namespace nwgpu::test
