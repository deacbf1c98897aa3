// SPDX-License-Identifier: BSD-3-Clause
// What a rank does that is not 0: one task after the other, on the calling thread, which also looks for messages while
// a task is at hand; shares of rows on a thread of their own.
#pragma once

#include <cstdint>
#include <functional>

#include "places/task.hpp"
#include "places/world.hpp"

namespace nwgpu {
class RowEngine;
class Team;
} // namespace nwgpu

namespace nwgpu::places {

struct Service {
    std::function<BatchResult(Task const & task, Progress const & progress)> align;
    RowEngine * rows = nullptr; // null: this rank gets no rows
    Team * team = nullptr;
    std::uint64_t max_host_bytes = 0;
};

// Until rank 0 has ended.  `goes_on` is asked now and then.  Throws Error communication, or cancelled.
void serve(World & world, Service const & service, std::function<bool()> const & goes_on);

} // namespace nwgpu::places
