// SPDX-License-Identifier: BSD-3-Clause
// Whether the diagonals that a caller allows hold any path.
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/error.hpp"
#include "model/mode.hpp"

namespace nwgpu::path {

// A path leads from every begin to some end, both in the band, if there are a begin and an end: where no diagonal has
// both, one of the two is a corner.
inline bool holds_path(std::uint64_t m, std::uint64_t n, Mode const & mode)
{
    if (!mode.band)
        return true;
    auto const rows = static_cast<std::int64_t>(m), columns = static_cast<std::int64_t>(n);
    auto const holds_any = [&](std::int64_t first, std::int64_t last) {
        return std::max(first, mode.band->lower) <= std::min(last, mode.band->upper);
    };
    if (mode.local)
        return holds_any(-rows, columns);
    if (mode.extend) // the empty path at the origin is one
        return holds_any(0, 0);
    if (mode.extend_left)
        return holds_any(columns - rows, columns - rows);
    return holds_any(mode.free_query_begin ? -rows : 0, mode.free_target_begin ? columns : 0) &&
           holds_any(mode.free_target_end ? -rows : columns - rows, mode.free_query_end ? columns : columns - rows);
}

// Throws Error invalid_argument.
inline void check_band(std::uint64_t m, std::uint64_t n, Mode const & mode)
{
    if (!holds_path(m, n, mode))
        throw Error{Status::invalid_argument, "the band holds no path from an allowed begin to an allowed end"};
}

} // namespace nwgpu::path
