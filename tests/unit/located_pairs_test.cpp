// SPDX-License-Identifier: BSD-3-Clause
// Pairs whose score and end are known, of all threads, as groups whose paths are looked for.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cpu/batch/located_pairs.hpp"
#include "support/cases.hpp"

namespace nwgpu::cpu {
namespace {

using test::EngineSetup;
using test::PairSet;
using test::Random;
using test::random_sequence;
using test::SequencePair;

// Several threads put the pairs that they locate together: more of them than one group has.
TEST(LocatedPairs, ThreadsShareThem)
{
    Random random{2};
    std::vector<SequencePair> pairs;
    for (std::uint64_t k = 0; k < 1500; ++k) {
        std::string const target = random_sequence(random, 180 + random.below(40), "ACGT");
        double const divergence = k % 50 == 0 ? 0.7 : 0.05;
        pairs.push_back({mutated(random, target.substr(random.below(30), 150), "ACGT", divergence), target});
    }
    PairSet const set{pairs, Scoring::uniform(2, 4, {4, 2})};
    Request const request{Mode{.free_target_begin = true, .free_target_end = true}, Output::cigar};
    EngineSetup setup{.threads = 1};
    setup.tuning.max_trace_bytes = 1;
    setup.tuning.bands = -1; // one by one
    auto const expected = test::run(set, Scoring::uniform(2, 4, {4, 2}), request, setup);
    setup.tuning.bands = 0;
    for (int const threads : {1, 2, 3, 7}) {
        setup.threads = threads;
        for (int call = 0; call < 3; ++call)
            test::expect_equal(expected, test::run(set, Scoring::uniform(2, 4, {4, 2}), request, setup), set,
                               "ThreadsShareThem threads=" + std::to_string(threads));
    }
}

TEST(LocatedPairs, ThoseThatEndTogetherAreAGroup)
{
    LocatedPairs located{3, 4, 2};
    LocatedPair taken[4];
    for (std::uint64_t const end : {9, 1, 30, 2, 10, 31, 32, 3, 33, 11, 4}) {
        LocatedPair pair{};
        pair.pair = {nullptr, 1200, nullptr, 1200 + end};
        located.add(pair);
    }
    for (LocatedPair & pair : taken) // much longer ones
        pair.pair = {nullptr, 2400, nullptr, 2400};
    located.add(taken[0]);
    using Wanted = LocatedPairs::Wanted;
    EXPECT_EQ(located.take(Wanted::several_groups, taken), 0);
    auto const ends = [&](Wanted wanted) {
        std::vector<std::uint64_t> all;
        for (std::size_t k = 0, count = located.take(wanted, taken); k < count; ++k)
            all.push_back(taken[k].pair.n - 1200);
        return all;
    };
    EXPECT_EQ(ends(Wanted::one_group), (std::vector<std::uint64_t>{1, 2, 3, 4}));
    EXPECT_EQ(ends(Wanted::one_group), (std::vector<std::uint64_t>{30, 31, 32, 33}));
    EXPECT_TRUE(ends(Wanted::one_group).empty()); // others may come
    for (int group = 0; group < 3; ++group)
        located.end_group();
    EXPECT_EQ(ends(Wanted::one_group), (std::vector<std::uint64_t>{9, 10, 11}));
    EXPECT_EQ(ends(Wanted::any), (std::vector<std::uint64_t>{1200}));
    EXPECT_TRUE(ends(Wanted::any).empty());
}

} // namespace
} // namespace nwgpu::cpu
