// SPDX-License-Identifier: BSD-3-Clause
// Rectangles of tiles walked by minor diagonals, and the headers of tiles that the sparse algorithms keep.  For CPU and
// GPU.
#pragma once

#include <cstdint>

#include "published/parts/recurrence.hpp"

namespace nwgpu::published {

// Tile (t, d - t) lies on diagonal d.
struct TileGrid {
    std::uint32_t down, across; // tiles, both >= 1

    constexpr std::uint32_t diagonals() const { return down + across - 1; }
    constexpr std::uint32_t first(std::uint32_t d) const { return d < across ? 0 : d - across + 1; }
    constexpr std::uint32_t last(std::uint32_t d) const { return d < down ? d : down - 1; }
    constexpr std::uint32_t on(std::uint32_t d) const { return last(d) - first(d) + 1; }
    constexpr std::uint64_t tiles() const { return std::uint64_t{down} * across; }
};

// The row above each tile (tileHrowMat) and the column to its left (tileHcolMat); both begin with the tile's upper left
// corner.
struct Headers {
    Score * rows = nullptr; // [tiles][width + 1]
    Score * cols = nullptr; // [tiles][height + 1]
    TileGrid grid{1, 1};
    std::uint32_t height = 0, width = 0; // of a tile

    constexpr std::uint64_t row_scores() const { return grid.tiles() * (width + 1); }
    constexpr std::uint64_t col_scores() const { return grid.tiles() * (height + 1); }
    constexpr Score * row(std::uint32_t ti, std::uint32_t tj) const
    {
        return rows + (std::uint64_t{ti} * grid.across + tj) * (width + 1);
    }
    constexpr Score * col(std::uint32_t ti, std::uint32_t tj) const
    {
        return cols + (std::uint64_t{ti} * grid.across + tj) * (height + 1);
    }
};

} // namespace nwgpu::published
