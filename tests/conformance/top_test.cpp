// SPDX-License-Identifier: BSD-3-Clause
// The K best local alignments of a pair, against the oracle: every alignment's score, span and CIGAR, in order.
#include <gtest/gtest.h>

#include <algorithm>

#include "reference/oracle.hpp"
#include "support/cases.hpp"
#include "support/top.hpp"

namespace nwgpu::test {
namespace {

using Expected = std::vector<std::vector<PairResult>>; // of every pair

Expected expected_of(PairSet const & set, Scheme const & s, Request const & request)
{
    Expected all;
    for (std::uint64_t p = 0; p < set.count(); ++p)
        all.push_back(reference::align_top(set.view(p), s.scoring, request.top, request.style));
    return all;
}

void check_top(PairSet const & set, Scheme const & s, Request const & request, CpuSetup const & options,
               Expected const & expected, std::string const & words)
{
    BatchResult const result = align(options, set.batch(), s.scoring, request);
    ASSERT_TRUE(std::ranges::is_sorted(result.pair));
    for (std::uint64_t p = 0; p < set.count(); ++p) {
        auto const actual = entries_of(result, p);
        std::string const reproducer = words + " pair=" + std::to_string(p) + " scheme=" + s.name + " " +
                                       describe(options) + " top=" + std::to_string(request.top);
        ASSERT_EQ(actual.size(), expected[p].size()) << reproducer;
        for (std::size_t k = 0; k < actual.size(); ++k)
            ASSERT_EQ(text_of(actual[k]), text_of(at_level(expected[p][k], request.output)))
                << reproducer << " alignment=" << k;
    }
}

std::vector<CpuSetup> setups()
{
    std::vector<CpuSetup> all;
    for (std::string const & isa : cpu::available_isas()) {
        all.push_back({.threads = 1, .isa = isa, .tuning = {}});
        all.push_back({.threads = 1, .isa = isa, .tuning = {.max_trace_bytes = 1, .tile_cols = 70}});
    }
    for (int const width : {16, 32})
        all.push_back({.threads = 2, .isa = {}, .tuning = {.score_width = width, .max_trace_bytes = 5000}});
    return all;
}

TEST(TopTest, AllModelsAndSchemes)
{
    std::uint64_t seed = 0;
    for (Scheme const & s : all_schemes())
        for (Model const model : all_models()) {
            Random random{++seed};
            std::vector<SequencePair> pairs;
            for (int p = 0; p < 3; ++p)
                pairs.push_back(random_pair(random, model, random.between(1, 70), random.between(1, 90), s.letters));
            PairSet const set{std::move(pairs), s.scoring};
            auto const isas = cpu::available_isas();
            std::uint64_t const trace_bytes = seed % 2; // 0: as the engine likes it; 1: blocks as small as they can be
            Request const request = request_of(static_cast<std::uint32_t>(random.between(2, 12)));
            check_top(set, s, request,
                      {.threads = 1, .isa = isas[seed % isas.size()], .tuning = {.max_trace_bytes = trace_bytes}},
                      expected_of(set, s, request),
                      "AllModelsAndSchemes seed=" + std::to_string(seed) + " model=" + std::string{name(model)});
        }
}

TEST(TopTest, EmptySequences)
{
    Scheme const & s = scheme("dna_2_4_4_2");
    PairSet const set{{{"ACGT", ""}, {"", "ACGT"}, {"", ""}, {"ACGT", "ACGT"}}, s.scoring};
    check_top(set, s, request_of(3), {}, expected_of(set, s, request_of(3)), "EmptySequences");
}

// Several blocks each way: boundaries change, corners too.
TEST(TopTest, ManyBlocks)
{
    for (std::string const scheme_name : {"dna_2_4_4_2", "linear_1_1_0_1"}) {
        Scheme const & s = scheme(scheme_name);
        for (std::uint64_t seed = 1; seed <= 4; ++seed) {
            Random random{seed};
            std::vector<SequencePair> pairs;
            Model const model = all_models()[seed % all_models().size()];
            pairs.push_back(random_pair(random, Model::structured, 1500, 1300, s.letters));
            pairs.push_back(random_pair(random, model, 700, 900, s.letters));
            PairSet const set{std::move(pairs), s.scoring};
            Expected const expected = expected_of(set, s, request_of(6));
            for (auto const & options : setups())
                check_top(set, s, request_of(6), options, expected, "ManyBlocks seed=" + std::to_string(seed));
        }
    }
}

// The first alignment ends in the last cell of a block, with too little score for a gap: of all later blocks only the
// one behind the corner depends on it.
TEST(TopTest, CornersChange)
{
    Scheme const & s = scheme("dna_2_4_4_2");
    std::string query(1100, 'A'), target(1100, 'C');
    query.replace(1021, 5, "GGTAG");
    target.replace(1021, 5, "GGTCG");
    PairSet const set{{{query, target}}, s.scoring};
    Expected const expected = expected_of(set, s, request_of(8));
    EXPECT_EQ(expected[0][0].span.query_end, 1024u);
    for (auto const & options : setups())
        check_top(set, s, request_of(8), options, expected, "CornersChange");
}

TEST(TopTest, MoreThanThereAre)
{
    Scheme const & s = scheme("dna_2_4_4_2");
    PairSet const set{{{"ACGT", "ACGT"}, {"AAAA", "CCCC"}, {"", "ACGT"}, {"A", "AA"}, {"AAAAA", "AAAA"}}, s.scoring};
    Expected const expected = expected_of(set, s, request_of(1000));
    for (auto const & options : setups()) {
        check_top(set, s, request_of(1000), options, expected, "MoreThanThereAre");
        BatchResult const result = align(options, set.batch(), s.scoring, request_of(1000));
        EXPECT_EQ(entries_of(result, 1).size(), 1u) << "the empty alignment";
        EXPECT_EQ(entries_of(result, 1)[0].score, 0);
        EXPECT_EQ(entries_of(result, 3).size(), 2u) << "A with either A";
    }
}

TEST(TopTest, LevelsAndStyles)
{
    Scheme const & s = scheme("dna_2_4_4_2");
    Random random{7};
    PairSet const set{{random_pair(random, Model::tandem, 200, 300, s.letters)}, s.scoring};
    CpuSetup const usual{.threads = 1, .isa = {}, .tuning = {}};
    Expected const expected = expected_of(set, s, request_of(5));
    for (Output const output : {Output::score, Output::end, Output::span, Output::cigar})
        check_top(set, s, request_of(5, output), usual, expected, "LevelsAndStyles");
    Request const m_style = request_of(5, Output::cigar, CigarStyle::m);
    check_top(set, s, m_style, usual, expected_of(set, s, m_style), "LevelsAndStyles, M");
}

// Beyond the oracle: large enough for several threads to share one pair.
TEST(TopTest, ThreadsAgree)
{
    Scheme const & s = scheme("dna_1_3_3_2");
    Random random{9};
    PairSet const set{{random_pair(random, Model::structured, 5000, 5200, s.letters, 0.3)}, s.scoring};
    BatchResult const one = align({.threads = 1, .isa = {}, .tuning = {}}, set.batch(), s.scoring, request_of(30));
    BatchResult const three =
        align({.threads = 3, .isa = {}, .tuning = {.max_trace_bytes = 30000}}, set.batch(), s.scoring, request_of(30));
    ASSERT_EQ(one.count(), 30u);
    EXPECT_EQ(one.score, three.score) << "seed=9";
    EXPECT_EQ(one.span, three.span) << "seed=9";
    EXPECT_EQ(one.runs, three.runs) << "seed=9";
}

// What the alignments after the first take is counted too; a pair that fails harms no other.
TEST(TopTest, TheLimitHolds)
{
    Scheme const & s = scheme("dna_2_4_4_2");
    Random random{8};
    PairSet const set{{random_pair(random, Model::uniform, 1500, 1500, s.letters), {"ACGT", "ACGT"}}, s.scoring};
    Batch const batch = set.batch();
    auto const status_with = [&](std::uint32_t top, std::uint64_t limit) {
        // With short vectors the little pair needs much less than the large one.
        BatchResult const result =
            align({.threads = 1, .max_host_bytes = limit, .isa = cpu::available_isas().back(), .tuning = {.lanes = -1}},
                  batch, s.scoring, request_of(top));
        EXPECT_EQ(result.status.back(), Status::ok);
        EXPECT_EQ(result.pair.back(), 1u);
        EXPECT_EQ(result.score.back(), 8);
        return result.status.front();
    };
    std::uint64_t limit = 8 << 20;
    EXPECT_EQ(status_with(2000, limit), Status::ok);
    while (status_with(2, limit * 3 / 4) == Status::ok)
        limit = limit * 3 / 4;
    EXPECT_EQ(status_with(2000, limit), Status::memory_limit);
}

} // namespace
} // namespace nwgpu::test
