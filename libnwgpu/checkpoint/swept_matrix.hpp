// SPDX-License-Identifier: BSD-3-Clause
// A local matrix that one engine has swept, for another one to find its K best alignments in: the GPU sweeps, the CPU
// uses up cells, tile by tile.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "base/ceil_div.hpp"
#include "checkpoint/slab.hpp"
#include "model/result.hpp"

namespace nwgpu::checkpoint {

struct SweptMatrix {
    Slab slab;                       // one with all rows, and without `bottom`
    std::vector<std::int64_t> bests; // of its tiles, row by row: the highest score, or a number above it
};

inline std::uint64_t tiles_of(SlabShape const & shape)
{
    return ceil_div(shape.rows, shape.tile_rows) * ceil_div(shape.cols, shape.tile_cols);
}
inline std::uint64_t kept_bytes(SlabShape const & shape)
{
    return (shape.row_lines().entries + shape.col_lines().entries) * shape.entry_bytes;
}

// What comes after the sweep.
class SweptFinder {
public:
    virtual ~SweptFinder() = default;

    struct Cost {
        std::uint64_t host_bytes = 0; // upper bound, the swept matrix and the first alignment included
        double seconds = 0;           // a guess
    };
    // Of a pair of this shape.  Throws Error memory_limit where max_host_bytes (0: no limit) is lower.
    virtual Cost cost(Scoring const & scoring, Request const & request, SlabShape const & shape,
                      std::uint64_t max_host_bytes) const = 0;
    // The request.top best alignments.  `goes_on` may be empty; it is called now and then on the calling thread, and
    // returns false to stop: Error cancelled.  Other errors are the pair's.
    virtual PairResult find(PairView const & pair, Scoring const & scoring, Request const & request, SweptMatrix matrix,
                            std::uint64_t max_host_bytes, std::function<bool()> const & goes_on) const = 0;
};

} // namespace nwgpu::checkpoint
