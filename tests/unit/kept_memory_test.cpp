// SPDX-License-Identifier: BSD-3-Clause
// Memory that is kept for who asks next: how much of it, for how long, and by whom it may be given back.
#include "base/kept_memory.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <thread>

#include "base/uninitialized.hpp"

namespace nwgpu {
namespace {

constexpr std::size_t page = KeptMemory::page;

// Counts what there is.
struct Source {
    std::atomic<int> made{0}, there{0};
    std::atomic<bool> is_empty{false};

    KeptMemory::Source source()
    {
        return {[this](std::size_t bytes) -> void * {
                    if (is_empty)
                        return nullptr;
                    ++made;
                    ++there;
                    return std::aligned_alloc(page, bytes);
                },
                [this](void * memory) {
                    --there;
                    std::free(memory);
                }};
    }
};

TEST(KeptMemory, FreesNothingForWhatItCannotServe)
{
    Source source;
    KeptMemory memory{source.source(), page, 10 * page};
    void * const lent = memory.take(4 * page);
    void * const kept = memory.take(3 * page);
    EXPECT_TRUE(memory.give_back(kept));
    EXPECT_EQ(memory.take(8 * page), nullptr);
    EXPECT_EQ(memory.take(11 * page), nullptr);
    EXPECT_EQ(source.there, 2);
    EXPECT_TRUE(memory.give_back(lent));
    void * const all = memory.take(10 * page);
    EXPECT_NE(all, nullptr) << "as much as there may be, without more for later ones";
    EXPECT_EQ(source.there, 1);
    EXPECT_TRUE(memory.give_back(all));
}

TEST(KeptMemory, IsLentAgain)
{
    Source source;
    KeptMemory memory{source.source(), page, 100 * page};
    void * const first = memory.take(2 * page);
    std::memset(first, 1, 2 * page);
    EXPECT_TRUE(memory.has(first));
    void * const second = memory.take(2 * page);
    EXPECT_NE(first, second);
    EXPECT_TRUE(memory.give_back(first));
    EXPECT_EQ(memory.take(2 * page + 1), first) << "a little more than before";
    EXPECT_EQ(source.made, 2);
    EXPECT_TRUE(memory.give_back(first));
    EXPECT_TRUE(memory.give_back(second));
    void * const large = memory.take(20 * page);
    EXPECT_EQ(source.made, 3) << "too small are those that are kept";
    EXPECT_TRUE(memory.give_back(large));
    void * const small = memory.take(page);
    EXPECT_NE(small, large) << "too large for this";
    EXPECT_TRUE(memory.give_back(small));
    int other = 0;
    EXPECT_FALSE(memory.give_back(&other));
    EXPECT_FALSE(memory.has(&other));
}

TEST(KeptMemory, NeitherTooSmallNorTooMuch)
{
    Source source;
    {
        KeptMemory memory{source.source(), 1000, 10 * page};
        EXPECT_EQ(memory.take(999), nullptr);
        EXPECT_EQ(memory.take(10 * page + 1), nullptr);
        EXPECT_EQ(memory.take(SIZE_MAX), nullptr);
        EXPECT_EQ(source.made, 0);
        void * const small = memory.take(1000);
        void * const lent = memory.take(4 * page);
        EXPECT_EQ(memory.take(5 * page), nullptr) << "with what is lent that is too much";
        EXPECT_TRUE(memory.give_back(lent));
        void * const larger = memory.take(5 * page);
        EXPECT_NE(larger, nullptr) << "in place of what was kept";
        EXPECT_EQ(source.there, 2);
        EXPECT_TRUE(memory.give_back(small));
        EXPECT_TRUE(memory.give_back(larger));
        EXPECT_EQ(source.there, 2);
    }
    EXPECT_EQ(source.there, 0);
}

TEST(KeptMemory, ThereMayBeNone)
{
    Source source;
    KeptMemory memory{source.source(), 1, 100 * page};
    void * const first = memory.take(page);
    EXPECT_TRUE(memory.give_back(first));
    source.is_empty = true;
    EXPECT_EQ(memory.take(50 * page), nullptr);
    EXPECT_EQ(source.there, 0) << "what was kept may be in the way";
    source.is_empty = false;
    void * const second = memory.take(page);
    EXPECT_NE(second, nullptr);
    EXPECT_TRUE(memory.give_back(second));
}

TEST(KeptMemory, TrimAndCloseLeaveWhatIsLent)
{
    Source source;
    KeptMemory memory{source.source(), 1, 100 * page};
    void * const a = memory.take(page);
    void * const b = memory.take(page);
    EXPECT_TRUE(memory.give_back(a));
    memory.trim();
    EXPECT_EQ(source.there, 1);
    std::memset(b, 1, page);
    EXPECT_TRUE(memory.give_back(b));
    EXPECT_EQ(source.there, 1) << "kept";
    void * const c = memory.take(page);
    memory.close();
    EXPECT_EQ(source.there, 1);
    std::memset(c, 1, page);
    EXPECT_EQ(memory.take(page), nullptr) << "nothing more is lent";
    EXPECT_TRUE(memory.give_back(c));
    EXPECT_EQ(source.there, 0) << "not kept";
}

// An array may end after its owner, in another thread; copies and arrays that are too small have memory of their own.
TEST(KeptMemory, ArraysHaveIt)
{
    Source source;
    auto memory = std::make_shared<KeptMemory>(source.source(), page, 100 * page);
    using Numbers = Array<std::uint32_t>;
    UninitializedAllocator<std::uint32_t> const allocator{memory};
    Numbers numbers(page, allocator);
    std::iota(numbers.begin(), numbers.end(), 0u);
    EXPECT_TRUE(memory->has(numbers.data()));
    Numbers const copy = numbers;
    EXPECT_FALSE(memory->has(copy.data()));
    EXPECT_EQ(copy, numbers);
    EXPECT_FALSE(memory->has(Numbers(10, allocator).data()));
    std::uint32_t const * const place = numbers.data();
    Numbers moved;
    moved = std::move(numbers);
    EXPECT_EQ(moved.data(), place);
    numbers = Numbers(page, allocator);
    EXPECT_EQ(source.made, 2);
    numbers = Numbers{};
    EXPECT_EQ(source.there, 2) << "kept";
    memory->close();
    memory.reset();
    EXPECT_EQ(source.there, 1);
    EXPECT_EQ(moved, copy);
    std::thread{[last = std::move(moved)]() mutable { last = Numbers{}; }}.join();
    EXPECT_EQ(source.there, 0);
}

TEST(KeptMemory, ManyThreads)
{
    Source source;
    auto memory = std::make_shared<KeptMemory>(source.source(), 1, 6 * page);
    std::vector<std::thread> threads;
    std::atomic<int> wrong{0};
    for (std::uint32_t t = 0; t < 4; ++t)
        threads.emplace_back([&, t] {
            for (std::uint32_t k = 0; k < 200; ++k) {
                Array<std::uint32_t> mine(1000 + page / 8 * (k % 3), t, UninitializedAllocator<std::uint32_t>{memory});
                if (k % 50 == 0)
                    memory->trim();
                for (std::uint32_t const number : mine)
                    wrong += number != t;
            }
        });
    for (std::thread & thread : threads)
        thread.join();
    EXPECT_EQ(wrong, 0);
    memory.reset();
    EXPECT_EQ(source.there, 0);
}

} // namespace
} // namespace nwgpu
