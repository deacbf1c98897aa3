// SPDX-License-Identifier: BSD-3-Clause
// Plans for the GPU, made without one.
#include "cuda/plan.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "cuda/kernels.hpp"
#include "cuda/scheme.hpp"
#include "support/cases.hpp"

namespace nwgpu::test {
namespace {

using cuda::DeviceShape;
using cuda::PairPlan;
using cuda::PairShape;

constexpr DeviceShape h200{132, 233472, 232448, std::uint64_t{120} << 30};

PairShape shape(std::uint64_t m, std::uint64_t n, bool path, bool local = false)
{
    PairShape pair;
    pair.m = m;
    pair.n = n;
    pair.letters = 4;
    pair.most_pairs = 50;
    pair.path = path;
    pair.mode.local = local;
    return pair;
}

TEST(GpuPlan, EveryKernelOfAPlanExists)
{
    for (bool const local : {false, true})
        for (bool const linear : {false, true})
            for (int const pairs : cuda::packed_pairs) {
                cuda::SweepKernel const kernel = cuda::packed_kernel(local, linear, pairs);
                if (!linear && pairs > 50) {
                    EXPECT_EQ(kernel.function, nullptr) << pairs;
                    continue;
                }
                EXPECT_NE(kernel.function, nullptr) << pairs;
                EXPECT_EQ(kernel.strip_rows, 64u * static_cast<unsigned>(pairs));
                int const words = pairs <= 8 ? (pairs + 3) / 4 : (pairs + 15) / 16 * 4; // a byte a row, padded
                EXPECT_EQ(kernel.letter_bytes, 256u * static_cast<unsigned>(words));
            }
}

TEST(GpuPlan, TilesFitTheStripsThatKeepThem)
{
    for (std::uint64_t const m : {5000u, 23000u, 100000u, 1000000u, 5000000u})
        for (std::uint64_t const n : {5000u, 77777u, 5000000u}) {
            PairPlan const plan = cuda::plan_pair(shape(m, n, true), h200);
            if (plan.traced)
                continue;
            ASSERT_FALSE(plan.levels.empty());
            std::uint64_t strip_rows = plan.sweep.strip_rows;
            for (cuda::Level const & level : plan.levels) {
                EXPECT_EQ(level.tile_rows % strip_rows, 0u) << m << " x " << n;
                EXPECT_GE(level.tile_cols, 128u);
                EXPECT_GE(level.tiles_at_once, 1u);
                strip_rows = level.sweep.strip_rows;
            }
            cuda::Level const & last = plan.levels.back();
            EXPECT_LE(last.tile_rows * last.tile_cols, 4u << 20) << m << " x " << n; // is traced whole
            EXPECT_LE(plan.levels.size(), 4u);
        }
}

TEST(GpuPlan, KeepsToItsBudget)
{
    for (std::uint64_t const budget : {std::uint64_t{400} << 20, std::uint64_t{1} << 30, std::uint64_t{4} << 30}) {
        DeviceShape device = h200;
        device.budget = budget;
        EXPECT_LE(cuda::plan_pair(shape(1000000, 1000000, true), device).bytes, budget);
        EXPECT_LE(cuda::plan_pair(shape(3000000, 500000, true, true), device).bytes, budget);
    }
    DeviceShape tiny = h200;
    tiny.budget = 1 << 20;
    EXPECT_THROW(cuda::plan_pair(shape(1000000, 1000000, true), tiny), Error);
}

TEST(GpuPlan, FiveMillionSquareWithPathStaysBelow4GiB)
{
    EXPECT_LE(cuda::plan_pair(shape(5000000, 5000000, true, true), h200).bytes, std::uint64_t{4} << 30);
}

TEST(GpuPlan, WidthsFollowTheScheme)
{
    EXPECT_GE(cuda::most_packed_pairs(scheme("dna_2_4_4_2").scoring, true), 32);
    EXPECT_GE(cuda::most_packed_pairs(scheme("BLOSUM62_11_1").scoring, false), 16);
    EXPECT_EQ(cuda::most_packed_pairs(scheme("leaves_8_bits").scoring, false), 0);
    EXPECT_TRUE(fits_32_bits(scheme("dna_2_4_4_2").scoring, 20000000, 20000000));
    EXPECT_FALSE(fits_32_bits(scheme("all_2_30").scoring, 10, 10));
}

TEST(GpuPlan, LettersAreNumberedAsTheyOccur)
{
    Scoring const scoring = Scoring::uniform(2, 3, {1, 1});
    PairSet const set{{{"ACGN", "ACTTXY"}}, scoring};
    cuda::ScoreTable const table{set.batch(), scoring};
    EXPECT_EQ(table.query_letters, 3u);  // A, C, and what the target lacks
    EXPECT_EQ(table.target_letters, 3u); // A, C, and what the query lacks
    for (std::size_t i = 0; i < 4; ++i)
        for (std::size_t j = 0; j < 6; ++j) {
            PairView const pair = set.view(0);
            EXPECT_EQ(table.scores[table.query_map[pair.query[i]] * 3 + table.target_map[pair.target[j]]],
                      pair.query[i] == pair.target[j] ? 2 : -3);
        }
}

} // namespace
} // namespace nwgpu::test
