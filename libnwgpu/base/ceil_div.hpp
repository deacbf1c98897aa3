// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

namespace nwgpu {

constexpr std::uint64_t ceil_div(std::uint64_t a, std::uint64_t b) { return (a + b - 1) / b; }

} // namespace nwgpu
