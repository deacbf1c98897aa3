// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstdint>
#include <fstream>

#include <unistd.h>

namespace nwgpu {

// The machine's memory, or that of the container (control group, version 2) that the process is in.
inline std::uint64_t machine_bytes()
{
    std::uint64_t const all =
        static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::uint64_t>(sysconf(_SC_PAGE_SIZE));
    std::uint64_t limit = 0;
    if (std::ifstream file{"/sys/fs/cgroup/memory.max"}; file >> limit) // "max": none
        return std::min(all, limit);
    return all;
}

} // namespace nwgpu
