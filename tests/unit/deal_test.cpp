// SPDX-License-Identifier: BSD-3-Clause
// How pairs are dealt out to several places; the engines are stand-ins.
#include "places/deal.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <mutex>
#include <numeric>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "backend/invalid_letters.hpp"
#include "backend/monitor.hpp"
#include "model/alphabet.hpp"
#include "places/devices_backend.hpp"
#include "support/cases.hpp"
#include "support/random.hpp"

namespace nwgpu::places {
namespace {

// Pairs of the given lengths, each with itself.
class Pairs {
public:
    explicit Pairs(std::vector<std::uint64_t> const & lengths)
    {
        for (std::uint64_t const length : lengths) {
            pairs.push_back({pairs.size(), pairs.size()});
            offsets_.push_back(offsets_.back() + length);
        }
        bytes_.assign(offsets_.back(), 'A');
        sequences_.emplace(RawSequences{bytes_, offsets_}, scoring);
        all.resize(pairs.size());
        std::iota(all.begin(), all.end(), std::uint64_t{0});
    }
    Batch batch() const { return {*sequences_, *sequences_, pairs}; }

    Scoring const scoring = Scoring::uniform(1, 1, {1, 1});
    std::vector<Pair> pairs;
    std::vector<std::uint64_t> all;

private:
    std::vector<std::uint8_t> bytes_;
    std::vector<std::uint64_t> offsets_{0};
    std::optional<CodedSequences> sequences_;
};

constexpr Speed by_cells{0, 0, 1, 1000};

TEST(Deal, EachPairIsDealtOnce)
{
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        test::Random random{seed};
        std::vector<std::uint64_t> lengths(random.between(1, seed % 10 == 0 ? 5000 : 300)); // blocks, and less
        for (auto & length : lengths)
            length = random.chance(0.03) ? random.between(1, 1000) : random.between(1, 40);
        Pairs const pairs{lengths};
        Request const request;
        Batch const batch = pairs.batch();
        Piece const piece{batch, pairs.all, pairs.scoring, request};
        Speed speed = by_cells;
        speed.most_letters = random.between(1, 5000);
        Team team{2};
        Deal deal{piece, random.between(1, 9), speed, seed % 2 == 0 ? &team : nullptr};
        std::vector<std::uint64_t> seen;
        for (Share share = deal.take(); !share.empty(); share = deal.take()) {
            ASSERT_TRUE(std::is_sorted(share.begin(), share.end())) << "seed " << seed;
            seen.insert(seen.end(), share.begin(), share.end());
            EXPECT_FALSE(deal.has_ended()) << "seed " << seed;
            deal.end();
        }
        EXPECT_TRUE(deal.has_ended()) << "seed " << seed;
        std::sort(seen.begin(), seen.end());
        EXPECT_EQ(seen, pairs.all) << "seed " << seed;
    }
}

TEST(Deal, LongPairsGoFirstAndAlone)
{
    std::vector<std::uint64_t> lengths(100, 10);
    lengths[50] = 400;
    lengths[70] = 500;
    Pairs const pairs{lengths};
    Request const request;
    Batch const batch = pairs.batch();
    Deal deal{{batch, pairs.all, pairs.scoring, request}, 2, by_cells};
    EXPECT_TRUE(std::ranges::equal(deal.take(), std::vector{70u}));
    EXPECT_TRUE(std::ranges::equal(deal.take(), std::vector{50u}));
    EXPECT_EQ(deal.take().front(), 0u);
}

TEST(Deal, AShortCallIsDividedEvenlyALongOneInShrinkingShares)
{
    Pairs const few{std::vector<std::uint64_t>(40, 10)}, many{std::vector<std::uint64_t>(4000, 10)};
    Request const request;
    Batch const few_batch = few.batch(), many_batch = many.batch();
    Speed speed = by_cells;
    speed.least_seconds = 10000;
    Deal even{{few_batch, few.all, few.scoring, request}, 4, speed};
    for (int k = 0; k < 4; ++k)
        EXPECT_EQ(even.take().size(), 10u);
    EXPECT_TRUE(even.take().empty());
    Deal shrinking{{many_batch, many.all, many.scoring, request}, 4, speed};
    std::vector<std::size_t> sizes;
    for (Share share = shrinking.take(); !share.empty(); share = shrinking.take())
        sizes.push_back(share.size());
    for (int k = 0; k < 4; ++k) // one for each place
        EXPECT_EQ(sizes[k], 500u);
    ASSERT_GT(sizes.size(), 12u);
    auto const last = sizes.end() - 4; // one more each
    EXPECT_TRUE(std::is_sorted(std::reverse_iterator{last}, sizes.rend()));
    EXPECT_GE(*(last - 1), 50u);
    EXPECT_LT(*(last - 1), 64u);
    EXPECT_LE(*last, 100u); // what takes the least time that is worth a share
    EXPECT_LE(*last - sizes.back(), 4u);
}

TEST(Deal, PlacesThatAreQuickerThanPredictedGetFewerShares)
{
    Pairs const pairs{std::vector<std::uint64_t>(4000, 10)};
    Request const request;
    Batch const batch = pairs.batch();
    Speed speed = by_cells;
    speed.least_seconds = 1000;
    Deal deal{{batch, pairs.all, pairs.scoring, request}, 2, speed};
    std::vector<Share> const first{deal.take(), deal.take()};
    for (Share const & share : first) {
        ASSERT_EQ(share.size(), 1000u);
        deal.took(share, static_cast<double>(share.size()) / 100); // ten thousand times as quick
    }
    EXPECT_EQ(deal.take().size(), 1000u);
    EXPECT_EQ(deal.take().size(), 1000u);
    EXPECT_TRUE(deal.take().empty());
}

TEST(Deal, WhatComesBackIsDealtAgain)
{
    Pairs const pairs{{50, 10, 10, 10}};
    Request const request;
    Batch const batch = pairs.batch();
    Deal deal{{batch, pairs.all, pairs.scoring, request}, 1, by_cells};
    EXPECT_EQ(deal.take().size(), 1u);
    Share const second = deal.take();
    EXPECT_TRUE(deal.take().empty());
    deal.end();
    std::thread later{[&] {
        std::this_thread::sleep_for(std::chrono::milliseconds{20});
        deal.end({second.back()});
    }};
    EXPECT_TRUE(std::ranges::equal(deal.wait_and_take(), std::vector{second.back()})); // waits for it
    later.join();
    EXPECT_FALSE(deal.has_ended());
    deal.end();
    EXPECT_TRUE(deal.wait_and_take().empty());
    EXPECT_TRUE(deal.has_ended());
}

// An engine that takes its time, and may fail.
class Worker final : public Backend {
public:
    Worker(std::int64_t score, std::chrono::microseconds each) : score_{score}, each_{each} {}
    std::string name() const override { return "worker"; }
    int threads() const override { return 1; }
    void trim() override {}
    Estimate estimate(Piece const & piece) override { return {piece.pairs.size(), 100, 0, 8, name()}; }
    void check_memory(Piece const &) override {}
    bool takes_letters(Scoring const &, Request const &) override { return makes_codes; }
    void align(Piece const & piece, Monitor & monitor, Answers & answers) override
    {
        ++calls;
        limit = piece.max_host_bytes;
        AnswerWriter writer{&answers};
        std::vector<std::uint64_t> pairs{piece.pairs.begin(), piece.pairs.end()};
        if (makes_codes) {
            begins_with_letters = begins_with_letters && (calls > 1 || piece.batch.are_letters());
            pairs = code_pairs(piece.batch, pairs, answers);
        }
        for (std::uint64_t const p : pairs) {
            if (left-- <= 0)
                throw Error{thrown, "it fails"};
            std::this_thread::sleep_for(each_);
            PairResult answer;
            answer.score = score_;
            writer.put(p, answer);
            monitor.poll(piece.batch.view(p).cells());
            monitor.throw_if_stopped();
        }
    }
    std::atomic<int> calls{0};
    std::atomic<std::uint64_t> limit{0};
    std::int64_t left = INT64_MAX; // pairs until it fails
    Status thrown = Status::device;
    bool makes_codes = false, begins_with_letters = true;

private:
    std::int64_t const score_;
    std::chrono::microseconds const each_;
};

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
    BatchResult align(std::size_t count, Progress const & progress = {}, std::uint64_t max_host_bytes = 0)
    {
        Pairs const pairs{std::vector<std::uint64_t>(count, 10)};
        return test::align(*backend_, pairs.batch(), pairs.scoring, Request{}, progress, max_host_bytes);
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
    EXPECT_DOUBLE_EQ(estimate.seconds, 2);
    EXPECT_GE(estimate.host_bytes, 400u);
    EXPECT_EQ(estimate.plan.find("dealt out to 4 devices"), 0u);
}

} // namespace
} // namespace nwgpu::places
