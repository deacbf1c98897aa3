// SPDX-License-Identifier: BSD-3-Clause
// Progress is reported by the thread that made the call, also when the others are those that see that it is time.
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "backend/monitor.hpp"

namespace nwgpu::test {
namespace {

TEST(Monitor, WhatAnotherThreadAsksForIsReportedByTheNextPoll)
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
} // namespace nwgpu::test
