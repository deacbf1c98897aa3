// SPDX-License-Identifier: BSD-3-Clause
// Pairs too large for the oracle: instruction sets, thread counts, memory limits and output levels must agree with
// each other to the bit, and the CIGAR must re-score to the score.
#include <gtest/gtest.h>

#include "support/engines.hpp"

namespace nwgpu::test {
namespace {

struct Large {
    char const * name;
    char const * scheme;
    Mode mode;
    Model model;
    std::uint64_t query, target;
    double divergence;
};

std::vector<Large> const cases{
    {"similar_100k", "dna_2_4_4_2", {}, Model::mutated, 100000, 100000, 0.03},
    {"structured_40k", "dna_1_3_3_2", {}, Model::structured, 40000, 37000, 0.1},
    {"noisy_20k_local", "dna_1_3_3_2", local, Model::noisy, 20000, 20500, 0.12},
    {"fitting_10k_in_30k", "dna_2_4_4_2", fitting, Model::mutated, 10000, 30000, 0.1},
    {"overlap_15k", "dna_5_3_8_1", overlap, Model::structured, 15000, 15000, 0.05},
    {"protein_20k", "BLOSUM62_11_1", {}, Model::mutated, 20000, 19000, 0.3},
    {"protein_local_12k", "BLOSUM62_11_1", local, Model::uniform, 12000, 12000, 0},
    {"edit_30k", "edit", {}, Model::noisy, 30000, 29500, 0.1},
    {"unrelated_20k", "dna_2_4_4_2", {}, Model::uniform, 20000, 14000, 0},
    {"tandem_12k", "dna_2_4_4_2", {}, Model::tandem, 12000, 13000, 0},
    {"wide_16_bits_6k", "leaves_16_bits", {}, Model::mutated, 6000, 6100, 0.1},
    {"wide_32_bits_6k", "match_2_20", local, Model::structured, 6000, 6000, 0.1},
};

// For a GPU: several levels of kept boundaries, moving bases, few rows or columns, and similar pairs in bands.
std::vector<Large> const larger{
    {"structured_50k", "dna_2_4_4_2", {}, Model::structured, 50000, 41000, 0.05},
    {"local_60k", "dna_2_4_4_2", local, Model::mutated, 60000, 60000, 0.05},
    {"unrelated_local_50k", "dna_2_4_4_2", local, Model::uniform, 40000, 50000, 0},
    {"fitting_120k", "dna_2_4_4_2", fitting, Model::noisy, 9000, 120000, 0.05},
    {"overlap_30k", "dna_2_4_4_2", overlap, Model::tandem, 30000, 30000, 0.05},
    {"edit_33k", "edit", {}, Model::noisy, 30000, 33000, 0.05},
    {"edit_unrelated", "edit", {}, Model::uniform, 20000, 20000, 0},
    {"protein_23k", "BLOSUM62_11_1", {}, Model::mutated, 23000, 23000, 0.05},
    {"protein_local_23k", "BLOSUM62_11_1", local, Model::structured, 23000, 23000, 0.05},
    {"local_310k", "dna_1_3_3_2", local, Model::mutated, 310000, 290000, 0.05},
    {"local_250k", "dna_2_4_4_2", local, Model::structured, 250000, 250000, 0.05},
    {"protein_local_200k", "BLOSUM62_11_1", local, Model::mutated, 200000, 180000, 0.05},
    {"few_rows", "dna_2_4_4_2", {}, Model::uniform, 1000, 300000, 0},
    {"few_columns", "dna_2_4_4_2", local, Model::mutated, 300000, 900, 0.05},
    {"similar_120k", "dna_2_4_4_2", {}, Model::mutated, 120000, 120000, 0.01},
    {"similar_150k", "dna_2_4_4_2", {}, Model::mutated, 150000, 140000, 0.05},
    {"structured_131k", "dna_2_4_4_2", {}, Model::structured, 131072, 130000, 0.01},
    {"tandem_100k", "dna_2_4_4_2", {}, Model::tandem, 100000, 100000, 0.01},
    {"edit_117k", "edit", {}, Model::mutated, 110000, 117000, 0.02},
    {"protein_100k", "BLOSUM62_11_1", {}, Model::mutated, 100000, 99000, 0.02},
    {"extend_0", "extend_0", {}, Model::mutated, 100000, 100000, 0.01},
    {"unrelated_100k", "dna_2_4_4_2", {}, Model::uniform, 100000, 100000, 1},
};

std::string name_of(Large const & c) { return c.name; }

class BeyondOracleTest : public OnEachEngine<Large> {};

TEST_P(BeyondOracleTest, AllAgree)
{
    Large const & c = value();
    Scheme const & s = scheme(c.scheme);
    Random random{41};
    PairSet const set{{random_pair(random, c.model, c.query, c.target, s.letters.substr(0, 20), c.divergence)},
                      s.scoring};
    Request const request{c.mode, Output::cigar, CigarStyle::eqx};
    std::string const words = std::string{"BeyondOracleTest seed=41 "} + c.name;
    auto const full = run(set, s.scoring, request, EngineSetup{.threads = kind() == BackendKind::cpu ? 1 : 0});
    ASSERT_EQ(full.size(), 1u);
    expect_consistent(set, 0, s.scoring, c.mode, full[0], c.name);
    auto setups = fast_setups(kind());
    if (kind() == BackendKind::cpu) {
        for (std::uint64_t const bytes : {400, 4000}) // per letter
            setups.push_back({.threads = 2, .max_host_bytes = bytes * (c.query + c.target)});
        setups.erase(setups.begin()); // has given `full`
    } else if (c.mode.local) {
        setups.push_back(on_gpu({.skip = -1}));
    } else if (c.mode.global()) {
        for (int const rows : {0, 4, 16, -1})
            setups.push_back(on_gpu({.rows_per_half = rows, .band = 1}));
        setups.push_back(on_gpu({.rows_per_half = -1, .width = 64, .band = 1}));
        setups.push_back(on_gpu({.band = 1}, std::uint64_t{96} << 20));
    }
    for (EngineSetup const & setup : setups)
        check(set, s, request, setup, full, words);
    for (Output const output : {Output::score, Output::end, Output::span})
        check(set, s, {c.mode, output, CigarStyle::eqx}, {.threads = 2, .kind = kind()}, full, words);
}

INSTANTIATE_TEST_SUITE_P(All, BeyondOracleTest, on_each_engine(testing::ValuesIn(cases)), ParameterNames{});
INSTANTIATE_TEST_SUITE_P(Larger, BeyondOracleTest, on_cuda(testing::ValuesIn(larger)), ParameterNames{});

// 2^31 cells and more, with a score known beforehand.
class BeyondOracleIdentical : public OnEachEngine<> {};
INSTANTIATE_TEST_SUITE_P(All, BeyondOracleIdentical, on_each_engine(), ParameterNames{});

TEST_P(BeyondOracleIdentical, SequencesOf60k)
{
    Scheme const & s = scheme("dna_2_4_4_2");
    Random random{42};
    std::string const sequence = random_sequence(random, 60000, "ACGT");
    PairSet const set{{{sequence, sequence}}, s.scoring};
    for (Mode const & mode : {Mode{}, local, fitting})
        for (int const threads : {1, 2}) {
            PairResult const result =
                run(set, s.scoring, {mode, Output::cigar, CigarStyle::eqx}, {.threads = threads, .kind = kind()}).at(0);
            EXPECT_EQ(result, (PairResult{120000, {0, 60000, 0, 60000}, {60000 << 4 | 7}})) << name(mode);
        }
}

// Local pairs with few rows, whose target a GPU gets in overlapping parts.
class PartsTest : public OnEachEngine<> {};
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(PartsTest); // without CUDA
INSTANTIATE_TEST_SUITE_P(All, PartsTest, on_cuda(), ParameterNames{});

TEST_P(PartsTest, EqualCpu)
{
    struct Shape {
        std::string scheme;
        Model model;
        std::uint64_t m, n;
    };
    std::uint64_t seed = 31;
    for (Shape const & shape : {Shape{"dna_2_4_4_2", Model::mutated, 300, 200000},
                                {"dna_2_4_4_2", Model::tandem, 500, 120000},
                                {"dna_2_4_4_2", Model::two_letters, 64, 300000},
                                {"BLOSUM62_11_1", Model::uniform, 400, 150000},
                                {"dna_1_3_3_2", Model::mutated, 1000, 1000000},
                                {"linear_1_1_0_2", Model::uniform, 200, 200000}}) {
        Scheme const & s = scheme(shape.scheme);
        Random random{++seed};
        PairSet const set{{random_pair(random, shape.model, shape.m, shape.n, s.letters, 0.05)}, s.scoring};
        auto const full = run(set, s.scoring, {local, Output::cigar, CigarStyle::eqx}, EngineSetup{});
        for (int const parts : {0, 2, 7, 33})
            for (Output const output : {Output::cigar, Output::end, Output::score})
                check(set, s, {local, output, CigarStyle::eqx}, on_gpu({.max_traced_cells = 1u << 20, .parts = parts}),
                      full, "PartsTest seed=" + std::to_string(seed));
    }
}

} // namespace
} // namespace nwgpu::test
