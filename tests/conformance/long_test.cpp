// SPDX-License-Identifier: BSD-3-Clause
// Single pairs of a few thousand letters, one per call: strips, tiles and kept boundaries are crossed and parts are
// computed anew for the path.  Still small enough for the oracle's full matrix.
#include <gtest/gtest.h>

#include "conformance/long_pairs.hpp"

namespace nwgpu::test {
namespace {

std::vector<Shape> const shapes{
    {Model::uniform, 1300, 2300, 0},   {Model::mutated, 3000, 3010, 0.15},  {Model::structured, 2900, 2500, 0.1},
    {Model::tandem, 2049, 2048, 0},    {Model::two_letters, 1025, 2100, 0}, {Model::homopolymer, 1800, 1300, 0},
    {Model::symmetric, 1600, 1300, 0}, {Model::one_letter, 1100, 1500, 0},  {Model::uniform, 3, 100000, 0},
    {Model::uniform, 100000, 3, 0},    {Model::mutated, 70, 20000, 0.2},    {Model::tandem, 12000, 129, 0},
};

class LongTest : public testing::TestWithParam<std::tuple<std::string, int>> {};

TEST_P(LongTest, EqualsOracle)
{
    auto const & [scheme_name, mode_number] = GetParam();
    Scheme const & s = scheme(scheme_name);
    Mode const mode = all_modes()[mode_number];
    Random random{static_cast<std::uint64_t>(100 + mode_number)};
    for (Shape const & shape : shapes) {
        PairSet const set{{random_pair(random, shape.model, shape.query, shape.target, s.letters, shape.divergence)},
                          s.scoring};
        auto const full = oracle(set, s.scoring, mode);
        for (auto const & options : fast_setups())
            for (Output const output : {Output::cigar, Output::end})
                check(set, s, {mode, output, CigarStyle::eqx}, options, full,
                      "LongTest seed=" + std::to_string(100 + mode_number) +
                          " model=" + std::string{name(shape.model)});
        if (HasFailure())
            return;
    }
}

INSTANTIATE_TEST_SUITE_P(EveryMode, LongTest, testing::Combine(testing::Values("dna_2_4_4_2"), testing::Range(0, 17)),
                         scheme_and_mode);
// 0 global, 1 local, 13 free target ends, 7 free query end and target begin
INSTANTIATE_TEST_SUITE_P(EveryWidth, LongTest,
                         testing::Combine(testing::Values("edit", "extend_0", "leaves_16_bits", "match_2_20",
                                                          "BLOSUM62_11_1"),
                                          testing::Values(0, 1, 13)),
                         scheme_and_mode);
INSTANTIATE_TEST_SUITE_P(EveryGapModel, LongTest,
                         testing::Combine(testing::Values("linear_1_1_0_2", "subsequence", "any_byte", "leaves_8_bits",
                                                          "asymmetric_24", "no_gap"),
                                          testing::Values(0, 7)),
                         scheme_and_mode);

} // namespace
} // namespace nwgpu::test
