// SPDX-License-Identifier: BSD-3-Clause
// How pairs are dealt out to several places.
#include "places/deal.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <thread>
#include <vector>

#include "support/random.hpp"
#include "unit/lengths_alone.hpp"

namespace nwgpu::places {
namespace {

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

} // namespace
} // namespace nwgpu::places
