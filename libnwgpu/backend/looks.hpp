// SPDX-License-Identifier: BSD-3-Clause
// For long loops of short steps: a look at the monitor once in a while.
#pragma once

#include <cstdint>

#include "backend/monitor.hpp"

namespace nwgpu {

class Looks {
public:
    // null: nobody stops the loop.
    explicit Looks(Monitor * monitor) : monitor_{monitor} {}
    explicit Looks(Monitor & monitor) : monitor_{&monitor} {}

    // Before each step: false once the caller has stopped; what the loop was for is not complete then.
    bool go_on() { return ++steps_ % steps_per_look != 0 || look(); }
    // Before a step that takes as long as many.
    bool look()
    {
        if (!monitor_)
            return true;
        monitor_->poll(0);
        return !monitor_->stopped();
    }

private:
    static constexpr std::uint32_t steps_per_look = 1 << 16; // some milliseconds, if they miss the caches

    Monitor * const monitor_;
    std::uint32_t steps_ = 0;
};

} // namespace nwgpu
