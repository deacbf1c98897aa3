// SPDX-License-Identifier: BSD-3-Clause
// Pairs that are dealt out to several devices; the engines are stand-ins.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "model/alphabet.hpp"
#include "places/devices_backend.hpp"
#include "support/cases.hpp"
#include "unit/lengths_alone.hpp"
#include "unit/slow_worker.hpp"

namespace nwgpu::places {
namespace {

class DevicesTest : public testing::Test {
protected:
    void make(std::size_t count, std::chrono::microseconds each = std::chrono::microseconds{300})
    {
        std::vector<Device> devices;
        workers_.clear();
        for (std::size_t k = 0; k < count; ++k) {
            auto worker = std::make_unique<Worker>(static_cast<std::int64_t>(k) + 1, each);
            workers_.push_back(worker.get());
            devices.push_back({std::move(worker), std::make_shared<Team>(1)});
        }
        backend_ = make_devices_backend(std::move(devices), by_cells, {}, [this](std::string const & text) {
            std::lock_guard const lock{mutex_};
            warnings_.push_back(text);
        });
    }
    BatchResult align(std::size_t count, Progress const & progress = {}, std::uint64_t max_host_bytes = 0,
                      Request const & request = {})
    {
        Pairs const pairs{std::vector<std::uint64_t>(count, 10)};
        return test::align(*backend_, pairs.batch(), pairs.scoring, request, progress, max_host_bytes);
    }
    // That take turns.
    BatchResult align_cigars(std::size_t count, Progress const & progress = {})
    {
        for (Worker * const worker : workers_)
            worker->knows_queues = true;
        return align(count, progress, 0, Request{{}, Output::cigar, CigarStyle::eqx});
    }
    static void expect_cigars(BatchResult const & result, std::size_t count)
    {
        ASSERT_EQ(result.count(), count);
        std::uint64_t at = 0;
        for (std::uint64_t p = 0; p < count; ++p) {
            ASSERT_EQ(result.status[p], Status::ok) << p;
            ASSERT_EQ(result.run_offsets[p + 1] - at, 1 + p % 2) << p;
            for (; at < result.run_offsets[p + 1]; ++at)
                ASSERT_EQ(result.runs[at], p);
        }
    }
    static std::size_t count(BatchResult const & result, std::int64_t score)
    {
        return static_cast<std::size_t>(std::count(result.score.begin(), result.score.end(), score));
    }

    std::vector<Worker *> workers_;
    std::unique_ptr<Backend> backend_;
    std::mutex mutex_;
    std::vector<std::string> warnings_;
};

TEST_F(DevicesTest, AllDevicesWork)
{
    make(3);
    BatchResult const result = align(300);
    EXPECT_EQ(count(result, 0), 0u);
    for (std::int64_t score : {1, 2, 3})
        EXPECT_GT(count(result, score), 30u) << score;
    EXPECT_EQ(backend_->name(), "3xworker");
    EXPECT_EQ(backend_->threads(), 3);
}

TEST_F(DevicesTest, CodesThatADeviceWantsAreMadeOnceAndLeaveOthersTheLetters)
{
    make(3);
    EXPECT_FALSE(backend_->takes_letters(Scoring::uniform(1, 1, {1, 1}), {}));
    for (Worker * const worker : workers_)
        worker->makes_codes = true;
    EXPECT_TRUE(backend_->takes_letters(Scoring::uniform(1, 1, {1, 1}), {}));
    LetterCodes const codes = codes_of("ACGT");
    Scoring const scoring = Scoring::uniform(1, 1, {1, 1}, &codes);
    constexpr std::uint64_t count = 300, length = 10;
    std::vector<std::uint8_t> bytes(count * length, 'A');
    std::vector<std::uint64_t> offsets(count + 1);
    std::vector<Pair> pairs;
    for (std::uint64_t k = 0; k < count; ++k) {
        offsets[k + 1] = (k + 1) * length;
        bytes[k * length] = k % 7 == 0 ? '?' : 'A';
        pairs.push_back({k, k});
    }
    RawSequences const raw{bytes, offsets};
    std::atomic<int> made{0};
    auto const make_codes = [&] {
        ++made;
        return std::make_shared<CodedSequences const>(raw, scoring);
    };
    CodedSequences const letters{raw, make_codes};
    BatchResult const result = test::align(*backend_, {letters, letters, pairs}, scoring, Request{}, {}, 0);
    EXPECT_EQ(made, 1);
    for (std::uint64_t k = 0; k < count; ++k)
        EXPECT_EQ(result.status[k], k % 7 == 0 ? Status::invalid_sequence : Status::ok) << k;
    for (Worker const * const worker : workers_)
        EXPECT_TRUE(worker->begins_with_letters);
}

TEST_F(DevicesTest, LittleWorkIsForOne)
{
    make(3);
    align(5);
    EXPECT_EQ(workers_[0]->calls + workers_[1]->calls + workers_[2]->calls, 1);
}

TEST_F(DevicesTest, EachHasItsPartOfTheMemory)
{
    make(2);
    align(300, {}, 1 << 20);
    for (Worker const * const worker : workers_) {
        EXPECT_GT(worker->limit, 0u);
        EXPECT_LT(worker->limit, std::uint64_t{1} << 19);
    }
}

TEST_F(DevicesTest, OthersDoWhatADeviceLeaves)
{
    for (std::size_t failing : {0, 1, 2}) {
        make(3);
        workers_[failing]->left = 10;
        workers_[failing]->thrown = Status::device_lost;
        BatchResult const result = align(300);
        EXPECT_EQ(count(result, 0), 0u);
        EXPECT_EQ(count(result, static_cast<std::int64_t>(failing) + 1), 10u);
        ASSERT_EQ(warnings_.size(), 1u);
        EXPECT_EQ(warnings_[0].find("device " + std::to_string(failing)), 0u);
        int const calls = workers_[failing]->calls;
        align(300);
        EXPECT_EQ(workers_[failing]->calls, calls); // for good
        warnings_.clear();
    }
}

TEST_F(DevicesTest, CigarsAreMadeInTurns)
{
    make(3);
    expect_cigars(align_cigars(300), 300);
    for (Worker const * const worker : workers_) {
        EXPECT_EQ(worker->calls, 1);
        EXPECT_GT(worker->stretches, 2);
    }
    workers_[1]->knows_queues = false;
    Request const cigars{{}, Output::cigar, CigarStyle::eqx};
    expect_cigars(align(300, {}, 0, cigars), 300); // by shares
    EXPECT_GT(workers_[0]->calls, 2);
    EXPECT_EQ(align(300, {}, 1 << 20, cigars).count(), 300u);
}

TEST_F(DevicesTest, OthersDoWhatADeviceLeavesOfItsTurns)
{
    for (std::size_t failing : {0, 1, 2}) {
        make(3);
        workers_[failing]->left = 10;
        BatchResult const result = align_cigars(300);
        expect_cigars(result, 300);
        EXPECT_EQ(count(result, static_cast<std::int64_t>(failing) + 1), 10u);
        EXPECT_EQ(workers_[failing]->calls, 1);
        ASSERT_EQ(warnings_.size(), 1u);
        warnings_.clear();
    }
}

TEST_F(DevicesTest, CigarsInTurnsGoToWhereTheyStay)
{
    make(3, std::chrono::microseconds{30});
    for (Worker * const worker : workers_)
        worker->in_order = true;
    expect_cigars(align_cigars(1000), 1000);
    for (Worker const * const worker : workers_)
        EXPECT_GE(worker->placed, worker->stretches - 1); // which may find the queue empty
}

TEST_F(DevicesTest, OthersGoOnWhereADeviceFailsWithAPlaceOrWithoutOne)
{
    for (bool const before : {false, true})
        for (std::size_t failing : {0, 1, 2}) {
            make(3, std::chrono::microseconds{30});
            for (Worker * const worker : workers_)
                worker->in_order = true;
            workers_[failing]->left = 200;
            workers_[failing]->fails_before_place = before;
            expect_cigars(align_cigars(1000), 1000);
            EXPECT_EQ(warnings_.size(), 1u);
            warnings_.clear();
        }
}

// Pairs that no engine aligns leave the others without an order: nobody waits for it.
TEST_F(DevicesTest, NobodyWaitsForPairsThatAreNotTheEngines)
{
    make(2, std::chrono::microseconds{10});
    for (Worker * const worker : workers_)
        worker->in_order = worker->knows_queues = true;
    std::vector<std::uint64_t> lengths(300, 10);
    lengths[0] = 0;
    Pairs const pairs{lengths};
    BatchResult const result =
        test::align(*backend_, pairs.batch(), pairs.scoring, Request{{}, Output::cigar, CigarStyle::eqx}, {}, 0);
    EXPECT_EQ(result.run_offsets[1], 0u);
    EXPECT_EQ(result.run_offsets[300], 299u + 150u);
    EXPECT_EQ(workers_[0]->placed + workers_[1]->placed, 0);
}

TEST_F(DevicesTest, WhatNoDeviceTakesFromAQueueIsDealtOut)
{
    make(2);
    for (Worker * const worker : workers_)
        worker->takes_any = false;
    expect_cigars(align_cigars(300), 300);
    EXPECT_GT(workers_[0]->calls, 1);
}

TEST_F(DevicesTest, TurnsEndWithAFailureAndWithTheCall)
{
    for (Status const status : {Status::device, Status::internal}) {
        make(2);
        for (Worker * const worker : workers_) {
            worker->left = 10;
            worker->thrown = status;
        }
        try {
            align_cigars(300);
            ADD_FAILURE();
        } catch (Error const & error) {
            EXPECT_EQ(error.status, status);
        }
    }
    make(2);
    try {
        align_cigars(30000, [](std::uint64_t, std::uint64_t) { return false; });
        ADD_FAILURE();
    } catch (Error const & error) {
        EXPECT_EQ(error.status, Status::cancelled);
    }
}

TEST_F(DevicesTest, WithoutAnyDeviceTheCallFails)
{
    make(2);
    for (Worker * const worker : workers_)
        worker->left = 10;
    try {
        align(300);
        ADD_FAILURE();
    } catch (Error const & error) {
        EXPECT_EQ(error.status, Status::device);
    }
}

TEST_F(DevicesTest, AnyOtherFailureIsThatOfTheCall)
{
    make(3);
    workers_[2]->left = 3;
    workers_[2]->thrown = Status::internal;
    try {
        align(3000);
        ADD_FAILURE();
    } catch (Error const & error) {
        EXPECT_EQ(error.status, Status::internal);
    }
    EXPECT_LT(workers_[0]->calls, 5); // the others were told
}

TEST_F(DevicesTest, ProgressIsReportedAndEndsTheCallOnTheCallingThread)
{
    make(3);
    auto const caller = std::this_thread::get_id();
    std::uint64_t last = 0;
    std::vector<std::uint64_t> reports;
    align(3000, [&](std::uint64_t done, std::uint64_t total) {
        EXPECT_EQ(std::this_thread::get_id(), caller);
        EXPECT_LE(done, total);
        reports.push_back(last = done);
        return true;
    });
    EXPECT_GT(reports.size(), 4u);
    EXPECT_GT(last, 3000u * 50);
    auto const begin = std::chrono::steady_clock::now();
    try {
        align(30000, [&](std::uint64_t, std::uint64_t) { return false; });
        ADD_FAILURE();
    } catch (Error const & error) {
        EXPECT_EQ(error.status, Status::cancelled);
    }
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds{2}); // of 3
}

TEST_F(DevicesTest, AnEstimateIsDivided)
{
    make(4);
    Pairs const pairs{std::vector<std::uint64_t>(400, 10)};
    Request const request;
    Batch const batch = pairs.batch();
    Estimate const estimate = backend_->estimate({batch, pairs.all, pairs.scoring, request});
    EXPECT_DOUBLE_EQ(estimate.seconds, 2) << "each has its own begin";
    EXPECT_EQ(estimate.cells, 400u);
    EXPECT_GE(estimate.host_bytes, 400u);
    EXPECT_EQ(estimate.plan.find("dealt out to 4 devices"), 0u);
}

} // namespace
} // namespace nwgpu::places
