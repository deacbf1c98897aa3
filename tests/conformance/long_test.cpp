// SPDX-License-Identifier: BSD-3-Clause
// Single pairs of a few thousand letters, one per call: strips, tiles and kept boundaries are crossed and parts are
// computed anew for the path.  Still small enough for the oracle's full matrix.
#include <gtest/gtest.h>

#include <utility>

#include "support/engines.hpp"

namespace nwgpu::test {
namespace {

struct Shape {
    Model model;
    std::uint64_t query, target;
    double divergence;
};

std::vector<Shape> const shapes{
    {Model::uniform, 1300, 2300, 0},   {Model::mutated, 3000, 3010, 0.15},  {Model::structured, 2900, 2500, 0.1},
    {Model::tandem, 2049, 2048, 0},    {Model::two_letters, 1025, 2100, 0}, {Model::homopolymer, 1800, 1300, 0},
    {Model::symmetric, 1600, 1300, 0}, {Model::one_letter, 1100, 1500, 0},  {Model::uniform, 3, 100000, 0},
    {Model::uniform, 100000, 3, 0},    {Model::mutated, 70, 20000, 0.2},    {Model::tandem, 12000, 129, 0},
};

Mode const other_overlap{.free_query_end = true, .free_target_begin = true};

class LongTest : public OnEachEngine<std::string, Mode> {};

TEST_P(LongTest, EqualsOracle)
{
    Scheme const & s = scheme(value());
    Mode const mode = value<2>();
    Random random{100};
    for (Shape const & shape : shapes) {
        PairSet const set{{random_pair(random, shape.model, shape.query, shape.target, s.letters, shape.divergence)},
                          s.scoring};
        auto const full = oracle(set, s.scoring, mode);
        bool first = true; // in CI ends alone with one setup
        for (auto const & options : fast_setups(kind()))
            for (Output const output : {Output::cigar, Output::end})
                if (output == Output::cigar || is_thorough() || std::exchange(first, false))
                    check(set, s, {mode, output, CigarStyle::eqx}, options, full,
                          "LongTest seed=100 model=" + std::string{name(shape.model)});
        if (HasFailure())
            return;
    }
}

INSTANTIATE_TEST_SUITE_P(EveryMode, LongTest,
                         on_each_engine(testing::Values("dna_2_4_4_2"), testing::ValuesIn(all_modes())),
                         ParameterNames{});
INSTANTIATE_TEST_SUITE_P(Extension, LongTest,
                         on_each_engine(testing::Values("edit", "extend_0", "leaves_16_bits", "match_2_20",
                                                        "BLOSUM62_11_1", "asymmetric_24"),
                                        testing::Values(extend, extend_left)),
                         ParameterNames{});
INSTANTIATE_TEST_SUITE_P(EveryWidth, LongTest,
                         on_each_engine(testing::Values("edit", "extend_0", "leaves_16_bits", "match_2_20",
                                                        "BLOSUM62_11_1"),
                                        testing::Values(global, local, fitting)),
                         ParameterNames{});
INSTANTIATE_TEST_SUITE_P(EveryGapModel, LongTest,
                         on_each_engine(testing::Values("linear_1_1_0_2", "subsequence", "any_byte", "leaves_8_bits",
                                                        "asymmetric_24", "no_gap"),
                                        testing::Values(global, other_overlap)),
                         ParameterNames{});

} // namespace
} // namespace nwgpu::test
