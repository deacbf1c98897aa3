// SPDX-License-Identifier: BSD-3-Clause
// The CUDA engine against the oracle, bit for bit: every scheme and mode, lengths around every strip and tile, every
// kernel, and paths through kept boundaries.
#include <gtest/gtest.h>

#include "gpu/gpu.hpp"
#include "support/cases.hpp"

namespace nwgpu::test {
namespace {

class GpuSchemes : public testing::TestWithParam<std::string> {};

std::vector<SequencePair> some_pairs(Random & random, Scheme const & s, int count, std::uint64_t longest)
{
    std::vector<SequencePair> pairs;
    for (int k = 0; k < count; ++k)
        pairs.push_back(random_pair(random, random.pick(all_models()), random.below(longest + 1),
                                    random.below(longest + 1), s.letters));
    return pairs;
}

TEST_P(GpuSchemes, EveryModeEqualsOracle)
{
    NWGPU_NEEDS_GPU();
    Scheme const & s = scheme(GetParam());
    auto const gpu = make_gpu();
    Random random{11};
    PairSet const set{some_pairs(random, s, 60, 300), s.scoring};
    for (Mode const & mode : all_modes()) {
        auto const full = oracle(set, s.scoring, mode);
        for (Output const output : {Output::score, Output::end, Output::span, Output::cigar})
            check(set, s, {mode, output, CigarStyle::eqx}, *gpu, full, "GpuSchemes seed=11");
    }
}

// Every kernel, with kept boundaries in tiles of 256 and less.
TEST_P(GpuSchemes, EveryKernelEqualsOracle)
{
    NWGPU_NEEDS_GPU();
    Scheme const & s = scheme(GetParam());
    Random random{12};
    PairSet const set{some_pairs(random, s, 6, 1500), s.scoring};
    Mode const overlap{.free_query_begin = true, .free_target_end = true};
    Mode const semiglobal{.free_target_begin = true, .free_target_end = true};
    for (Mode const & mode : {Mode{}, Mode{.local = true}, overlap, semiglobal}) {
        auto const full = oracle(set, s.scoring, mode);
        for (cuda::Tuning const & tuning : {cuda::Tuning{-1, 0, 0, 1},
                                            {2, 0, 0, 1},
                                            {4, 0, 0, 1},
                                            {8, 0, 0, 1},
                                            {12, 0, 0, 1},
                                            {16, 0, 0, 1},
                                            {20, 0, 0, 1},
                                            {24, 0, 0, 1},
                                            {28, 0, 0, 1},
                                            {30, 0, 0, 1},
                                            {32, 0, 0, 1},
                                            {34, 0, 0, 1},
                                            {36, 0, 0, 1},
                                            {37, 0, 0, 1},
                                            {38, 0, 0, 1},
                                            {40, 0, 0, 1},
                                            {44, 0, 0, 1},
                                            {50, 0, 0, 1},
                                            {74, 0, 0, 1},
                                            {76, 0, 0, 1},
                                            {-1, 0, 64, 1},
                                            {-1, 0, 64, 0}}) {
            auto const gpu = make_gpu(tuning);
            for (Output const output : {Output::score, Output::cigar})
                check(set, s, {mode, output, CigarStyle::eqx}, *gpu, full, "GpuSchemes seed=12 " + describe(tuning));
        }
    }
}

std::vector<std::string> scheme_names()
{
    std::vector<std::string> names;
    for (Scheme const & s : all_schemes())
        names.push_back(s.name);
    return names;
}

INSTANTIATE_TEST_SUITE_P(All, GpuSchemes, testing::ValuesIn(scheme_names()),
                         [](auto const & info) { return info.param; });

struct LengthCase {
    std::string scheme;
    Mode mode;
};

class GpuLengths : public testing::TestWithParam<LengthCase> {};

TEST_P(GpuLengths, EdgeLengthsEqualOracle)
{
    NWGPU_NEEDS_GPU();
    auto const & [scheme_name, mode] = GetParam();
    Scheme const & s = scheme(scheme_name);
    std::vector<std::uint64_t> const edges{1,  2,   3,   7,   8,   9,   31,  32,  33,  63,   64,
                                           65, 127, 128, 129, 255, 256, 257, 511, 513, 1023, 1025};
    Random random{13};
    std::vector<SequencePair> pairs;
    for (std::uint64_t const m : edges)
        for (std::uint64_t const n : edges)
            if (m <= 300 || n <= 300 || (m + n) % 3 == 0)
                pairs.push_back(random_pair(random, random.chance(0.5) ? Model::mutated : random.pick(all_models()), m,
                                            n, s.letters));
    PairSet const set{std::move(pairs), s.scoring};
    auto const full = oracle(set, s.scoring, mode);
    for (cuda::Tuning const & tuning : {cuda::Tuning{}, {2, 0, 0, 1}, {8, 0, 0, 1}, {24, 0, 0, 1}}) {
        auto const gpu = make_gpu(tuning);
        for (Output const output : {Output::score, Output::cigar})
            check(set, s, {mode, output, CigarStyle::eqx}, *gpu, full, "GpuLengths seed=13 " + describe(tuning));
    }
}

Mode const fitting{.free_target_begin = true, .free_target_end = true};
Mode const overlap{.free_query_begin = true, .free_target_end = true};

INSTANTIATE_TEST_SUITE_P(All, GpuLengths,
                         testing::Values(LengthCase{"dna_2_4_4_2", {}}, LengthCase{"dna_2_4_4_2", {.local = true}},
                                         LengthCase{"dna_2_4_4_2", fitting}, LengthCase{"edit", {}},
                                         LengthCase{"edit", fitting}, LengthCase{"BLOSUM62_11_1", {.local = true}},
                                         LengthCase{"BLOSUM62_11_1", {}}, LengthCase{"extend_0", overlap}),
                         [](auto const & info) { return info.param.scheme + "_" + name(info.param.mode); });

// A little of everything, for compute-sanitizer.
TEST(GpuSmall, AFewPairsOfEveryKind)
{
    NWGPU_NEEDS_GPU();
    for (char const * const name : {"dna_1_3_3_2", "BLOSUM62_11_1", "linear_1_1_0_2"}) {
        Scheme const & s = scheme(name);
        Random random{14};
        std::vector<SequencePair> pairs = some_pairs(random, s, 4, 100);
        pairs.push_back(random_pair(random, Model::mutated, 600, 640, s.letters));
        PairSet const set{std::move(pairs), s.scoring};
        for (Mode const & mode : {Mode{}, Mode{.local = true}, fitting}) {
            auto const full = oracle(set, s.scoring, mode);
            for (cuda::Tuning const & tuning : {cuda::Tuning{}, {2, 0, 0, 1}, {4, 0, 0, 1}, {-1, 0, 64, 1}})
                check(set, s, {mode, Output::cigar, CigarStyle::eqx}, *make_gpu(tuning), full,
                      "GpuSmall seed=14 " + describe(tuning));
        }
    }
}

} // namespace
} // namespace nwgpu::test
