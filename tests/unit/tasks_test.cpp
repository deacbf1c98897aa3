// SPDX-License-Identifier: BSD-3-Clause
// How pairs become tasks: groups for the lanes, and single pairs.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "cpu/kernels/kernel_table.hpp"
#include "cpu/tasks.hpp"
#include "support/cases.hpp"

namespace nwgpu::cpu {
namespace {

using Sizes = std::vector<std::uint64_t>;

// Of pairs of two equal sequences of so many letters, for a team of so many threads.
Sizes sizes_of_tasks(std::vector<std::uint64_t> const & lengths, int threads, Output output = Output::cigar)
{
    Scoring const scoring = Scoring::uniform(2, 4, {4, 2});
    std::vector<test::SequencePair> pairs;
    Sizes all;
    for (std::uint64_t const letters : lengths) {
        std::string const sequence(letters, 'A');
        pairs.push_back({sequence, sequence});
        all.push_back(all.size());
    }
    test::PairSet const set{std::move(pairs), scoring};
    Request request{Mode{.free_target_begin = true, .free_target_end = true}};
    request.output = output;
    Batch const batch = set.batch();
    Piece const piece{batch, all, scoring, request, 0};
    Scheme const scheme{scoring};
    KernelTable const & kernels = kernel_table(available_isas().front());
    Team team{threads};
    Tasks tasks{piece, LaneRules{scheme, kernels, request, 0, true}, true, 0, 0, team};
    Sizes sizes;
    for (Task const & task : tasks.all())
        sizes.push_back(task.count);
    return sizes;
}

Sizes equal(std::uint64_t pairs, std::uint64_t letters) { return Sizes(pairs, letters); }

Sizes both(Sizes first, Sizes const & second)
{
    first.insert(first.end(), second.begin(), second.end());
    return first;
}

std::uint64_t lanes() { return static_cast<std::uint64_t>(kernel_table(available_isas().front()).lanes); }

TEST(Tasks, LongPairsFillLanesWhereAllThreadsHaveSome)
{
    EXPECT_EQ(sizes_of_tasks(equal(2 * lanes(), 1000), 1), Sizes(2, lanes()));
    EXPECT_EQ(sizes_of_tasks(equal(3 * lanes(), 1000), 4), Sizes(4, 3 * lanes() / 4)); // none waits for one with more
    EXPECT_EQ(sizes_of_tasks(equal(lanes() + 1, 1000), 1), (Sizes{lanes(), 1}));
    EXPECT_EQ(sizes_of_tasks(equal(2 * lanes(), 1000), 4), Sizes(2 * lanes(), 1)); // groups would take longer
    EXPECT_EQ(sizes_of_tasks(equal(lanes(), 150), 16), Sizes(1, lanes())); // here it takes less than to wake threads
}

// A share is large enough for shorter pairs before it is for longer ones.
TEST(Tasks, LongPairsGoAloneWhereTheirGroupWouldTakeLongerThanTheRest)
{
    Sizes const lengths = both(equal(2 * lanes(), 600), equal(lanes() / 2, 2000));
    EXPECT_EQ(sizes_of_tasks(lengths, 4), both(Sizes(2, lanes()), Sizes(lanes() / 2, 1)));
}

TEST(Tasks, LongPairsGoAloneWhereMostOfTheirLanesWouldBeEmpty)
{
    Sizes const others = equal(2 * lanes(), 3500), groups(2, lanes()); // a share is large
    std::uint64_t const half = lanes() / 2, most = 3 * half / 2;
    EXPECT_EQ(sizes_of_tasks(both(others, equal(half - 1, 1000)), 1), both(groups, Sizes(half - 1, 1)));
    EXPECT_EQ(sizes_of_tasks(both(others, equal(half, 1000)), 1), both(groups, {half}));
    // Three quarters of the lanes have pairs, but shorter ones than the longest.
    EXPECT_EQ(sizes_of_tasks(both(others, both(equal(most, 1420), {2000})), 1), both(groups, Sizes(most + 1, 1)));
    EXPECT_EQ(sizes_of_tasks(both(others, both(equal(most, 1700), {2000})), 1), both(groups, {most + 1}));
}

// A pair that is just long, beside many that just are not.
TEST(Tasks, PairsOfAboutTheLeastLengthOfLongOnesCountAsLong)
{
    EXPECT_EQ(sizes_of_tasks(both({505}, equal(2 * lanes() - 1, 490)), 1, Output::score), Sizes(2, lanes()));
}

// Though a pair of theirs is smaller.
TEST(Tasks, GroupsComeBeforePairsThatTakeLess)
{
    EXPECT_EQ(sizes_of_tasks(both({3000, 3000}, equal(lanes(), 2000)), 1), (Sizes{lanes(), 1, 1}));
    EXPECT_EQ(sizes_of_tasks(both(equal(lanes(), 2000), {9000}), 1), (Sizes{1, lanes()}));
}

} // namespace
} // namespace nwgpu::cpu
