// SPDX-License-Identifier: BSD-3-Clause
// How a thread waits for another one that is at work.
#pragma once

#include <chrono>
#include <thread>

#include "backend/monitor.hpp"

namespace nwgpu::cpu {

// Until is_ready(), which another thread makes true in little time unless it has no processor.
template <class IsReady>
void wait_for(IsReady const & is_ready, Monitor & monitor)
{
    constexpr unsigned looks = 64, most_yields = 10000;
    for (unsigned spins = 0; !is_ready(); ++spins)
        if (spins > looks) {
            monitor.poll(0);
            if (spins < most_yields)
                std::this_thread::yield();
            else // the other thread has no processor: it may have this one
                std::this_thread::sleep_for(std::chrono::microseconds{50});
        }
}

} // namespace nwgpu::cpu
