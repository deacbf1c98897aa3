// SPDX-License-Identifier: BSD-3-Clause
// Couples: two queries that meet the same target.  All numbers of the one are in the low halves of registers, those of
// the other one in the high halves, so that one look at a profile, which has both scores in a word, serves both.  A
// query that is too long for groups, and has no partner, has both halves, one of them for nothing.
//
//     step t       block b of the rows is at column t - b
//     lane g       has the block g
//
// Rows are computed in strips of few lanes, launch after launch: all couples of a chunk have the same two queries, and
// thus the same strips.  H and F of a strip's last row go through a line in memory, with a cell for each letter of the
// target.  The shorter query has rows without a letter behind it.
#pragma once

#include <cstdint>

#include <cuda_runtime.h>

namespace nwgpu::cuda::batch {

constexpr int couple_rows = 48, most_couple_lanes = 8; // of a lane; of a strip
// Of a couple's line, in the letters' place of a target; for each of its letters.
constexpr std::uint32_t line_bytes = 8;

struct CoupleStrip {
    int first_row = 0, log_lanes = 0;
    bool is_last = true;

    __host__ __device__ int lanes() const { return 1 << log_lanes; }
    __host__ __device__ int groups() const { return 32 >> log_lanes; } // of a warp
    // The strip behind this one, or the first one, for a longer query of m rows: as many lanes as leave none without
    // rows.
    static CoupleStrip at(int first_row, int m)
    {
        int const lanes = (m - first_row + couple_rows - 1) / couple_rows;
        int log_lanes = 0;
        while (2 << log_lanes <= lanes && 1 << log_lanes < most_couple_lanes)
            ++log_lanes;
        return {first_row, log_lanes, lanes == 1 << log_lanes};
    }
    CoupleStrip behind(int m) const { return at(first_row + lanes() * couple_rows, m); }
};

} // namespace nwgpu::cuda::batch
