// SPDX-License-Identifier: BSD-3-Clause
// The team of threads: who does the work, what is thrown, threads that cannot be started, forked children, sleep.
#include "base/team.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <mutex>
#include <new>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>

#include <pthread.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

namespace nwgpu {
namespace {

using namespace std::chrono_literals;

// Runs a body in which all `threads` wait for each other; returns whether all came.
bool all_come(Team & team, int threads)
{
    std::atomic<int> here{0};
    auto const until = std::chrono::steady_clock::now() + 20s;
    team.run(threads, [&](int) {
        ++here;
        while (here < threads && std::chrono::steady_clock::now() < until)
            std::this_thread::yield();
    });
    return here == threads;
}

TEST(Team, AllPiecesAreDoneOnce)
{
    for (int const size : {1, 2, 3, 8}) {
        Team team{size};
        for (int const threads : {0, 1, 2, 7, 100})
            for (std::size_t const pieces : {std::size_t{0}, std::size_t{1}, std::size_t{5}, std::size_t{3000}}) {
                std::vector<int> times(pieces);
                std::vector<std::atomic<int>> calls(static_cast<std::size_t>(size));
                std::atomic<std::size_t> next{0};
                team.run(threads, [&](int k) {
                    ++calls.at(static_cast<std::size_t>(k));
                    for (std::size_t p = next++; p < pieces; p = next++)
                        ++times[p];
                });
                EXPECT_EQ(times, std::vector<int>(pieces, 1));
                EXPECT_EQ(calls[0], 1) << "the calling thread";
                for (int k = 1; k < size; ++k)
                    EXPECT_LE(calls[static_cast<std::size_t>(k)], k < threads ? 1 : 0);
            }
    }
}

TEST(Team, ThreadsWorkAtTheSameTimeAndAreKept)
{
    Team team{4};
    ASSERT_TRUE(all_come(team, 4));
    std::mutex mutex;
    std::set<std::pair<int, std::thread::id>> seen;
    for (int round = 0; round < 300; ++round) {
        team.run(4, [&](int k) {
            std::lock_guard const lock{mutex};
            seen.emplace(k, std::this_thread::get_id());
        });
        if (round % 100 == 0)
            std::this_thread::sleep_for(1ms); // they fall asleep
    }
    EXPECT_TRUE(all_come(team, 4));
    EXPECT_TRUE(seen.contains({0, std::this_thread::get_id()}));
    EXPECT_LE(seen.size(), 4u);
}

TEST(Team, WhatIsThrownArrives)
{
    Team team{3};
    for (int const thrower : {0, 1, 2}) {
        std::atomic<int> ended{0}, here{0};
        try {
            team.run(3, [&](int k) {
                for (++here; here < 3;)
                    std::this_thread::yield();
                if (k == thrower)
                    throw std::runtime_error{std::to_string(k)};
                std::this_thread::sleep_for(5ms);
                ++ended;
            });
            ADD_FAILURE() << "nothing was thrown";
        } catch (std::runtime_error const & error) {
            EXPECT_EQ(error.what(), std::to_string(thrower));
        }
        EXPECT_EQ(ended, 2) << "the others end first";
        EXPECT_TRUE(all_come(team, 3)) << "no thread is lost";
    }
}

TEST(Team, OfManyThrownOneArrives)
{
    Team team{4};
    for (int round = 0; round < 200; ++round)
        EXPECT_THROW(team.run(4, [](int k) { throw std::runtime_error{std::string(100, static_cast<char>('0' + k))}; }),
                     std::runtime_error);
    EXPECT_TRUE(all_come(team, 4));
}

// The calling thread has done all the work before the others were awake: it does not wait for them.
TEST(Team, WhoComesTooLateIsNotWaitedFor)
{
    Team team{8};
    int most = 0;
    for (int round = 0; round < 100; ++round) {
        std::atomic<int> calls{0};
        team.run(8, [&](int) { ++calls; });
        most = std::max(most, calls.load());
        EXPECT_GE(calls, 1);
    }
    EXPECT_LE(most, 8);
    EXPECT_TRUE(all_come(team, 8));
}

TEST(Team, InnerCallsAreDoneByTheThreadThatMakesThem)
{
    Team team{3};
    std::atomic<int> wrong{0}, inner{0};
    team.run(3, [&](int) {
        team.run(3, [&, caller = std::this_thread::get_id()](int k) {
            wrong += k != 0 || std::this_thread::get_id() != caller;
            ++inner;
        });
    });
    EXPECT_EQ(wrong, 0);
    EXPECT_GE(inner, 1);
}

TEST(Team, ServesThreadsAtTheSameTime)
{
    Team team{3};
    std::atomic<std::size_t> done{0};
    std::vector<std::thread> callers;
    for (int c = 0; c < 4; ++c)
        callers.emplace_back([&] {
            for (int round = 0; round < 500; ++round) {
                std::atomic<std::size_t> next{0};
                team.run(3, [&](int) {
                    while (next++ < 10)
                        ++done;
                });
            }
        });
    for (std::thread & caller : callers)
        caller.join();
    EXPECT_EQ(done, 4u * 500 * 10);
}

// Runs `body` in a forked child; it returns whether all is well.
void expect_in_child(std::function<bool()> const & body)
{
    pid_t const child = fork();
    if (child == 0) {
        alarm(60); // for a child that waits for threads which do not exist
        _exit(body() ? 0 : 1);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
}

TEST(Team, WorksInForkedChildren)
{
    Team team{3}, unused{3};
    ASSERT_TRUE(all_come(team, 3));
    expect_in_child([&] {
        { // its end waits for nobody
            Team of_child{2};
            if (!all_come(of_child, 2))
                return false;
        }
        int status = 1;
        if (pid_t const child = fork(); child == 0)
            _exit(all_come(team, 3) && all_come(unused, 3) ? 0 : 1);
        else
            waitpid(child, &status, 0);
        return status == 0 && all_come(team, 3) && all_come(team, 3) && all_come(unused, 3);
    });
    expect_in_child([&] {
        team.~Team();
        new (&team) Team{2};
        return all_come(team, 2);
    });
    EXPECT_TRUE(all_come(team, 3)) << "the parent goes on";
}

TEST(Team, ThreadsThatCannotBeStartedAreMissing)
{
    expect_in_child([] {
        Team team{4};
        if (!all_come(team, 2))
            return false;
        auto const set_stack = [](std::size_t bytes) {
            pthread_attr_t attributes;
            pthread_attr_init(&attributes);
            return pthread_attr_setstacksize(&attributes, bytes) == 0 && pthread_setattr_default_np(&attributes) == 0;
        };
        if (!set_stack(std::size_t{1} << 47)) // no process has so much
            return false;
        std::atomic<int> here{0}, strangers{0};
        team.run(4, [&](int k) {
            strangers += k > 1;
            for (++here; here < 2;)
                std::this_thread::yield();
        });
        return strangers == 0 && set_stack(std::size_t{1} << 20) && all_come(team, 4);
    });
}

TEST(Team, SleepsBetweenCalls)
{
    auto const used = [] {
        timespec time{};
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
        return std::chrono::seconds{time.tv_sec} + std::chrono::nanoseconds{time.tv_nsec};
    };
    Team team{4};
    ASSERT_TRUE(all_come(team, 4));
    auto const before = used();
    std::this_thread::sleep_for(100ms);
    EXPECT_LT(used() - before, 20ms);
}

} // namespace
} // namespace nwgpu
