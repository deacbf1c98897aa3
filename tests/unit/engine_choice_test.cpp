// SPDX-License-Identifier: BSD-3-Clause
// Which engine gets which of many pairs; both engines are stand-ins.
#include "align/engine_choice.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <vector>

#include "cuda/batch_model.hpp"
#include "model/alphabet.hpp"
#include "support/auto_backend.hpp"

namespace nwgpu {
namespace {

using Pairs = std::vector<std::vector<std::uint64_t>>;

class EngineChoiceTest : public test::AutoBackendTest {
protected:
    void SetUp() override
    {
        if (!cuda::batch_model(scoring_, {}))
            GTEST_SKIP() << "a build without CUDA";
    }
};

// Short pairs go to the GPU where many of them are worth its start, at once or after some calls; then all that gain.
TEST_F(EngineChoiceTest, ManyShortPairsGoToTheGpu)
{
    std::vector<Pair> const few(100, {0, 0}), some(300000, {0, 0}), many(800000, {0, 0});
    align(few);
    EXPECT_EQ(made_, 0);
    cpu_->takes = std::chrono::milliseconds{60}; // 200 predicted, of which a start in 250 is not worth it
    for (int calls = 1; calls < 10 && made_ == 0; ++calls)
        align(some);
    EXPECT_EQ(made_, 1);
    EXPECT_EQ(cpu_->pairs.size(), 2u);
    ASSERT_EQ(gpu_->pairs.size(), 1u);
    EXPECT_EQ(gpu_->pairs[0].size(), some.size());
    align(few); // less than a call costs
    EXPECT_EQ(cpu_->pairs.size(), 3u);
    align(many);
    ASSERT_EQ(gpu_->pairs.size(), 2u);
    EXPECT_EQ(gpu_->pairs[1].size(), many.size());
}

// Only what pairs that gain have taken longer than they would on the GPU counts for its start.
TEST_F(EngineChoiceTest, WhatOthersTakeIsNotMissed)
{
    std::vector<Pair> pairs(1000, {1, 2}); // 140 000 x 20: the CPU has each of these sooner
    pairs.insert(pairs.end(), 50000, {0, 0});
    cpu_->takes = std::chrono::milliseconds{300};
    align(pairs);
    align(pairs);
    align(pairs);
    EXPECT_EQ(made_, 0);
    EXPECT_EQ(cpu_->pairs.size(), 3u);
}

// What the CPU takes is measured on some of them, since it depends on their letters.
TEST_F(EngineChoiceTest, ManyPairsThatAreSimilarAreTheCpus)
{
    std::vector<Pair> const many(1000000, {0, 0});
    cpu_->measured = 1e-6;
    align(many);
    EXPECT_EQ(made_, 0);
    ASSERT_EQ(cpu_->pairs.size(), 1u);
    EXPECT_EQ(cpu_->pairs[0].size(), many.size());
    ASSERT_EQ(cpu_->asked.size(), 1u);
    EXPECT_LT(cpu_->asked[0], 100u);
    cpu_->measured = 1e-2;
    align(many);
    EXPECT_EQ(made_, 1);
}

TEST_F(EngineChoiceTest, ManyShortPairsGoToTheGpuAtOnce)
{
    align(std::vector<Pair>(1500000, {0, 0}));
    EXPECT_EQ(made_, 1);
    EXPECT_TRUE(cpu_->pairs.empty());
    std::size_t const calls = gpu_->pairs.size();
    Request banded;
    banded.mode.band = Diagonals{-5, 5};
    align(std::vector<Pair>(1500000, {0, 0}), {}, banded);
    EXPECT_EQ(gpu_->pairs.size(), calls);
}

// A query that no group of lanes holds, where its targets are many; 1.3 s on this CPU.
TEST_F(EngineChoiceTest, ALongQueryAndManyTargetsGoToTheGpu)
{
    std::uint64_t const count = 20000, n = 200;
    std::vector<std::uint8_t> const query(5000, 'A'), targets(count * n, 'A');
    std::vector<std::uint64_t> const one{0, query.size()};
    std::vector<std::uint64_t> offsets;
    std::vector<Pair> pairs;
    for (std::uint64_t k = 0; k <= count; ++k)
        offsets.push_back(k * n);
    for (std::uint64_t k = 0; k < count; ++k)
        pairs.push_back({0, k});
    CodedSequences const first{{query, one}, scoring_}, second{{targets, offsets}, scoring_};
    Request request;
    request.mode.local = true;
    auto const given = [&](std::span<Pair const> some) {
        test::align(*backend_, {first, second, some}, scoring_, request);
        return gpu_ ? gpu_->pairs.size() : 0;
    };
    EXPECT_EQ(given(std::span{pairs}.first(100)), 0u);
    ASSERT_EQ(given(pairs), 1u);
    EXPECT_EQ(gpu_->pairs[0].size(), count);
    request.output = Output::cigar; // for which a pair alone is as long as it is
    EXPECT_EQ(given(pairs), 1u);
}

// Copies decide between a GPU and so many threads.
TEST_F(EngineChoiceTest, ShortPairsGoToAGpuThatHasTheirLetters)
{
    align();                  // starts it
    cpu_->thread_count = 118; // 4.5 ms; the GPU takes 4.6, or 4.4 without copies
    std::vector<Pair> const many(800000, {0, 0});
    align(many);
    EXPECT_EQ(cpu_->pairs.back().size(), many.size());
    gpu_->kept = 1;
    align(many);
    EXPECT_EQ(gpu_->pairs.back().size(), many.size());
}

} // namespace
} // namespace nwgpu
