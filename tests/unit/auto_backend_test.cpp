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
#include "support/auto_backend.hpp"
#include "support/cases.hpp"
#include "support/folder.hpp"

namespace nwgpu {
namespace {

using test::AutoBackendTest;
using test::StandIn;

using Pairs = std::vector<std::vector<std::uint64_t>>;

TEST_F(AutoBackendTest, LongPairsGoToTheGpu)
{
    EXPECT_EQ(align().score, (Array<std::int64_t>{1, 2, 1}));
    EXPECT_TRUE(log_.empty());
    EXPECT_EQ(gpu_->pairs, (Pairs{{1}}));
    EXPECT_EQ(cpu_->pairs, (Pairs{{0, 2}}));
}

TEST_F(AutoBackendTest, LongPairsThatAreSimilarAreTheCpus)
{
    cpu_->similar = {1};
    BatchResult const result = align();
    EXPECT_EQ(made_, 0);
    EXPECT_EQ(cpu_->pairs, (Pairs{{0, 2}}));
    EXPECT_EQ(result.score, (Array<std::int64_t>{1, 1, 1}));
    cpu_->similar = {2};
    EXPECT_EQ(align({{1, 1}, {0, 0}, {1, 1}, {1, 1}}).score, (Array<std::int64_t>{2, 1, 1, 2}));
    EXPECT_EQ(gpu_->pairs, (Pairs{{0, 3}}));
    cpu_->similar = {0, 1, 3}; // and so the last one as well, or nearly
    cpu_->pairs.clear();
    EXPECT_EQ(align({{1, 1}, {1, 1}, {1, 1}, {1, 1}}).score, (Array<std::int64_t>{1, 1, 1, 1}));
    EXPECT_EQ(cpu_->pairs, (Pairs{{2}}));
    EXPECT_EQ(gpu_->pairs.size(), 1u);
}

TEST_F(AutoBackendTest, AnEstimateKnowsWhichLongPairsAreTheCpus)
{
    std::vector<std::uint8_t> const bytes(140100, 'A');
    std::vector<std::uint64_t> const offsets{0, 140100};
    CodedSequences const sequences{{bytes, offsets}, scoring_};
    std::vector<Pair> const pairs{{0, 0}};
    auto const plan = [&] { return test::estimate(*backend_, {sequences, sequences, pairs}, scoring_, {}).plan; };
    cpu_->called = "landmarks";
    cpu_->seconds = 0.01;
    EXPECT_EQ(plan(), "landmarks");
    EXPECT_EQ(made_, 0);
    cpu_->seconds = 10;
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
    std::vector<std::uint8_t> bytes(140150, 'A');
    std::vector<std::uint64_t> const offsets{0, 100, 140100, 140150};
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
    EXPECT_FALSE(gpu_->given_letters.back()) << "the CPU has seen that few pairs are not similar";
    if (!cuda::batch_model(dna, {}))
        return;
    CodedSequences const many = lazy(); // which are not tried
    test::align(*backend_, {many, many, std::vector<Pair>(70, {1, 1})}, dna, {});
    EXPECT_TRUE(gpu_->given_letters.back());
}

TEST_F(AutoBackendTest, BandsAndOtherTiesGoToTheCpu)
{
    Request request;
    for (Mode const & mode : {Mode{.band = Diagonals{-5, 140000}}, Mode{.ties = Ties::gaps_first}}) {
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
    EXPECT_EQ(cpu_->tried, (Pairs{{1}})) << "then there is nothing to choose";
    EXPECT_EQ(cpu_->pairs.back(), (std::vector<std::uint64_t>{0, 1, 2}));
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
    EXPECT_EQ(total, 100u * 100 + 20 * 140000 + 140000ull * 140000);
}

} // namespace
} // namespace nwgpu
