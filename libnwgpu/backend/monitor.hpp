// SPDX-License-Identifier: BSD-3-Clause
// What the threads and engines of one call share: the team, progress and cancellation.  The callback runs on the
// calling thread only.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <utility>

#include "backend/backend.hpp"
#include "base/error.hpp"
#include "base/team.hpp"

namespace nwgpu {

class Monitor {
public:
    static constexpr std::chrono::milliseconds usual_pause{25};

    // Made on the calling thread; `progress` may be empty, and lives as long as this.  `pause`: between two reports.
    Monitor(Progress const & progress, std::uint64_t total_cells, Team & team,
            std::chrono::microseconds pause = usual_pause) :
        progress_{progress},
        total_{total_cells},
        team_{team},
        pause_{pause},
        owner_{std::this_thread::get_id()},
        last_{Clock::now()}
    {}

    Team & team() const { return team_; }

    // Whether anybody asks for reports.
    bool watched() const { return static_cast<bool>(progress_); }
    // Counts finished cells; after a pause also reports, on the calling thread, or has it look again if it waits
    // in Team::help_until().
    void poll(std::uint64_t cells)
    {
        if (cells > 0)
            count(cells);
        if (!progress_ || stopped())
            return;
        Clock::time_point const now = Clock::now();
        Clock::time_point last = last_.load(std::memory_order_relaxed);
        bool const is_time = now - last >= pause_;
        if (std::this_thread::get_id() == owner_) {
            if (is_time || due_.load(std::memory_order_relaxed)) // who asked for it has set the clock
                report(0);
        } else if (is_time && last_.compare_exchange_strong(last, now, std::memory_order_relaxed)) {
            due_.store(true, std::memory_order_relaxed);
            team_.look_again();
        }
    }
    // The same for a pair that took some microseconds at most, compared with which a look at the clock takes long.
    void poll_short(std::uint64_t cells)
    {
        constexpr unsigned pairs_per_look = 16;
        thread_local unsigned pairs = 0;
        if (++pairs % pairs_per_look == 0)
            poll(cells);
        else
            count(cells);
    }
    // For a thread while it has nothing else to do: the calling one reports if another has asked for it.
    void report_if_due()
    {
        if (due_.load(std::memory_order_relaxed) && std::this_thread::get_id() == owner_)
            report(0);
    }
    // On the calling thread: reports at once what is finished and `under_way` more cells.  False: the caller wants to
    // stop.
    bool report(std::uint64_t under_way)
    {
        if (!progress_ || stopped())
            return !stopped();
        due_.store(false, std::memory_order_relaxed);
        last_.store(Clock::now(), std::memory_order_relaxed);
        // Cells computed a second time for the path would push the sum beyond the total.
        if (!progress_(std::min(done() + under_way, total_), total_))
            stop();
        return !stopped();
    }
    void stop() { stop_.store(true, std::memory_order_relaxed); }
    bool stopped() const { return stop_.load(std::memory_order_relaxed); }
    void throw_if_stopped() const
    {
        if (stopped())
            throw Error{Status::cancelled, "the caller stopped the call"};
    }

    std::uint64_t done() const
    {
        std::uint64_t sum = 0; // modulo 2^64: what is finished elsewhere may go back
        for (Counter const & counter : done_)
            sum += counter.cells.load(std::memory_order_relaxed);
        return sum;
    }
    // Where work begins again, with other means; no other thread is at work.
    void go_back_to(std::uint64_t done)
    {
        for (Counter & counter : done_)
            counter.cells.store(std::exchange(done, 0), std::memory_order_relaxed);
    }

private:
    using Clock = std::chrono::steady_clock;

    // All threads read, tile by tile, what seldom changes, and count: so nothing that changes lies beside it, and each
    // has a counter of its own, or almost.
    static constexpr std::size_t line = 64, counters = 32;
    struct alignas(line) Counter {
        std::atomic<std::uint64_t> cells{0};
    };
    void count(std::uint64_t cells)
    {
        done_[number_of_thread() % counters].cells.fetch_add(cells, std::memory_order_relaxed);
    }
    static unsigned number_of_thread()
    {
        static std::atomic<unsigned> next{0};
        thread_local unsigned const number = next.fetch_add(1, std::memory_order_relaxed);
        return number;
    }

    Progress const & progress_;
    std::uint64_t total_;
    Team & team_;
    std::chrono::microseconds const pause_;
    std::thread::id const owner_;
    std::atomic<Clock::time_point> last_; // as this, once per pause
    std::atomic<bool> due_{false};
    std::atomic<bool> stop_{false};
    std::array<Counter, counters> done_;
};

} // namespace nwgpu
