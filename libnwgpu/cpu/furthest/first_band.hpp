// SPDX-License-Identifier: BSD-3-Clause
// The narrow band in which a global pair of strips is tried first.
#pragma once

#include <algorithm>
#include <cstdint>

#include "model/batch.hpp"

namespace nwgpu::cpu {

// Diagonals on either side.
constexpr std::uint64_t first_half_width(std::uint64_t shorter) { return shorter / 512 + 32; }

// Beside the band itself a strip computes the triangles that its height adds.
constexpr bool is_worth_trying(std::uint64_t half_width, std::uint64_t strip_rows, std::uint64_t longer)
{
    return 8 * (strip_rows + 2 * half_width) <= longer;
}

// Of a longer sequence whose ends are free.
inline bool free_band_pays(PairView const & pair, std::uint64_t half_width, std::uint64_t strip_rows)
{
    std::uint64_t const longer = std::max(pair.m, pair.n), shorter = std::min(pair.m, pair.n);
    return 2 * (strip_rows + 2 * half_width + longer - shorter) <= longer;
}

} // namespace nwgpu::cpu
