// SPDX-License-Identifier: BSD-3-Clause
// Couples: two pairs at a time, the numbers of the one in the low halves of registers, those of the other one in the
// high halves, so that one look at a profile, which has both scores in a word, serves both.  They are two queries with
// the same target, and the profile has words for each letter; or two targets of a query that has no partner, and the
// profile has words for each two letters that are common, and bytes for all letters.
//
//     step t       block b of the rows is at column t - b
//     lane g       has the block g
//
// Rows are computed in strips of few lanes, launch after launch: all couples of a chunk have the same queries, and thus
// the same strips.  H and F of a strip's last row go through a line in memory, with a cell for each letter of the first
// pair's target, which is the longer one.  Behind the shorter query or target are rows or columns without a letter.
#pragma once

#include <algorithm>
#include <cstdint>

#include <cuda_runtime.h>

namespace nwgpu::cuda::batch {

constexpr int couple_rows = 48, most_couple_lanes = 8; // of a lane; of a strip
// Of a couple's line, for each letter of its target.
constexpr std::uint32_t line_bytes = 8;

struct CoupleStrip {
    int first_row = 0, log_lanes = 0;
    bool is_last = true;

    __host__ __device__ int lanes() const { return 1 << log_lanes; }
    __host__ __device__ int groups() const { return 32 >> log_lanes; } // of a warp
    // The strip of two queries, the longer one of m rows, that begins there: as many lanes as leave none without rows.
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

// Two targets: all strips have all lanes, and their lanes the same rows, for which there is a kernel each.
struct TargetStrips {
    static constexpr int least_rows = 8, most_rows = 16, lanes = most_couple_lanes, log_lanes = 3;

    int count = 1, rows = least_rows;

    // Of a query of m rows.
    static TargetStrips of(int m)
    {
        int const count = std::max(1, (m + lanes * most_rows - 1) / (lanes * most_rows));
        return {count, std::max(least_rows, (m + lanes * count - 1) / (lanes * count))};
    }
    CoupleStrip operator[](int k) const { return {k * lanes * rows, log_lanes, k + 1 == count}; }

    // Bytes of shared memory, for words of each two of `common` letters and none.
    constexpr std::uint64_t words_bytes(std::uint32_t common) const
    {
        return std::uint64_t{common + 1} * (common + 1) * static_cast<unsigned>((rows + 3) / 4 * 16 * lanes);
    }
    static constexpr std::uint64_t table_room = 2048; // for the score table
    // With fewer bytes for a block, rare letters of proteins would be in most steps of a warp.
    static constexpr std::uint64_t usual_shared = 224 << 10;
    // Of a letter, of all there are and none, bytes beside the words.
    static constexpr std::uint64_t letter_bytes = 16 * lanes;
    // For how many letters there is room; `shared`: of a block, but for the score table.
    std::uint32_t most_common(std::uint64_t shared, std::uint32_t letters) const
    {
        std::uint32_t common = letters;
        while (common > 0 && words_bytes(common) + (letters + 2) * letter_bytes > shared)
            --common;
        return common;
    }
};

} // namespace nwgpu::cuda::batch
