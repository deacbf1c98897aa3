// SPDX-License-Identifier: BSD-3-Clause
// Results whose memory comes from their engine, which keeps it from call to call: they stay as they are whatever
// becomes of the engine, of other results, and of the thread that made them.
#include <gtest/gtest.h>

#include <thread>

#include "support/engines.hpp"

namespace nwgpu::test {
namespace {

// In local mode a GPU answers all pairs in order; in global mode those that its bands do not prove come later.
class KeptResults : public OnEachEngine<bool> {
protected:
    // So many pairs that their runs are page-locked, and that a GPU has them in several chunks.
    static PairSet many_pairs(std::uint64_t seed)
    {
        Random random{seed};
        std::vector<SequencePair> pairs;
        for (int p = 0; p < 40000; ++p)
            pairs.push_back(random_pair(random, Model::mutated, random.between(1, 8), random.between(1, 8), "ACGT"));
        return {std::move(pairs), scheme("dna_2_4_4_2").scoring};
    }
    static std::unique_ptr<Backend> make_gpu()
    {
        cuda::EngineOptions options;
        options.max_device_bytes = 64 << 20; // an emulated one writes to all of it
        return cuda::make_engine(options);
    }
    BatchResult call(Backend & engine) const { return align(engine, set_.batch(), scheme_.scoring, request_); }
    void expect_right(BatchResult const & result) const
    {
        EXPECT_EQ(result.status, expected_.status);
        EXPECT_EQ(result.score, expected_.score);
        EXPECT_EQ(result.span, expected_.span);
        EXPECT_EQ(result.run_offsets, expected_.run_offsets);
        EXPECT_EQ(result.runs, expected_.runs);
    }

    Scheme const & scheme_ = scheme("dna_2_4_4_2");
    Request const request_{{.local = value()}, Output::cigar, CigarStyle::eqx};
    PairSet const set_ = many_pairs(51);
    BatchResult const expected_ = align(EngineSetup{}, set_.batch(), scheme_.scoring, request_);
};
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(KeptResults); // without CUDA
INSTANTIATE_TEST_SUITE_P(All, KeptResults, on_cuda(testing::Bool()),
                         [](auto const & info) { return std::get<1>(info.param) ? "cuda_local" : "cuda_global"; });

TEST_P(KeptResults, TakeMemoryOfEarlierOnes)
{
    auto const gpu = make_gpu();
    std::shared_ptr<KeptMemory> const memory = gpu->result_memory().runs;
    BatchResult first = call(*gpu);
    std::uint32_t const * const place = first.runs.data();
    EXPECT_TRUE(memory->has(place));
    BatchResult second = call(*gpu);
    EXPECT_TRUE(memory->has(second.runs.data()));
    EXPECT_NE(second.runs.data(), place) << "the first one is there";
    expect_right(first);
    std::thread{[end = std::move(first)]() mutable { end = {}; }}.join();
    BatchResult third = call(*gpu);
    EXPECT_EQ(third.runs.data(), place);
    expect_right(second);
    expect_right(third);
}

TEST_P(KeptResults, OutliveTrimAndEngine)
{
    auto gpu = make_gpu();
    std::weak_ptr<KeptMemory> const memory = gpu->result_memory().runs;
    BatchResult first = call(*gpu), second = call(*gpu);
    first = {};
    gpu->trim();
    expect_right(second);
    BatchResult third = call(*gpu);
    gpu.reset();
    expect_right(second);
    expect_right(third);
    second = {};
    expect_right(third);
    std::thread{[end = std::move(third)]() mutable { end = {}; }}.join();
    EXPECT_TRUE(memory.expired());
}

// A result of one engine becomes one of the other.
TEST_P(KeptResults, OfTwoEngines)
{
    auto gpu = make_gpu(), other = make_gpu();
    BatchResult first = call(*gpu), second = call(*other);
    std::swap(first, second);
    gpu.reset();
    expect_right(first);
    expect_right(second);
    first = call(*other);
    other.reset();
    expect_right(first);
    expect_right(second);
}

// Under a limit of host memory nothing is kept.
TEST_P(KeptResults, NotUnderALimit)
{
    auto const gpu = make_gpu();
    BatchResult const limited = align(*gpu, set_.batch(), scheme_.scoring, request_, {}, 200 << 20);
    EXPECT_FALSE(gpu->result_memory().runs->has(limited.runs.data()));
    expect_right(limited);
}

// An empty sequence is no engine's: runs are put in blocks first, and then in their place.
TEST_P(KeptResults, WithAPairThatIsNotTheEngines)
{
    std::vector<SequencePair> sequences{{"", "ACGT"}};
    for (std::uint64_t p = 0; p < set_.count(); ++p)
        sequences.push_back(set_[p]);
    PairSet const set{std::move(sequences), scheme_.scoring};
    auto const gpu = make_gpu();
    for (int k = 0; k < 2; ++k) {
        BatchResult const result = align(*gpu, set.batch(), scheme_.scoring, request_);
        std::ptrdiff_t const before = value() ? 0 : 1; // 4D
        ASSERT_EQ(result.runs.size(), expected_.runs.size() + static_cast<std::uint64_t>(before));
        EXPECT_TRUE(std::equal(expected_.runs.begin(), expected_.runs.end(), result.runs.begin() + before));
    }
}

} // namespace
} // namespace nwgpu::test
