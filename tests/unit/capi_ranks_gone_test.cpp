// SPDX-License-Identifier: BSD-3-Clause
// A rank that its own caller stops: rank 0 hears of it, and no call waits for it.
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "capi_world.hpp"
#include "support/random.hpp"

namespace nwgpu::test {
namespace {

using namespace std::chrono_literals;

class RankGoneTest : public WorldTest {
protected:
    void SetUp() override
    {
        Random random{7800};
        for (int k = 0; k < 60; ++k) {
            queries_.push_back(random_sequence(random, 3000, "ACGT"));
            targets_.push_back(random_sequence(random, 3000, "ACGT"));
        }
    }
    // Until it has heard of it.
    void cancel(std::size_t rank)
    {
        while (served_[rank].cancel())
            std::this_thread::sleep_for(1ms);
    }
    static void warn(void * user, std::int32_t, char const * text)
    {
        *static_cast<std::string *>(user) += std::string{text} + "\n";
    }
    // The calls of rank 0, of which the second one runs while `during` does.
    void check(int size, std::function<void()> const & before, std::function<void()> const & during)
    {
        std::string log;
        Ranks ranks{size};
        run(
            ranks, size,
            [&](Context & context) {
                Sequences const queries = make_sequences(context, queries_),
                                targets = make_sequences(context, targets_);
                auto const align_all = [&] {
                    Result const result =
                        align(context, queries, targets, align_options(NWGPU_OUTPUT_SCORE, NWGPU_MODE_LOCAL));
                    EXPECT_EQ(result.failed(), 0u);
                    return std::vector<std::int64_t>(result.scores().begin(), result.scores().end());
                };
                auto const expected = align_all();
                before();
                std::thread other{during};
                EXPECT_EQ(align_all(), expected);
                other.join();
                EXPECT_EQ(align_all(), expected);
            },
            [&](int rank, nwgpu_context_options & options) {
                if (rank == 0) {
                    options.log = warn;
                    options.log_user = &log;
                }
            });
        EXPECT_NE(log.find("the other ranks go on without rank 1 ("), std::string::npos) << log;
        EXPECT_EQ(error(1).status, NWGPU_ERROR_CANCELLED) << error(1).message;
        for (int rank = 2; rank < size; ++rank)
            EXPECT_EQ(error(rank).status, NWGPU_OK) << error(rank).message;
    }

    std::vector<std::string> queries_, targets_;
};

TEST_F(RankGoneTest, BetweenTwoCalls)
{
    for (int const size : {2, 3})
        check(
            size, [&] { cancel(1); }, [] {});
}

TEST_F(RankGoneTest, WithinACall)
{
    check(
        3, [] {},
        [&] {
            std::this_thread::sleep_for(5ms);
            cancel(1);
        });
}

} // namespace
} // namespace nwgpu::test
