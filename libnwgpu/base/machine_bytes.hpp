// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include <unistd.h>

namespace nwgpu {

// The machine's memory.
inline std::uint64_t machine_bytes()
{
    return static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::uint64_t>(sysconf(_SC_PAGE_SIZE));
}

} // namespace nwgpu
