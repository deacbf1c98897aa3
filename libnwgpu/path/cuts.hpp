// SPDX-License-Identifier: BSD-3-Clause
// Where the boundaries that a sweep keeps lie in memory: whole lines, or in a band only the stretch of each line that
// the band's strips reach, which moves on from cut to cut.
#pragma once

#include <cstdint>

#include "path/band.hpp"

namespace nwgpu::path {

// The part of a job that a band with bounds relative to the job crosses, as far as strips of `strip_rows` compute it.
struct BandPart {
    path::Band band;
    std::uint64_t strip_rows = 0;
};

struct CutLines {
    std::int64_t offset = 0, stride = 0;
    std::uint64_t entries = 0;

    // Of entry x of a cut, both counted from 0.  Entries that are left out have no place: that of the first may be
    // below 0, and only those that are there may be read.
    std::int64_t place(std::uint64_t cut, std::uint64_t x) const
    {
        return offset + static_cast<std::int64_t>(cut) * stride + static_cast<std::int64_t>(x);
    }
};

// Cuts below every tile_rows-th row: lines of `cols`.
inline CutLines row_cuts(std::uint64_t rows, std::uint64_t cols, std::uint64_t tile_rows, BandPart const & part)
{
    std::uint64_t const count = (rows - 1) / tile_rows;
    auto const strip = static_cast<std::int64_t>(part.strip_rows), tile = static_cast<std::int64_t>(tile_rows);
    // Below row R a strip that ends there has columns R - strip + low .. R + high, and the strip below asks for more.
    std::uint64_t const width =
        part.band.everything() ? cols : static_cast<std::uint64_t>(part.band.high - part.band.low + 2 * strip);
    if (width >= cols)
        return {0, static_cast<std::int64_t>(cols), count * cols};
    return {strip - part.band.low - tile, static_cast<std::int64_t>(width) - tile, count * width};
}

// Cuts right of every tile_cols-th column: lines of `rows`, and an entry -1.
inline CutLines col_cuts(std::uint64_t rows, std::uint64_t cols, std::uint64_t tile_cols, BandPart const & part)
{
    std::uint64_t const count = (cols - 1) / tile_cols;
    auto const strip = static_cast<std::int64_t>(part.strip_rows), tile = static_cast<std::int64_t>(tile_cols);
    // Left of column C lie the rows from C - high - 2 strips on, where strips are extended, to C - low + a strip.
    std::uint64_t const width =
        part.band.everything() ? rows + 1 : static_cast<std::uint64_t>(part.band.high - part.band.low + 3 * strip + 2);
    if (width >= rows + 1)
        return {1, static_cast<std::int64_t>(rows + 1), count * (rows + 1)};
    return {part.band.high + 2 * strip + 1 - tile, static_cast<std::int64_t>(width) - tile, count * width};
}

} // namespace nwgpu::path
