// SPDX-License-Identifier: BSD-3-Clause
// Reports of a call: on the calling thread alone, and also while it waits for the others.
#include "backend/monitor.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace nwgpu {
namespace {

using Clock = std::chrono::steady_clock;

// Other threads work for as long as `seconds`; this one has nothing to do.  Returns how often it has reported.
int reports_while_waiting(Team & team, Progress const & progress, double seconds)
{
    int reports = 0;
    std::thread::id const caller = std::this_thread::get_id();
    Progress const counted = [&](std::uint64_t done, std::uint64_t total) {
        EXPECT_EQ(std::this_thread::get_id(), caller);
        ++reports;
        return progress(done, total);
    };
    Monitor monitor{counted, 1000000, team};
    std::atomic<bool> have_come{false};
    auto const body = [&](int k) {
        if (k == 0) {
            while (!have_come)
                std::this_thread::yield();
            return;
        }
        have_come = true;
        Clock::time_point const end =
            Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>{seconds});
        while (Clock::now() < end && !monitor.stopped()) {
            monitor.poll(1);
            std::this_thread::sleep_for(std::chrono::milliseconds{1});
        }
    };
    team.run(2, body, true, [&] { monitor.report_if_due(); });
    EXPECT_TRUE(have_come);
    return reports;
}

TEST(MonitorTest, TheCallingThreadReportsWhileItWaits)
{
    Team team{2};
    std::uint64_t last = 0;
    int const reports = reports_while_waiting(
        team,
        [&](std::uint64_t done, std::uint64_t) {
            EXPECT_GT(done, last);
            last = done;
            return true;
        },
        0.4);
    EXPECT_GE(reports, 4); // of 16 in 0.4 s, on a busy machine
    EXPECT_LE(reports, 17);
}

TEST(MonitorTest, ACallThatWaitsIsCancelled)
{
    Team team{2};
    Clock::time_point const begin = Clock::now();
    EXPECT_EQ(reports_while_waiting(
                  team, [](std::uint64_t, std::uint64_t) { return false; }, 30),
              1);
    EXPECT_LT(Clock::now() - begin, std::chrono::seconds{20});
}

TEST(MonitorTest, WhatAnotherThreadAsksForIsReportedByTheNextPoll)
{
    int reports = 0;
    std::uint64_t done = 0;
    Progress const progress = [&](std::uint64_t of, std::uint64_t) {
        ++reports;
        done = of;
        return true;
    };
    Team team{2};
    Monitor monitor{progress, 100, team};
    for (int round = 1; round <= 3; ++round) {
        std::this_thread::sleep_for(std::chrono::milliseconds{30});
        std::thread{[&] { monitor.poll(10); }}.join();
        EXPECT_EQ(reports, round - 1) << "the other thread only asks";
        monitor.poll(5);
        EXPECT_EQ(reports, round);
        EXPECT_EQ(done, static_cast<std::uint64_t>(15 * round));
    }
}

} // namespace
} // namespace nwgpu
