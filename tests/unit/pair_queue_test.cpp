// SPDX-License-Identifier: BSD-3-Clause
// The turns of engines that take pairs from one queue.
#include "backend/pair_queue.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <thread>
#include <vector>

namespace nwgpu {
namespace {

// Of takers that are equally quick, and take `wanted` pairs at most.
std::vector<std::uint64_t> lengths_of_chunks(std::uint64_t pairs, std::size_t takers, std::uint64_t least,
                                             std::uint64_t wanted)
{
    PairQueue queue{pairs, takers};
    std::vector<std::uint64_t> lengths;
    while (queue.left() > 0) {
        PairQueue::Taker taker{queue, lengths.size() % takers};
        EXPECT_TRUE(taker.may_take());
        taker.take(least, [&](std::uint64_t first, std::uint64_t most) {
            EXPECT_EQ(first, pairs - queue.left());
            EXPECT_LE(first + most, pairs);
            lengths.push_back(std::min(most, wanted));
            return first + lengths.back();
        });
    }
    EXPECT_EQ(std::accumulate(lengths.begin(), lengths.end(), std::uint64_t{0}), pairs);
    return lengths;
}

TEST(PairQueue, OneTakesHalfOfWhatIsLeft)
{
    EXPECT_EQ(lengths_of_chunks(1000, 1, 100, 1000), (std::vector<std::uint64_t>{500, 250, 125, 100, 25}));
    EXPECT_EQ(lengths_of_chunks(100, 1, 100, 1000), (std::vector<std::uint64_t>{100}));
    EXPECT_EQ(lengths_of_chunks(0, 1, 100, 1000), (std::vector<std::uint64_t>{}));
}

TEST(PairQueue, SeveralGetEquallyMany)
{
    EXPECT_EQ(lengths_of_chunks(1000, 2, 100, 1000), (std::vector<std::uint64_t>{250, 250, 125, 125, 125, 125}));
    EXPECT_EQ(lengths_of_chunks(999, 4, 200, 1000), (std::vector<std::uint64_t>{250, 250, 250, 249}));
    EXPECT_EQ(lengths_of_chunks(3, 4, 200, 1000), (std::vector<std::uint64_t>{1, 1, 1}));
}

TEST(PairQueue, WhoTakesLessLeavesMore)
{
    for (std::uint64_t const wanted : {1, 7, 60, 200})
        for (std::uint64_t const length : lengths_of_chunks(1000, 3, 50, wanted))
            EXPECT_LE(length, wanted);
}

TEST(PairQueue, TurnsAreOfWhoHasTheFewestPairs)
{
    PairQueue queue{1000, 3};
    PairQueue::Taker a{queue, 0}, b{queue, 1}, c{queue, 2};
    auto const ten = [](std::uint64_t first, std::uint64_t) { return first + 10; };
    a.take(10, ten);
    EXPECT_TRUE(a.may_take()) << "two, whatever others have";
    a.take(10, ten);
    EXPECT_FALSE(a.may_take());
    b.take(10, ten);
    b.take(10, ten);
    EXPECT_FALSE(b.may_take()) << "c has none";
    c.leave();
    EXPECT_TRUE(a.may_take());
    EXPECT_TRUE(b.may_take());
    b.take(10, ten);
    EXPECT_FALSE(b.may_take());
    a.take(10, ten);
    b.done(10);
    EXPECT_TRUE(b.may_take());
    EXPECT_FALSE(a.may_take());
    b.leave();
    EXPECT_TRUE(a.may_take());
    EXPECT_EQ(a.left(), 940u);
    std::uint64_t most_of_one = 0;
    a.take(10, [&](std::uint64_t first, std::uint64_t most) {
        most_of_one = most;
        return first;
    });
    EXPECT_EQ(most_of_one, 470u) << "half of all that is left";
}

TEST(PairQueue, EachPairIsTakenOnce)
{
    constexpr std::uint64_t pairs = 100000;
    std::vector<int> taken(pairs);
    PairQueue queue{pairs, 3};
    auto const work = [&](std::size_t number, std::uint64_t wanted) {
        PairQueue::Taker taker{queue, number};
        while (taker.left() > 0) {
            if (!taker.may_take()) {
                std::this_thread::yield();
                continue;
            }
            std::uint64_t begin = 0, end = 0;
            taker.take(10, [&](std::uint64_t first, std::uint64_t most) {
                begin = first;
                return end = first + std::min(most, wanted);
            });
            for (std::uint64_t k = begin; k < end; ++k)
                ++taken[k];
            taker.done(end - begin);
        }
        taker.leave();
    };
    std::vector<std::thread> takers;
    for (std::size_t const number : {0, 1, 2})
        takers.emplace_back(work, number, 11 + 1000 * number);
    for (std::thread & thread : takers)
        thread.join();
    EXPECT_EQ(taken, std::vector<int>(pairs, 1));
}

TEST(PairQueue, WhoLooksTakesNothing)
{
    PairQueue queue{100};
    PairQueue::Taker taker{queue, 0};
    taker.take(10, [](std::uint64_t first, std::uint64_t) { return first + 30; });
    std::uint64_t seen = 0;
    taker.look([&](std::uint64_t first) { seen = first; });
    EXPECT_EQ(seen, 30u);
    EXPECT_EQ(queue.left(), 70u);
}

} // namespace
} // namespace nwgpu
