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
#include <signal.h>
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

// Threads whose own bodies have ended come to the inner call of the last one.
TEST(Team, InnerCallsAreHelped)
{
    Team team{4};
    std::atomic<int> here{0};
    auto const until = std::chrono::steady_clock::now() + 20s;
    std::atomic<bool> taken{false};
    team.run(4, [&](int) {
        if (taken.exchange(true))
            return;
        for (int round = 0; round < 3; ++round) { // awake, and after they fell asleep
            here = 0;
            team.run(4, [&](int) {
                ++here;
                while (here < 4 && std::chrono::steady_clock::now() < until)
                    std::this_thread::yield();
            });
            EXPECT_EQ(here, 4);
            std::this_thread::sleep_for(round * 5ms);
        }
    });
}

TEST(Team, PiecesOfInnerCallsAreDoneOnce)
{
    Team team{5};
    for (int round = 0; round < 300; ++round) {
        constexpr std::size_t outer = 7, inner = 40;
        std::vector<int> times(outer * inner);
        std::atomic<std::size_t> next{0};
        team.run(5, [&](int) {
            for (std::size_t k = next++; k < outer; k = next++) {
                std::atomic<std::size_t> piece{0};
                std::atomic<int> numbers{0};
                team.run(3, [&](int number) {
                    numbers |= 1 << number;
                    for (std::size_t p = piece++; p < inner; p = piece++)
                        ++times[k * inner + p];
                });
                EXPECT_LT(numbers, 1 << 3) << "no more threads than were asked for";
                EXPECT_TRUE(numbers & 1) << "the thread itself";
            }
        });
        ASSERT_EQ(times, std::vector<int>(outer * inner, 1)) << "Team round=" << round;
    }
}

TEST(Team, WhatIsThrownInAnInnerCallArrivesThere)
{
    Team team{3};
    for (int round = 0; round < 100; ++round) {
        std::atomic<bool> taken{false};
        std::atomic<int> caught{0};
        team.run(3, [&](int) {
            if (taken.exchange(true))
                return;
            std::atomic<int> here{0};
            try {
                team.run(3, [&](int) {
                    for (++here; here < 3;)
                        std::this_thread::yield();
                    throw std::runtime_error{"inner"};
                });
            } catch (std::runtime_error const &) {
                ++caught;
            }
        });
        ASSERT_EQ(caught, 1) << "Team round=" << round;
    }
    EXPECT_TRUE(all_come(team, 3));
}

// The second level has no helpers.
TEST(Team, InnerCallsOfInnerCallsAreDone)
{
    Team team{3};
    std::atomic<int> done{0};
    team.run(3, [&](int) { team.run(3, [&](int) { team.run(3, [&](int) { ++done; }); }); });
    EXPECT_GE(done, 1);
}

// Who waits for something helps meanwhile, and goes on when it is there.
TEST(Team, HelpsUntilReady)
{
    Team team{2};
    std::atomic<int> helped{0}, bodies{0};
    std::atomic<bool> is_there{false};
    auto const until = std::chrono::steady_clock::now() + 20s;
    team.run(2, [&](int) {
        if (bodies++ > 0)
            return team.help_until([&] { return is_there.load(); });
        while (bodies < 2 && std::chrono::steady_clock::now() < until)
            std::this_thread::yield();
        std::atomic<int> here{0};
        team.run(2, [&](int k) {
            for (++here; here < 2 && std::chrono::steady_clock::now() < until;)
                std::this_thread::yield();
            helped += k == 1;
        });
        std::this_thread::sleep_for(5ms); // it sleeps
        is_there = true;
        team.look_again();
    });
    EXPECT_EQ(helped, 1);
    team.help_until([] { return true; }); // outside of a body
}

TEST(Team, TakesNoSignals)
{
    Team team{2};
    std::atomic<int> here{0}, open{0};
    sigset_t mine;
    pthread_sigmask(SIG_SETMASK, nullptr, &mine);
    team.run(2, [&](int k) {
        for (++here; here < 2;)
            std::this_thread::yield();
        sigset_t now;
        pthread_sigmask(SIG_SETMASK, nullptr, &now);
        if (k > 0)
            for (int const signal : {SIGINT, SIGTERM, SIGALRM, SIGUSR1, SIGCHLD})
                open += !sigismember(&now, signal);
    });
    EXPECT_EQ(open, 0);
    sigset_t after;
    pthread_sigmask(SIG_SETMASK, nullptr, &after);
    EXPECT_EQ(sigismember(&mine, SIGINT), sigismember(&after, SIGINT)) << "the caller's own mask";
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

// What is waited for may come true when the one that waits has asked and does not sleep yet.
TEST(Team, LookAgainIsNotLost)
{
    Team team{2};
    for (int round = 0; round < 20000; ++round) {
        std::atomic<bool> is_there{false};
        std::atomic<int> here{0};
        team.run(2, [&](int k) {
            ++here;
            if (k == 0) {
                team.help_until([&] { return here < 2 || is_there.load(); }); // nobody else may have come
                return;
            }
            for (int turn = 0; turn < round % 64; ++turn)
                std::atomic_signal_fence(std::memory_order_seq_cst);
            is_there = true;
            team.look_again();
        });
    }
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
