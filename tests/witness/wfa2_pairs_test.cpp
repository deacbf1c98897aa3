// SPDX-License-Identifier: BSD-3-Clause
// The 305 pairs of WFA2-lib's unit test with the scores of every one-piece scheme (shared data): affine with and
// without match reward, edit and indel distance.  Its CIGARs go through our verifier, so the two check each other.
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "model/cigar.hpp"
#include "reference/oracle.hpp"
#include "support/cases.hpp"
#include "support/data.hpp"

namespace nwgpu::test {
namespace {

struct WfaScheme {
    std::string name;
    std::int64_t match, mismatch, open, extend;
    int sign; // of the score as the file writes it
};

std::vector<SequencePair> wfa_pairs()
{
    std::vector<SequencePair> pairs;
    for (std::string const & line : read_lines("expected/wfa2_utest.seq.gz")) {
        if (line.starts_with('>'))
            pairs.push_back({line.substr(1), {}});
        else if (line.starts_with('<'))
            pairs.back().target = line.substr(1);
    }
    return pairs;
}

// WFA2 names I and D from the pattern's side: I is a letter of the text only, D of the pattern (our query) only.
std::vector<std::uint32_t> sam_runs(std::string const & wfa_cigar)
{
    std::vector<std::uint32_t> runs;
    std::istringstream in{wfa_cigar};
    std::uint32_t length = 0;
    char op = 0;
    while (in >> length >> op)
        runs.push_back(cigar_run(op == 'M'   ? CigarOp::equal
                                 : op == 'X' ? CigarOp::different
                                 : op == 'I' ? CigarOp::deletion
                                             : CigarOp::insertion,
                                 length));
    return runs;
}

class WfaPairsWitness : public testing::TestWithParam<WfaScheme> {};

TEST_P(WfaPairsWitness, ScoresAndCigars)
{
    WfaScheme const & s = GetParam();
    std::string const file = "expected/wfa2_utest." + s.name + ".alg.gz";
    NWGPU_NEEDS_DATA(file);
    Scoring const scoring = Scoring::uniform(s.match, s.mismatch, {s.open, s.extend});
    PairSet const set{wfa_pairs(), scoring};
    std::vector<std::string> const lines = read_lines(file);
    ASSERT_EQ(set.count(), 305u);
    ASSERT_EQ(lines.size(), 305u);
    auto const scores = run(set, scoring, {Mode{}, Output::score, CigarStyle::eqx}, {.threads = 2});
    for (auto const & options : fast_setups()) {
        auto const results = run(set, scoring, {Mode{}, Output::cigar, CigarStyle::eqx}, options);
        for (std::uint64_t p = 0; p < set.count(); ++p) {
            std::istringstream line{lines[p]};
            std::int64_t score = 0;
            std::string cigar;
            line >> score >> cigar;
            score *= s.sign;
            std::string const words = s.name + " " + describe(options);
            EXPECT_EQ(results.at(p).score, score) << words << " pair " << p;
            EXPECT_EQ(scores.at(p).score, score) << words << " pair " << p;
            EXPECT_EQ(reference::cigar_score(set.view(p), scoring, sam_runs(cigar)), score) << words << " pair " << p;
            expect_consistent(set, p, scoring, {}, results.at(p), words);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(All, WfaPairsWitness,
                         testing::Values(WfaScheme{"affine", 0, 4, 6, 2, 1}, WfaScheme{"affine.p0", 0, 1, 2, 1, 1},
                                         WfaScheme{"affine.p2", 0, 5, 3, 2, 1}, WfaScheme{"affine.p3", 5, 1, 2, 1, 1},
                                         WfaScheme{"affine.p5", 3, 5, 3, 2, 1}, WfaScheme{"edit", 0, 1, 0, 1, -1},
                                         WfaScheme{"indel", 0, max_cost, 0, 1, -1}),
                         [](auto const & info) {
                             std::string name = info.param.name;
                             std::replace(name.begin(), name.end(), '.', '_');
                             return name;
                         });

} // namespace
} // namespace nwgpu::test
