// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstdint>

namespace nwgpu {

// What is left of a limit of bytes (0: there is none) when so many are taken; where that is nothing, 1, which is less
// than anything takes.
constexpr std::uint64_t rest_of_limit(std::uint64_t limit, std::uint64_t taken)
{
    return limit == 0 ? 0 : std::max<std::uint64_t>(1, limit - std::min(limit, taken));
}

} // namespace nwgpu
