// SPDX-License-Identifier: BSD-3-Clause
// Merging results of some pairs into the result of all.
#include "model/result.hpp"

#include <gtest/gtest.h>

namespace nwgpu {
namespace {

using Runs = std::vector<std::uint32_t>;
using Offsets = std::vector<std::uint64_t>;

// Pair p has score first + p and p + 1 runs of that number.
BatchResult numbered(std::uint64_t pairs, std::uint32_t first)
{
    BatchResult result;
    result.reset(pairs);
    for (std::uint32_t p = 0; p < pairs; ++p) {
        result.score[p] = first + p;
        result.runs.insert(result.runs.end(), p + 1, first + p);
        result.run_offsets[p + 1] = result.runs.size();
    }
    return result;
}

TEST(BatchResult, ResetIsEmpty)
{
    BatchResult result = numbered(3, 1);
    result.reset(2);
    EXPECT_EQ(result.count(), 2u);
    EXPECT_EQ(result.run_offsets, (Offsets{0, 0, 0}));
    EXPECT_TRUE(result.runs.empty());
    EXPECT_EQ(result.span[1].query_end, no_position);
}

TEST(BatchResult, ReplacesChosenPairs)
{
    BatchResult whole = numbered(3, 10);
    whole.fail(2, Status::memory_limit, "before");
    std::uint64_t const where[] = {2, 0};
    replace_pairs(whole, numbered(2, 50), where);
    EXPECT_EQ(whole.score, (std::vector<std::int64_t>{51, 11, 50}));
    EXPECT_EQ(whole.runs, (Runs{51, 51, 11, 11, 50}));
    EXPECT_EQ(whole.run_offsets, (Offsets{0, 2, 4, 5}));
    EXPECT_EQ(whole.status[2], Status::ok);
    EXPECT_TRUE(whole.message.empty());
}

TEST(BatchResult, TakesFailuresAlong)
{
    BatchResult whole = numbered(2, 10);
    BatchResult part = numbered(1, 50);
    part.fail(0, Status::memory_limit, "too long");
    std::uint64_t const where[] = {1};
    replace_pairs(whole, part, where);
    EXPECT_EQ(whole.status[1], Status::memory_limit);
    EXPECT_EQ(whole.message.at(1), "too long");
    EXPECT_EQ(whole.score[1], 0);
}

TEST(BatchResult, OfARepeatedIndexTheLastCounts)
{
    BatchResult whole = numbered(2, 10);
    std::uint64_t const where[] = {0, 0};
    replace_pairs(whole, numbered(2, 50), where);
    EXPECT_EQ(whole.score, (std::vector<std::int64_t>{51, 11}));
    EXPECT_EQ(whole.runs, (Runs{51, 51, 11, 11}));
}

// Pairs with several entries, on either side.
TEST(BatchResult, ReplacesAllEntriesOfAPair)
{
    Request request{Mode{.local = true}, Output::cigar, CigarStyle::eqx};
    request.top = 3;
    auto const answer = [](std::int64_t score, Runs runs, std::vector<PairResult> more = {}) {
        return PairResult{score, {1, 2, 3, 4}, std::move(runs), std::move(more)};
    };
    BatchResult part;
    part.reset(3);
    part.fail(1, Status::memory_limit, "too long");
    collect({answer(9, {90, 91}, {answer(8, {80}), answer(7, {})}), {}, answer(5, {50})}, request, part);
    EXPECT_EQ(part.pair, (Offsets{0, 0, 0, 1, 2}));
    EXPECT_EQ(part.score, (std::vector<std::int64_t>{9, 8, 7, 0, 5}));
    EXPECT_EQ(part.runs, (Runs{90, 91, 80, 50}));
    EXPECT_EQ(part.run_offsets, (Offsets{0, 2, 3, 3, 3, 4}));
    EXPECT_EQ(part.first_entries(), (Offsets{0, 3, 4, 5}));
    EXPECT_EQ(part.span[1].target_end, 4u);
    EXPECT_EQ(part.span[3].target_end, no_position);

    BatchResult whole = numbered(4, 10);
    std::uint64_t const where[] = {2, 3, 0};
    replace_pairs(whole, part, where);
    EXPECT_EQ(whole.pair, (Offsets{0, 1, 2, 2, 2, 3}));
    EXPECT_EQ(whole.score, (std::vector<std::int64_t>{5, 11, 9, 8, 7, 0}));
    EXPECT_EQ(whole.runs, (Runs{50, 11, 11, 90, 91, 80}));
    EXPECT_EQ(whole.status[5], Status::memory_limit);
    EXPECT_EQ(whole.message.at(3), "too long");
    std::uint64_t const third[] = {2};
    replace_pairs(whole, numbered(1, 77), third);
    EXPECT_EQ(whole.pair, (Offsets{0, 1, 2, 3}));
    EXPECT_EQ(whole.score, (std::vector<std::int64_t>{5, 11, 77, 0}));
    EXPECT_EQ(whole.message.at(3), "too long");
}

TEST(BatchResult, NothingToReplace)
{
    BatchResult whole = numbered(2, 10);
    replace_pairs(whole, numbered(0, 0), {});
    EXPECT_EQ(whole.runs, numbered(2, 10).runs);
}

} // namespace
} // namespace nwgpu
