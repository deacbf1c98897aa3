// SPDX-License-Identifier: BSD-3-Clause
// The K best local alignments of a pair, swept by either engine: small pairs against the oracle, those of a GPU that
// are too long for it against the CPU engine; every alignment's score, span and CIGAR, in order.
#include <gtest/gtest.h>

#include <algorithm>

#include "cuda/kernels/kernels.hpp"
#include "reference/oracle.hpp"
#include "support/engines.hpp"
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

void check_top(PairSet const & set, Scheme const & s, Request const & request, EngineSetup const & setup,
               Expected const & expected, std::string const & words)
{
    BatchResult const result = align(setup, set.batch(), s.scoring, request);
    ASSERT_TRUE(std::ranges::is_sorted(result.pair));
    for (std::uint64_t p = 0; p < set.count(); ++p)
        expect_same_top(expected[p], entries_of(result, p), request.output,
                        words + " pair=" + std::to_string(p) + " scheme=" + s.name + " " + describe(setup) +
                            " top=" + std::to_string(request.top));
}

std::vector<EngineSetup> setups(BackendKind kind)
{
    std::vector<EngineSetup> all;
    if (kind == BackendKind::cuda) {
        for (cuda::Tuning const & tuning : {cuda::Tuning{},
                                            {.top_tile = 100},
                                            {.rows_per_half = -1, .top_tile = 200},
                                            {.rows_per_half = 2, .top_tile = 130},
                                            {.rows_per_half = 4, .top_tile = 300},
                                            {.rows_per_half = -1, .width = 64, .top_tile = 150}})
            all.push_back(on_gpu(tuning));
        return all;
    }
    for (std::string const & isa : cpu::available_isas()) {
        all.push_back({.threads = 1, .isa = isa});
        all.push_back({.threads = 1, .isa = isa, .tuning = {.max_trace_bytes = 1, .tile_cols = 70}});
    }
    for (int const width : {16, 32})
        all.push_back({.threads = 2, .tuning = {.score_width = width, .max_trace_bytes = 5000}});
    return all;
}

class TopSchemes : public OnEachEngine<std::string> {};
INSTANTIATE_TEST_SUITE_P(All, TopSchemes, on_each_engine(testing::ValuesIn(names_of(all_schemes()))), ParameterNames{});

TEST_P(TopSchemes, AllModels)
{
    Scheme const & s = scheme(value());
    auto ways = setups(kind());
    std::erase_if(
        ways, [](EngineSetup const & setup) { return setup.tuning.score_width != 0; }); // not proven for all schemes
    auto seed = static_cast<std::uint64_t>(100 * (&s - all_schemes().data()));
    for (Model const model : all_models()) {
        Random random{++seed};
        std::vector<SequencePair> pairs;
        for (std::uint64_t const longest : {70, 80, 300})
            pairs.push_back(random_pair(random, model, random.between(1, longest), random.between(1, 90), s.letters));
        PairSet const set{std::move(pairs), s.scoring};
        Request const request = request_of(static_cast<std::uint32_t>(random.between(2, 12)));
        Expected const expected = expected_of(set, s, request);
        for (int k = 0; k < 2; ++k)
            check_top(set, s, request, random.pick(ways), expected,
                      "TopSchemes.AllModels seed=" + std::to_string(seed) + " model=" + std::string{name(model)});
    }
}

class TopTest : public OnEachEngine<> {};
INSTANTIATE_TEST_SUITE_P(All, TopTest, on_each_engine(), ParameterNames{});

TEST_P(TopTest, EmptySequences)
{
    Scheme const & s = scheme("dna_2_4_4_2");
    PairSet const set{{{"ACGT", ""}, {"", "ACGT"}, {"", ""}, {"ACGT", "ACGT"}}, s.scoring};
    check_top(set, s, request_of(3), {.kind = kind()}, expected_of(set, s, request_of(3)), "EmptySequences");
}

// Several blocks each way: boundaries change, corners too.
TEST_P(TopTest, ManyBlocks)
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
            for (auto const & options : setups(kind()))
                check_top(set, s, request_of(6), options, expected, "ManyBlocks seed=" + std::to_string(seed));
        }
    }
}

// The first alignment ends in the last cell of a block, with too little score for a gap: of all later blocks only the
// one behind the corner depends on it.
TEST_P(TopTest, CornersChange)
{
    Scheme const & s = scheme("dna_2_4_4_2");
    std::string query(1100, 'A'), target(1100, 'C');
    query.replace(1021, 5, "GGTAG");
    target.replace(1021, 5, "GGTCG");
    PairSet const set{{{query, target}}, s.scoring};
    Expected const expected = expected_of(set, s, request_of(8));
    EXPECT_EQ(expected[0][0].span.query_end, 1024u);
    for (auto const & options : setups(kind()))
        check_top(set, s, request_of(8), options, expected, "CornersChange");
}

TEST_P(TopTest, MoreThanThereAre)
{
    Scheme const & s = scheme("dna_2_4_4_2");
    PairSet const set{{{"ACGT", "ACGT"}, {"AAAA", "CCCC"}, {"", "ACGT"}, {"A", "AA"}, {"AAAAA", "AAAA"}}, s.scoring};
    Expected const expected = expected_of(set, s, request_of(1000));
    for (auto const & options : setups(kind())) {
        check_top(set, s, request_of(1000), options, expected, "MoreThanThereAre");
        BatchResult const result = align(options, set.batch(), s.scoring, request_of(1000));
        EXPECT_EQ(entries_of(result, 1).size(), 1u) << "the empty alignment";
        EXPECT_EQ(entries_of(result, 1)[0].score, 0);
        EXPECT_EQ(entries_of(result, 3).size(), 2u) << "A with either A";
    }
}

TEST_P(TopTest, LevelsAndStyles)
{
    Scheme const & s = scheme("dna_2_4_4_2");
    Random random{7};
    PairSet const set{{random_pair(random, Model::tandem, 200, 300, s.letters)}, s.scoring};
    EngineSetup const usual{.threads = 1, .kind = kind()};
    Expected const expected = expected_of(set, s, request_of(5));
    for (Output const output : {Output::score, Output::end, Output::span, Output::cigar})
        check_top(set, s, request_of(5, output), usual, expected, "LevelsAndStyles");
    Request const m_style = request_of(5, Output::cigar, CigarStyle::m);
    check_top(set, s, m_style, usual, expected_of(set, s, m_style), "LevelsAndStyles, M");
}

struct Large {
    std::string words, scheme;
    Model model;
    std::uint64_t m, n;
    std::uint32_t top;
    std::uint64_t copies = 0; // stretches of the query here and there in the target
};
std::string name_of(Large const & large) { return large.words; }

class TopLarge : public OnEachEngine<Large> {};
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(TopLarge); // without CUDA

TEST_P(TopLarge, EqualCpu)
{
    Large const & c = value();
    Scheme const & s = scheme(c.scheme);
    Random random{5};
    PairSet const set{{c.copies > 0 ? with_repeats(random, c.m, c.n, c.copies, s.letters)
                                    : random_pair(random, c.model, c.m, c.n, s.letters, 0.1)},
                      s.scoring};
    auto const cpu = align(EngineSetup{}, set.batch(), s.scoring, request_of(c.top));
    ASSERT_EQ(cpu.failures.count(), 0u);
    std::vector<EngineSetup> ways;
    for (std::uint64_t const tile : {0, 1000, 30000})
        ways.push_back(on_gpu({.top_tile = tile}));
    if (c.words == "every_kernel" || c.words == "every_linear_kernel")
        for (int const rows : cuda::packed_rows)
            if (s.scoring.gap().open == 0 || rows <= cuda::most_affine_rows)
                ways.push_back(on_gpu({.rows_per_half = rows, .top_tile = 1000}));
    for (EngineSetup const & way : ways)
        for (Output const output : {Output::cigar, Output::span})
            check_top(set, s, request_of(c.top, output), way, {entries_of(cpu, 0)}, "TopLarge seed=5 " + c.words);
}

INSTANTIATE_TEST_SUITE_P(
    All, TopLarge,
    on_cuda(testing::Values(Large{"structured", "dna_2_4_4_2", Model::structured, 20000, 30000, 30},
                            Large{"tandem", "dna_1_3_3_2", Model::tandem, 20000, 30000, 10},
                            Large{"homopolymer", "dna_2_4_4_2", Model::homopolymer, 20000, 15000, 10},
                            Large{"two_letters", "dna_1_3_3_2", Model::two_letters, 30000, 20000, 20},
                            Large{"unrelated", "dna_1_3_3_2", Model::uniform, 40000, 50000, 100},
                            Large{"protein", "BLOSUM62_11_1", Model::mutated, 23000, 23000, 20},
                            Large{"few_rows", "dna_1_3_3_2", Model::uniform, 900, 300000, 50},
                            Large{"few_columns", "dna_1_3_3_2", Model::uniform, 300000, 900, 50},
                            Large{"every_kernel", "dna_2_4_4_2", {}, 9000, 7000, 20, 12},
                            Large{"every_linear_kernel", "linear_1_1_0_1", {}, 9000, 7000, 20, 12},
                            Large{"many_repeats", "dna_1_3_3_2", {}, 300000, 300000, 50, 80})),
    ParameterNames{});

// Beyond the oracle: large enough for several threads to share one pair.
TEST(TopOnCpu, ThreadsAgree)
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
TEST(TopOnCpu, TheLimitHolds)
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
