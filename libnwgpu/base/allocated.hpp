// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

namespace nwgpu {

// At most so much memory do allocations of so many bytes in all take: from 128 KiB on each has whole pages.
constexpr std::uint64_t allocated(std::uint64_t bytes, std::uint64_t allocations = 1)
{
    return bytes + allocations * (bytes < 128 << 10 ? 48 : 4112);
}

} // namespace nwgpu
