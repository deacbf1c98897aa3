// SPDX-License-Identifier: BSD-3-Clause
// Chains without a GPU: which pairs they get, and where walks find what they store.
#include <gtest/gtest.h>

#include <vector>

#include "cuda/batch/chunk.hpp"
#include "cuda/batch/residues.hpp"
#include "support/cases.hpp"

namespace nwgpu::test {
namespace {

using namespace cuda::batch;

TEST(Chains, ClassesAndSizes)
{
    for (int which = 0; which < class_count; ++which) {
        GroupShape const shape = GroupShape::of(which);
        EXPECT_EQ(shape.index(), which);
        EXPECT_EQ(shape.is_chain(), which >= first_chain && which < couple_class);
        EXPECT_EQ(shape.couple, which == couple_class);
        EXPECT_LE(shape.warps, most_warps);
        EXPECT_EQ(kernel_index(shape) >= first_chain_kernel, shape.is_chain() || shape.couple);
        EXPECT_EQ(kernel_index(shape) == couple_kernel, shape.couple);
        EXPECT_LT(kernel_index(shape), kernel_count);
    }
    EXPECT_EQ(chain_for(2048), first_group_chain);
    EXPECT_EQ(GroupShape::of(chain_for(10000)).warps, 5);
    EXPECT_EQ(GroupShape::of(chain_for(24576)).warps, 12);
    EXPECT_EQ(chain_for(24577), -1);
}

// What the lanes of a chain store, as they do it step by step, is found again wherever a walk may look, which is at
// least the promised number of diagonals on each side.
TEST(Chains, StoreTheMiddleOfTheBand)
{
    auto const value = [](int i, int j) { return static_cast<std::uint32_t>(i * 2654435761u + j * 40503u) >> 13 & 15; };
    for (auto const & [warps, m, n] : {std::array{1, 2600, 2600}, {1, 2300, 2611}, {2, 5000, 4800}, {3, 7001, 7044}}) {
        GroupShape const shape{2, 5, true, warps};
        int const rows = shape.rows(), lanes = shape.lanes(), stored = stored_lanes(shape, m, n),
                  low = ring_low(shape, m, n);
        ASSERT_GT(stored, 0);
        ASSERT_LT(stored, lanes);
        auto const piece = static_cast<std::size_t>(piece_bytes_of(shape, m, n));
        std::uint32_t const steps = steps_of(shape, m, n);
        std::vector<std::uint32_t> memory(stored_bytes(steps, rows, 4, static_cast<std::uint32_t>(piece)) / 4);
        for (int lane = 0; lane < lanes; ++lane)
            for (int t = 0; t < static_cast<int>(steps); ++t) {
                int const turns = t / (2 * (rows + 1)) - lane; // blocks of this lane begin every 2 * lanes blocks
                if (turns < 0)
                    continue;
                int const two_blocks = lane + turns / lanes * lanes,
                          first = two_blocks * 2 * (rows + 1) + first_stored(shape, stored);
                if (t / 2 * 2 < first || t / 2 * 2 - first >= 2 * stored * (rows + 1))
                    continue;
                for (int half = 0; half < 2; ++half)
                    for (int r = 0; r < rows; ++r) {
                        // In its first steps the upper half still has the block before: nobody asks for those.
                        int const block = 2 * two_blocks + half, i = block * rows + r, j = t - block - low;
                        std::size_t const word =
                            static_cast<std::size_t>(t / 2) * static_cast<std::size_t>(pieces_of(rows, 4)) * piece / 4 +
                            static_cast<std::size_t>(r / 8) * piece / 4 +
                            static_cast<std::size_t>(two_blocks % stored * 4 + r / 4 % 2 * 2 + t % 2);
                        int const shift = 16 * (r % 2) + 8 * half + 4 * (r % 4 / 2);
                        memory[word] = (memory[word] & ~(15u << shift)) | value(i, j) << shift;
                    }
            }
        Residues<4, true> const residues{reinterpret_cast<char const *>(memory.data()), shape, m, n};
        EXPECT_FALSE(residues.has_all());
        int const apart = n > m ? n - m : m - n, least = 256 + 32 * warps;
        std::uint64_t wrong = 0, missing = 0;
        for (int i = 1; i <= m; ++i)
            for (int j = 1; j <= n; ++j) {
                auto const row = static_cast<std::uint32_t>(i), column = static_cast<std::uint32_t>(j);
                if (residues.has(row, column))
                    wrong += residues(row - 1, column - 1) != value(i - 1, j - 1);
                else
                    missing += j - i >= std::min(0, n - m) - least && j - i <= std::max(0, n - m) + least;
            }
        EXPECT_EQ(wrong, 0u) << warps << " warps, " << m << " x " << n << ", apart " << apart;
        EXPECT_EQ(missing, 0u) << warps << " warps, " << m << " x " << n;
    }
}

BatchWork work_of(Scoring const & scoring, Mode const & mode, double width_per_row, bool chains)
{
    BatchWork work = make_work(scoring, {mode, Output::cigar, CigarStyle::eqx}).value();
    work.width_per_row = width_per_row;
    work.has_chains = chains;
    return work;
}

TEST(Chains, WhichPairsTheyGet)
{
    Scoring const scoring = Scoring::uniform(1, 3, {3, 2});
    auto const pair = [](std::uint64_t m, std::uint64_t n) { return PairView{nullptr, m, nullptr, n}; };
    BatchWork const at_5 = work_of(scoring, {}, 0.041, true), at_1 = work_of(scoring, {}, 0.0083, true),
                    few = work_of(scoring, {}, 0.041, false);
    auto const chain = [](int warps) { return GroupShape{2, 5, true, warps}.index(); };
    EXPECT_EQ(at_5.class_of(pair(100000, 99950), std::uint32_t{4104}), chain(4));
    EXPECT_EQ(at_5.shape_of(pair(100000, 99950)).warps, 4);
    EXPECT_EQ(at_5.shape_of(pair(30000, 30100)).warps, 2);
    EXPECT_EQ(at_1.shape_of(pair(100000, 100010)).warps, 1);
    EXPECT_EQ(at_1.shape_of(pair(400000, 400000)).warps, 4);
    EXPECT_FALSE(at_5.shape_of(pair(10000, 10000)).is_chain()); // a ring is enough
    EXPECT_FALSE(at_5.suits(pair(100000, 60000)));              // too far apart
    EXPECT_FALSE(at_5.suits(pair(400000, 400000)));             // 16 bits do not hold what it loses
    EXPECT_FALSE(at_1.suits(pair(2000000, 2000000)));
    EXPECT_FALSE(few.suits(pair(100000, 99950)));
    EXPECT_TRUE(few.suits(pair(10000, 10000)));

    BatchWork const anywhere = work_of(scoring, fitting, 0, true);
    EXPECT_EQ(anywhere.shape_of(pair(10000, 12000)).warps, 5);
    EXPECT_FALSE(anywhere.shape_of(pair(10000, 12000)).ring);
    EXPECT_FALSE(anywhere.suits(pair(20000, 22000))); // 16 bits do not hold its scores
    EXPECT_FALSE(work_of(scoring, local, 0, true).suits(pair(10000, 12000)));
    EXPECT_FALSE(work_of(scoring, fitting, 0, false).suits(pair(10000, 12000)));
}

// A chunk of long pairs fills a third of a large device, within the limits of memory.
TEST(Chains, FillAThirdOfADevice)
{
    Scoring const scoring = Scoring::uniform(1, 3, {3, 2});
    BatchWork const work = work_of(scoring, {}, 0.041, true);
    std::string const letters(100000, 'A');
    std::vector<SequencePair> pairs(1, {letters, letters});
    PairSet const set{pairs, scoring};
    Request const request{{}, Output::cigar, CigarStyle::eqx};
    Batch const batch = set.batch();
    std::vector<std::uint64_t> const many(200, 0);
    Piece const piece{batch, many, scoring, request};
    Limits const limits = limits_for(std::uint64_t{11} << 30, 0, work);
    auto const holds = [&](std::uint64_t count) { return limits.hold(sums_of(piece, work, 0, count), work.bits()); };
    EXPECT_TRUE(holds(132));
    EXPECT_FALSE(holds(140));
    Sums const one = sums_of(piece, work, 0, 1);
    EXPECT_EQ(one.warps_of_chains(), 4u);
    EXPECT_LT(one.stored_bytes(work.bits()), std::uint64_t{60} << 20);
    EXPECT_TRUE(one.has_rings() && one.has_chains());
}

} // namespace
} // namespace nwgpu::test
