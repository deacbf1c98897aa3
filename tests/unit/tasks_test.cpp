// SPDX-License-Identifier: BSD-3-Clause
// How pairs become tasks: groups for the lanes, and single pairs.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cpu/kernels/kernel_table.hpp"
#include "cpu/tasks.hpp"
#include "support/cases.hpp"

namespace nwgpu::cpu {
namespace {

// Of so many equal pairs of `letters`, for a team of so many threads.
std::vector<std::uint64_t> sizes_of_tasks(std::uint64_t pairs, std::uint64_t letters, int threads)
{
    Scoring const scoring = Scoring::uniform(2, 4, {4, 2});
    std::string const sequence(letters, 'A');
    test::PairSet const set{std::vector<test::SequencePair>(pairs, {sequence, sequence}), scoring};
    std::vector<std::uint64_t> all(pairs);
    for (std::uint64_t p = 0; p < pairs; ++p)
        all[p] = p;
    Request const request{Mode{.free_target_begin = true, .free_target_end = true}};
    Batch const batch = set.batch();
    Piece const piece{batch, all, scoring, request, 0};
    Scheme const scheme{scoring};
    KernelTable const & kernels = kernel_table(available_isas().front());
    Team team{threads};
    Tasks tasks{piece, LaneRules{scheme, kernels, request, 0, true}, true, 0, 0, team};
    std::vector<std::uint64_t> sizes;
    for (Task const & task : tasks.all())
        sizes.push_back(task.count);
    return sizes;
}

using Sizes = std::vector<std::uint64_t>;

TEST(Tasks, LongPairsFillLanesWhereAllThreadsHaveSome)
{
    auto const lanes = static_cast<std::uint64_t>(kernel_table(available_isas().front()).lanes);
    EXPECT_EQ(sizes_of_tasks(2 * lanes, 1000, 1), Sizes(2, lanes));
    EXPECT_EQ(sizes_of_tasks(2 * lanes, 1000, 4), Sizes(4, lanes / 2)); // no thread waits for one with more
    EXPECT_EQ(sizes_of_tasks(lanes + 1, 1000, 1), (Sizes{lanes, 1}));
    EXPECT_EQ(sizes_of_tasks(lanes, 1000, 16), Sizes(lanes, 1)); // a group would take longer
    EXPECT_EQ(sizes_of_tasks(lanes, 150, 16), Sizes(1, lanes));  // here it takes less than to wake threads
}

} // namespace
} // namespace nwgpu::cpu
