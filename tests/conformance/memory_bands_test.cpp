// SPDX-License-Identifier: BSD-3-Clause
// Pairs in bands side by side where memory ends: each has an answer, or is left to others.
#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "conformance/counted.hpp"
#include "cpu/batch/band_batch.hpp"
#include "cpu/kernels/kernel_table.hpp"
#include "support/cases.hpp"

namespace nwgpu::test {
namespace {

// Whichever allocation fails.  Of equal pairs the narrowest band proves the score, the others are kept for a second
// turn, each group's behind its answers.
TEST(BandMemoryTest, PairsWithAnAnswerAreNotLeftToOthers)
{
    Random random{52};
    std::vector<SequencePair> pairs;
    for (int k = 0; k < 200; ++k) {
        std::string const query = random_sequence(random, 300, "ACGT");
        pairs.push_back({query, k % 2 == 0 ? query : mutated(random, query, "ACGT", 0.1)});
    }
    Scoring const scoring = Scoring::uniform(2, 4, {4, 2});
    PairSet const set{std::move(pairs), scoring};
    Batch const batch = set.batch();
    cpu::Scheme const scheme{scoring};
    Request const request{{}, Output::score};
    Progress const silent;
    Team team{1};
    cpu::BandMemory memory;
    std::vector<std::uint64_t> left(set.count());
    // How many pairs have an answer if no more memory than this can be had.
    auto const answered = [&](std::size_t most) {
        left.resize(set.count());
        std::iota(left.begin(), left.end(), std::uint64_t{0});
        BatchResult result;
        Answers answers{result, set.count(), request};
        answers.begin(0, set.count(), 0, 1);
        AnswerWriter writer{&answers};
        Monitor monitor{silent, 1, team};
        cpu::BandBatch bands{scheme, cpu::kernel_table(""), request, true, batch, left, nullptr};
        most_allocated = allocated + most;
        bands.work(memory, writer, monitor);
        most_allocated = SIZE_MAX;
        left.resize(bands.keep_others());
        std::size_t open = 0;
        for (std::uint64_t p = 0; p < set.count(); ++p)
            open += answers.is_open(p);
        EXPECT_EQ(left.size(), open) << most << " bytes";
        for (std::uint64_t const p : left)
            EXPECT_TRUE(answers.is_open(p)) << "pair " << p << ", " << most << " bytes";
        return set.count() - open;
    };
    EXPECT_EQ(answered(SIZE_MAX / 2), set.count());
    int some = 0; // times that memory ended between answers
    for (std::size_t most = 0; most <= 8192; most += 16) {
        std::size_t const count = answered(most); // all with `memory` of the first time
        some += count > 0 && count < set.count();
    }
    EXPECT_GT(some, 10);
}

} // namespace
} // namespace nwgpu::test
