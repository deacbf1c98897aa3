// SPDX-License-Identifier: BSD-3-Clause
// Of a part of a call, which somebody else may stop as well, or which has a team or a time of its own.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <utility>

#include "backend/monitor.hpp"

namespace nwgpu {

// A time from now on, in seconds; may be infinite.
class TimeLimit {
public:
    explicit TimeLimit(double seconds) : seconds_{seconds}, end_{Clock::now() + std::chrono::duration<double>{seconds}}
    {}

    bool is_over() const { return Clock::now() >= end_; }
    // Between two looks at it.
    std::chrono::microseconds pause() const
    {
        constexpr double looks = 8, least = 5e-4;
        double const most = std::chrono::duration<double>{Monitor::usual_pause}.count();
        return std::chrono::microseconds{static_cast<int>(1e6 * std::clamp(seconds_ / looks, least, most))};
    }

private:
    using Clock = std::chrono::steady_clock;

    double seconds_;
    std::chrono::time_point<Clock, std::chrono::duration<double>> end_;
};

// Stops soon after the outer one.
class InnerMonitor {
public:
    // On the thread that calls what this is for, which may be any.  Stops also once `goes_on`, if any, is false.  The
    // outer one hears of its cells.
    InnerMonitor(Monitor & outer, Team & team, std::function<bool()> goes_on = {}) :
        InnerMonitor{outer, team, std::move(goes_on), Monitor::usual_pause, true}
    {}
    // For what may be in vain: the outer one hears of no cells.
    InnerMonitor(Monitor & outer, TimeLimit const & limit) :
        InnerMonitor{outer, outer.team(), [limit] { return !limit.is_over(); }, limit.pause(), false}
    {}
    InnerMonitor(InnerMonitor const &) = delete;

    Monitor & monitor() { return own_; }

private:
    InnerMonitor(Monitor & outer, Team & team, std::function<bool()> goes_on, std::chrono::microseconds pause,
                 bool tells) :
        outer_{outer}, goes_on_{std::move(goes_on)}, tells_{tells}, own_{ask_, UINT64_MAX, team, pause}
    {}

    Monitor & outer_;
    std::function<bool()> const goes_on_;
    bool const tells_;
    std::uint64_t told_ = 0; // cells
    Progress const ask_ = [this](std::uint64_t done, std::uint64_t) {
        outer_.poll(tells_ ? done - std::exchange(told_, done) : 0); // modulo 2^64: it may go back
        bool const goes_on = !goes_on_ || goes_on_();
        return goes_on && !outer_.stopped();
    };
    Monitor own_;
};

} // namespace nwgpu
