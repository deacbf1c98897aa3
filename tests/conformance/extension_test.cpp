// SPDX-License-Identifier: BSD-3-Clause
// Extension on a GPU, by kernels, tiles and slabs that a plan would not choose for pairs so small: random pairs with
// many equally good ends and paths, and ends of one score in several slabs.
#include <gtest/gtest.h>

#include "support/engines.hpp"

namespace nwgpu::test {
namespace {

class ExtensionTest : public OnEachEngine<> {};
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(ExtensionTest); // without CUDA
INSTANTIATE_TEST_SUITE_P(All, ExtensionTest, on_cuda(), ParameterNames{});

// By every kernel with a path from trace bits or kept boundaries, and slab by slab, through host memory or files.
cuda::Tuning random_tuning(Random & random)
{
    cuda::Tuning tuning{.rows_per_half = random.pick(std::vector{-1, 2, 4, 8, 16}),
                        .width = random.chance(0.2) ? 64 : 0,
                        .max_traced_cells = random.chance(0.8) ? 1u : 0u};
    if (tuning.width == 64)
        tuning.rows_per_half = -1;
    if (random.chance(0.5)) {
        tuning.slab_rows = 128;
        tuning.kept_in = static_cast<int>(random.between(1, 2));
    }
    return tuning;
}

TEST_P(ExtensionTest, RandomPairsWithManyTies)
{
    for (std::uint64_t seed = 1; seed <= 200 && !HasFailure(); ++seed) {
        Random random{seed};
        Scheme const & s = scheme(random.pick(std::vector<std::string>{"dna_2_4_4_2", "extend_0", "linear_1_1_0_1",
                                                                       "subsequence", "leaves_8_bits", "any_byte"}));
        Mode const mode = random.chance(0.7) ? extend : extend_left;
        auto const length = [&] { return random.between(1, random.chance(0.3) ? 60 : 700); };
        PairSet const set{{random_pair(random, random.pick(all_models()), length(), length(),
                                       s.letters.substr(0, 1 + random.below(3)))},
                          s.scoring};
        check(set, s, {mode, static_cast<Output>(random.below(4)), CigarStyle::eqx}, on_gpu(random_tuning(random)),
              oracle(set, s.scoring, mode), "ExtensionTest.RandomPairsWithManyTies seed=" + std::to_string(seed));
    }
}

// Two ends of one score: in an early row and a late column, and in a late row, of a later slab, and an early column.
TEST_P(ExtensionTest, EqualEndsInDifferentSlabs)
{
    Scheme const & s = scheme("extend_0"); // a gap of any length costs the same
    Random random{1};
    for (std::uint64_t const gap : {130, 300, 520}) {
        auto const word = [&] { return random_sequence(random, 40, s.letters); };
        std::string const first = word(), early = word(), late = word();
        std::string const between(gap, s.letters[0]), beside(gap, s.letters[1]);
        PairSet const set{{{first + early + between + late, first + late + beside + early}}, s.scoring};
        EXPECT_EQ(oracle(set, s.scoring, extend)[0].span.query_end, gap + 120);
        for (int const place : {0, 1, 2})
            for (Mode const & mode : {extend, extend_left})
                for (Output const output : {Output::score, Output::cigar})
                    check(set, s, {mode, output, CigarStyle::eqx},
                          on_gpu({.rows_per_half = 2, .max_traced_cells = 1, .slab_rows = 128, .kept_in = place}),
                          oracle(set, s.scoring, mode), "ExtensionTest.EqualEndsInDifferentSlabs seed=1");
    }
}

} // namespace
} // namespace nwgpu::test
