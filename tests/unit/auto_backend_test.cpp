// SPDX-License-Identifier: BSD-3-Clause
// Which engine gets which pair, and what happens when the GPU fails; both engines are stand-ins.
#include "align/auto_backend.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "cuda/batch_model.hpp"
#include "model/alphabet.hpp"
#include "support/cases.hpp"
#include "support/folder.hpp"
#include "support/stand_in.hpp"

namespace nwgpu {
namespace {

using test::StandIn;

using Pairs = std::vector<std::vector<std::uint64_t>>;

class AutoBackendTest : public testing::Test {
protected:
    AutoBackendTest()
    {
        auto cpu = std::make_unique<StandIn>(1);
        cpu_ = cpu.get();
        auto const make_gpu = [this]() -> std::unique_ptr<Backend> {
            ++made_;
            if (cannot_make_)
                throw Error{Status::device, "no engine"};
            auto gpu = std::make_unique<StandIn>(2);
            gpu->thrown = thrown_;
            gpu->failing = failing_;
            gpu->saves = saves_;
            gpu->answered_before = answered_before_;
            gpu_ = gpu.get();
            return gpu;
        };
        backend_ = make_auto_backend(std::move(cpu), "gpu", make_gpu,
                                     [this](std::string const & text) { log_.push_back(text); });
    }
    BatchResult align(Progress const & progress = {}, Request const & request = {})
    {
        // Pairs 0 and 2 are short, pair 1 is long.
        return align({{0, 0}, {1, 1}, {0, 1}}, progress, request);
    }
    BatchResult align(std::vector<Pair> const & pairs, Progress const & progress = {}, Request const & request = {},
                      std::uint64_t max_host_bytes = 0)
    {
        std::vector<std::uint8_t> const bytes(40100, 'A');
        std::vector<std::uint64_t> const offsets{0, 100, 40100};
        CodedSequences const sequences{{bytes, offsets}, scoring_};
        return test::align(*backend_, {sequences, sequences, pairs}, scoring_, request, progress, max_host_bytes);
    }

    Scoring const scoring_ = Scoring::uniform(1, 1, {1, 1});
    StandIn *cpu_ = nullptr, *gpu_ = nullptr;
    int made_ = 0;
    bool cannot_make_ = false;
    Status thrown_ = Status::ok, failing_ = Status::ok;
    std::function<void(std::string const &)> saves_; // what the GPU does before it fails
    std::size_t answered_before_ = 0;
    std::unique_ptr<Backend> backend_;
    std::vector<std::string> log_;
};

TEST_F(AutoBackendTest, LongPairsGoToTheGpu)
{
    EXPECT_EQ(align().score, (Array<std::int64_t>{1, 2, 1}));
    EXPECT_TRUE(log_.empty());
    EXPECT_EQ(gpu_->pairs, (Pairs{{1}}));
    EXPECT_EQ(cpu_->pairs, (Pairs{{0, 2}}));
}

TEST_F(AutoBackendTest, LongPairsThatAreAlikeAreTheCpus)
{
    cpu_->alike = {1};
    BatchResult const result = align();
    EXPECT_EQ(made_, 0);
    EXPECT_EQ(cpu_->pairs, (Pairs{{0, 2}}));
    EXPECT_EQ(result.score, (Array<std::int64_t>{1, 1, 1}));
    cpu_->alike = {2};
    EXPECT_EQ(align({{1, 1}, {0, 0}, {1, 1}, {1, 1}}).score, (Array<std::int64_t>{2, 1, 1, 2}));
    EXPECT_EQ(gpu_->pairs, (Pairs{{0, 3}}));
    cpu_->alike = {0, 1, 3}; // and so the last one as well, or nearly
    cpu_->pairs.clear();
    EXPECT_EQ(align({{1, 1}, {1, 1}, {1, 1}, {1, 1}}).score, (Array<std::int64_t>{1, 1, 1, 1}));
    EXPECT_EQ(cpu_->pairs, (Pairs{{2}}));
    EXPECT_EQ(gpu_->pairs.size(), 1u);
}

TEST_F(AutoBackendTest, AnEstimateKnowsWhichLongPairsAreAlike)
{
    std::vector<std::uint8_t> const bytes(40100, 'A');
    std::vector<std::uint64_t> const offsets{0, 40100};
    CodedSequences const sequences{{bytes, offsets}, scoring_};
    std::vector<Pair> const pairs{{0, 0}};
    auto const plan = [&] { return test::estimate(*backend_, {sequences, sequences, pairs}, scoring_, {}).plan; };
    cpu_->called = "few changes";
    cpu_->alike = {0};
    EXPECT_EQ(plan(), "few changes");
    EXPECT_EQ(made_, 0);
    cpu_->alike = {};
    EXPECT_EQ(plan(), "stand-in");
    EXPECT_EQ(made_, 1);
}

// Both work for the same question, within the same limit.
TEST_F(AutoBackendTest, RequestsAndLimitsAreHandedOn)
{
    Request request;
    request.output = Output::end;
    request.style = CigarStyle::m;
    request.every_cell = true;
    align({{0, 0}, {1, 1}}, {}, request, 1 << 20);
    for (StandIn const * const engine : {cpu_, gpu_}) {
        ASSERT_EQ(engine->requests.size(), 1u);
        EXPECT_EQ(engine->requests[0].output, Output::end);
        EXPECT_EQ(engine->requests[0].style, CigarStyle::m);
        EXPECT_TRUE(engine->requests[0].every_cell);
        EXPECT_GT(engine->limits[0], 0u);
        EXPECT_LT(engine->limits[0], std::uint64_t{1} << 20);
    }
}

// A GPU that makes codes itself: the CPU's pairs have codes, those with an invalid letter fail as ever.
TEST_F(AutoBackendTest, TheCpuHasCodesMade)
{
    std::vector<std::uint8_t> bytes(40150, 'A');
    std::vector<std::uint64_t> const offsets{0, 100, 40100, 40150};
    bytes[7] = '*';
    Scoring const dna = Scoring::uniform(1, 1, {1, 1}, alphabet_codes("dna"));
    auto const lazy = [&] {
        return CodedSequences{{bytes, offsets}, [&] {
                                  return std::make_shared<CodedSequences const>(RawSequences{bytes, offsets}, dna);
                              }};
    };
    EXPECT_FALSE(backend_->takes_letters(dna, {})) << "there is no GPU yet";
    align();
    EXPECT_FALSE(backend_->takes_letters(dna, {})) << "it wants codes";
    gpu_->makes_codes = true;
    EXPECT_TRUE(backend_->takes_letters(dna, {}));
    for (bool const is_long : {true, false}) { // short pairs alone are the CPU's
        CodedSequences const queries = lazy(), targets = lazy();
        std::vector<Pair> const pairs{{0, 0}, {1, is_long ? 1u : 2u}, {2, 0}, {2, 2}};
        cpu_->pairs.clear();
        gpu_->pairs.clear();
        BatchResult const result = test::align(*backend_, {queries, targets, pairs}, dna, {});
        EXPECT_EQ(gpu_->pairs, is_long ? (Pairs{{1}}) : Pairs{});
        EXPECT_EQ(cpu_->pairs, is_long ? (Pairs{{3}}) : (Pairs{{1, 3}}));
        EXPECT_FALSE(cpu_->given_letters.back());
        for (std::size_t const p : {0, 1, 2, 3})
            EXPECT_EQ(result.status[p], p % 2 == 0 ? Status::invalid_sequence : Status::ok) << p;
        EXPECT_EQ(result.failures.message(2), "target: letter '*' at position 7 is not in the alphabet");
    }
    EXPECT_FALSE(gpu_->given_letters.back()) << "the CPU has seen that few pairs are not alike";
    CodedSequences const many = lazy();
    test::align(*backend_, {many, many, std::vector<Pair>(70, {1, 1})}, dna, {});
    EXPECT_TRUE(gpu_->given_letters.back());
}

// Short pairs go to the GPU where many of them are worth its start, at once or after some calls; then all that gain.
TEST_F(AutoBackendTest, ManyShortPairsGoToTheGpu)
{
    if (!cuda::batch_model(scoring_, {}))
        GTEST_SKIP() << "a build without CUDA";
    std::vector<Pair> const few(100, {0, 0}), some(500000, {0, 0}), many(800000, {0, 0});
    align(few);
    EXPECT_EQ(made_, 0);
    for (int calls = 1; calls < 10 && made_ == 0; ++calls) // 0.33 s each on this CPU
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

TEST_F(AutoBackendTest, ManyShortPairsGoToTheGpuAtOnce)
{
    if (!cuda::batch_model(scoring_, {}))
        GTEST_SKIP() << "a build without CUDA";
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
TEST_F(AutoBackendTest, ALongQueryAndManyTargetsGoToTheGpu)
{
    if (!cuda::batch_model(scoring_, {}))
        GTEST_SKIP() << "a build without CUDA";
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
TEST_F(AutoBackendTest, ShortPairsGoToAGpuThatHasTheirLetters)
{
    if (!cuda::batch_model(scoring_, {}))
        GTEST_SKIP() << "a build without CUDA";
    cpu_->thread_count = 118; // 4.5 ms; the GPU takes 4.6, or 4.4 without copies
    align();                  // starts it
    std::vector<Pair> const many(800000, {0, 0});
    align(many);
    EXPECT_EQ(cpu_->pairs.back().size(), many.size());
    gpu_->kept = 1;
    align(many);
    EXPECT_EQ(gpu_->pairs.back().size(), many.size());
}

TEST_F(AutoBackendTest, BandsAndOtherTiesGoToTheCpu)
{
    Request request;
    for (Mode const & mode : {Mode{.band = Diagonals{-5, 40000}}, Mode{.ties = Ties::gaps_first}}) {
        request.mode = mode;
        request.output = Output::cigar;
        EXPECT_EQ(align({}, request).score, (Array<std::int64_t>{1, 1, 1}));
        EXPECT_EQ(made_, 0);
    }
    request.output = Output::score; // which is the same by all rules
    EXPECT_EQ(align({}, request).score, (Array<std::int64_t>{1, 2, 1}));
}

TEST_F(AutoBackendTest, ExtensionOfLongPairsGoesToTheGpu)
{
    for (Mode const & mode : {Mode{.extend = true}, Mode{.extend_left = true}}) {
        Request request;
        request.mode = mode;
        EXPECT_EQ(align({}, request).score, (Array<std::int64_t>{1, 2, 1}));
    }
}

TEST_F(AutoBackendTest, SeveralAlignmentsOfLongPairsGoToTheGpu)
{
    Request request;
    request.mode.local = true;
    request.top = 3;
    EXPECT_EQ(align({}, request).score, (Array<std::int64_t>{1, 2, 1}));
    EXPECT_TRUE(log_.empty());
}

TEST_F(AutoBackendTest, PairsThatDoNotFitTheDeviceGoToTheCpu)
{
    failing_ = Status::out_of_device_memory;
    BatchResult const result = align();
    EXPECT_EQ(result.score, (Array<std::int64_t>{1, 1, 1}));
    EXPECT_EQ(result.status, Array<Status>(3, Status::ok));
    EXPECT_EQ(result.failures.count(), 0u);
    EXPECT_EQ(log_.size(), 1u);
}

// What it has answered before it was lost is not computed again.
TEST_F(AutoBackendTest, ALostDeviceLeavesItsOtherPairsToTheCpu)
{
    thrown_ = Status::device_lost;
    answered_before_ = 2;
    BatchResult const result = align({{1, 1}, {0, 0}, {1, 1}, {1, 1}, {1, 1}});
    EXPECT_EQ(result.score, (Array<std::int64_t>{2, 1, 2, 1, 1}));
    EXPECT_EQ(result.status, Array<Status>(5, Status::ok));
    EXPECT_EQ(cpu_->pairs, (Pairs{{1, 3, 4}}));
}

TEST_F(AutoBackendTest, AnotherFailureOfAPairStays)
{
    failing_ = Status::too_large;
    BatchResult const result = align();
    EXPECT_EQ(result.status, (Array<Status>{Status::ok, Status::too_large, Status::ok}));
    EXPECT_EQ(result.failures.message(1), "the pair fails");
}

TEST_F(AutoBackendTest, ALostDeviceIsNotAskedAgain)
{
    thrown_ = Status::device_lost;
    EXPECT_EQ(align().score, (Array<std::int64_t>{1, 1, 1}));
    EXPECT_EQ(align().score, (Array<std::int64_t>{1, 1, 1}));
    EXPECT_EQ(gpu_->pairs.size(), 1u);
    EXPECT_EQ(log_.size(), 1u);
}

class AutoBackendCheckpoint : public AutoBackendTest {
protected:
    AutoBackendCheckpoint() { request_.checkpoint = {folder_ / "run", false, 60}; }
    void save() const
    {
        std::filesystem::create_directory(request_.checkpoint.folder);
        std::ofstream{request_.checkpoint.folder + "/slab-000000.nwgpu"} << "x";
    }
    test::TemporaryFolder const folder_;
    Request request_;
};
using Asked = std::vector<bool>;

// What a GPU saves before it fails, whether as a whole or for a pair, is where the CPU goes on.
TEST_F(AutoBackendCheckpoint, TheCpuGoesOnWhereTheGpuFails)
{
    saves_ = [&](std::string const &) { save(); };
    failing_ = Status::memory_limit;
    align({}, request_);
    EXPECT_EQ(gpu_->resumes(), Asked{false});
    EXPECT_EQ(cpu_->resumes(), Asked{true});
}
TEST_F(AutoBackendCheckpoint, TheCpuGoesOnWhereTheGpuIsLost)
{
    saves_ = [&](std::string const &) { save(); };
    thrown_ = Status::device_lost;
    align({}, request_);
    EXPECT_EQ(gpu_->resumes(), Asked{false});
    EXPECT_EQ(cpu_->resumes(), Asked{true});
}
TEST_F(AutoBackendCheckpoint, AResumedRunIsResumedByBoth)
{
    save();
    request_.checkpoint.resume = true;
    thrown_ = Status::device;
    align({}, request_);
    EXPECT_EQ(gpu_->resumes(), Asked{true});
    EXPECT_EQ(cpu_->resumes(), Asked{true});
}
// The CPU refuses it as the GPU would have done.
TEST_F(AutoBackendCheckpoint, WhatWasThereBeforeIsNotResumedUnasked)
{
    save();
    cannot_make_ = true;
    align({}, request_);
    EXPECT_EQ(cpu_->resumes(), Asked{false});
}

TEST_F(AutoBackendTest, WithoutAnEngineAllGoesToTheCpu)
{
    cannot_make_ = true;
    EXPECT_EQ(align().score, (Array<std::int64_t>{1, 1, 1}));
    EXPECT_EQ(align().score, (Array<std::int64_t>{1, 1, 1}));
    EXPECT_EQ(made_, 1);
    EXPECT_EQ(log_.size(), 1u);
}

TEST_F(AutoBackendTest, TheEngineIsMadeWhenItIsNeeded)
{
    EXPECT_EQ(backend_->name(), "gpu+stand-in");
    EXPECT_EQ(made_, 0);
    align();
    align();
    EXPECT_EQ(made_, 1);
}

TEST_F(AutoBackendTest, CancellingEndsTheCall)
{
    EXPECT_THROW(align([](auto, auto) { return false; }), Error);
    EXPECT_TRUE(cpu_->pairs.empty());
}

TEST_F(AutoBackendTest, ProgressGrowsToItsTotal)
{
    std::uint64_t last = 0, total = 0;
    align([&](std::uint64_t done, std::uint64_t of) {
        EXPECT_GE(done, last);
        last = done;
        total = of;
        return true;
    });
    EXPECT_LE(last, total);
    EXPECT_EQ(total, 100u * 100 + 100 * 40000 + 40000ull * 40000);
}

} // namespace
} // namespace nwgpu
