// SPDX-License-Identifier: BSD-3-Clause
// What a sweep stores for the path: the kept number of each cell, modulo 16 or 256, as the lanes of a warp write it.
// Of two steps each lane writes pieces of 16 bytes, lane behind lane: two words of the first step, and the same of the
// second one between them.  A word has 8 cells of 4 bits, or 4 of 8: byte 2 (r % 2) + half, and of 4 bits the high
// nibble for the rows r with r % 4 >= 2.
#pragma once

#include <cstdint>

#include <cuda_runtime.h>

#include "cuda/batch/ring.hpp"

namespace nwgpu::cuda::batch {

__host__ __device__ constexpr int words_of(int rows, int bits) { return bits == 8 ? (rows + 1) / 2 : (rows + 3) / 4; }
__host__ __device__ constexpr int pieces_of(int rows, int bits) { return (words_of(rows, bits) + 1) / 2; }
constexpr std::uint32_t piece_bytes = 32 * 16; // of a warp

// Of a warp that makes so many steps.
__host__ __device__ constexpr std::uint64_t stored_bytes(std::uint32_t steps, int rows, int bits)
{
    return std::uint64_t{(steps + 1) / 2} * static_cast<std::uint64_t>(pieces_of(rows, bits)) * piece_bytes;
}

// The residues of one pair.
template <int bits>
struct Residues {
    char const * at = nullptr;                           // of the pair's first lane in the first two steps
    std::uint32_t rows = 1, inverse = 0, pair_bytes = 0; // of a block; 2^20 / rows, rounded up; of two steps of a warp
    std::uint32_t low = 0, columns = 0;                  // of a ring; no columns: of a group, which has all cells
    std::uint32_t lane_mask = ~0u;

    __host__ __device__ Residues(char const * at_, Shape const & shape, int m, int n) :
        at{at_},
        rows{static_cast<std::uint32_t>(shape.rows())},
        inverse{((1u << 20) + rows - 1) / rows},
        pair_bytes{static_cast<std::uint32_t>(pieces_of(shape.rows(), bits)) * piece_bytes}
    {
        if (shape.ring) {
            low = static_cast<std::uint32_t>(ring_low(shape, m, n));
            columns = static_cast<std::uint32_t>(ring_columns(shape));
            lane_mask = static_cast<std::uint32_t>(shape.lanes() - 1);
        }
    }
    // Row and column from 0.
    __host__ __device__ std::uint32_t operator()(std::uint32_t i, std::uint32_t j) const
    {
        std::uint32_t const block = i * inverse >> 20, r = i - block * rows, step = j + block + low;
        char const * const pair = at + std::uint64_t{step >> 1} * pair_bytes;
        std::uint32_t const lane = (block >> 1 & lane_mask) * 16 + (step & 1) * 4;
        if constexpr (bits == 4) {
            std::uint32_t const word =
                *reinterpret_cast<std::uint32_t const *>(pair + ((r >> 3) * piece_bytes + lane + (r >> 2 & 1) * 8));
            return word >> (16 * (r & 1) + 8 * (block & 1) + 2 * (r & 2)) & 15;
        } else {
            return static_cast<unsigned char>(
                pair[(r >> 2) * piece_bytes + lane + (r >> 1 & 1) * 8 + 2 * (r & 1) + (block & 1)]);
        }
    }
    // Cells from 1, as walks count them, whose row and column 0 are the border.  The first row that the column has, and
    // the first column that the row has.
    __host__ __device__ std::uint32_t first_row(std::uint32_t j) const
    {
        if (columns == 0 || j + low <= columns - rows)
            return 0;
        return j + low <= columns ? 1 : (j + low - columns + rows - 1) / rows * rows + 1;
    }
    __host__ __device__ std::uint32_t first_column(std::uint32_t i) const
    {
        std::uint32_t const diagonal = columns == 0 || i == 0 ? 0 : ((i - 1) * inverse >> 20) * rows;
        return diagonal < low || columns == 0 ? 0 : diagonal - low + 1;
    }
    __host__ __device__ bool has(std::uint32_t i, std::uint32_t j) const
    {
        return columns == 0 || (first_row(j) <= i && first_column(i) <= j);
    }
};

} // namespace nwgpu::cuda::batch
