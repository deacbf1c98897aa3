// SPDX-License-Identifier: BSD-3-Clause
// Pairs too large for the oracle: instruction sets, thread counts, memory limits and output levels must agree with
// each other to the bit, and the CIGAR must re-score to the score.
#include <gtest/gtest.h>

#include "support/cases.hpp"

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

Mode const fitting{.free_target_begin = true, .free_target_end = true};
Mode const overlap{.free_query_begin = true, .free_target_end = true};

std::vector<Large> const cases{
    {"similar_100k", "dna_2_4_4_2", {}, Model::mutated, 100000, 100000, 0.03},
    {"structured_40k", "dna_1_3_3_2", {}, Model::structured, 40000, 37000, 0.1},
    {"noisy_20k_local", "dna_1_3_3_2", {.local = true}, Model::noisy, 20000, 20500, 0.12},
    {"fitting_10k_in_30k", "dna_2_4_4_2", fitting, Model::mutated, 10000, 30000, 0.1},
    {"overlap_15k", "dna_5_3_8_1", overlap, Model::structured, 15000, 15000, 0.05},
    {"protein_20k", "BLOSUM62_11_1", {}, Model::mutated, 20000, 19000, 0.3},
    {"protein_local_12k", "BLOSUM62_11_1", {.local = true}, Model::uniform, 12000, 12000, 0},
    {"edit_30k", "edit", {}, Model::noisy, 30000, 29500, 0.1},
    {"unrelated_20k", "dna_2_4_4_2", {}, Model::uniform, 20000, 14000, 0},
    {"tandem_12k", "dna_2_4_4_2", {}, Model::tandem, 12000, 13000, 0},
    {"wide_16_bits_6k", "leaves_16_bits", {}, Model::mutated, 6000, 6100, 0.1},
    {"wide_32_bits_6k", "match_2_20", {.local = true}, Model::structured, 6000, 6000, 0.1},
};

class BeyondOracleTest : public testing::TestWithParam<Large> {};

TEST_P(BeyondOracleTest, AllAgree)
{
    Large const & c = GetParam();
    Scheme const & s = scheme(c.scheme);
    Random random{41};
    PairSet const set{{random_pair(random, c.model, c.query, c.target, s.letters.substr(0, 20), c.divergence)},
                      s.scoring};
    Request const request{c.mode, Output::cigar, CigarStyle::eqx};
    auto setups = fast_setups();
    auto const full = run(set, s.scoring, request, setups.front());
    ASSERT_EQ(full.size(), 1u);
    expect_consistent(set, 0, s.scoring, c.mode, full[0], c.name);
    std::uint64_t const lengths = c.query + c.target;
    for (std::uint64_t const limit : {400 * lengths, 4000 * lengths})
        setups.push_back({.threads = 2, .max_host_bytes = limit});
    for (std::size_t i = 1; i < setups.size(); ++i)
        check(set, s, request, setups[i], full, std::string{"BeyondOracleTest seed=41 "} + c.name);
    for (Output const output : {Output::score, Output::end, Output::span})
        check(set, s, {c.mode, output, CigarStyle::eqx}, {.threads = 2}, full,
              std::string{"BeyondOracleTest "} + c.name);
}

INSTANTIATE_TEST_SUITE_P(All, BeyondOracleTest, testing::ValuesIn(cases),
                         [](auto const & info) { return std::string{info.param.name}; });

// 2^31 cells and more, with a score known beforehand.
TEST(BeyondOracleIdenticalTest, IdenticalSequencesOf60k)
{
    Scheme const & s = scheme("dna_2_4_4_2");
    Random random{42};
    std::string const sequence = random_sequence(random, 60000, "ACGT");
    PairSet const set{{{sequence, sequence}}, s.scoring};
    for (Mode const & mode : {Mode{}, Mode{.local = true}, fitting})
        for (int const threads : {1, 2}) {
            PairResult const result =
                run(set, s.scoring, {mode, Output::cigar, CigarStyle::eqx}, {.threads = threads}).at(0);
            EXPECT_EQ(result, (PairResult{120000, {0, 60000, 0, 60000}, {60000 << 4 | 7}})) << name(mode);
        }
}

} // namespace
} // namespace nwgpu::test
