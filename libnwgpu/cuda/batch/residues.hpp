// SPDX-License-Identifier: BSD-3-Clause
// What a sweep stores for the path: the kept number of each cell, modulo 16 or 256, as the lanes of a warp write it.
// Of two steps each lane writes pieces of 16 bytes, lane behind lane: two words of the first step, and the same of the
// second one between them.  A word has 8 cells of 4 bits, or 4 of 8: byte 2 (r % 2) + half, and of 4 bits the high
// nibble for the rows r with r % 4 >= 2.  Chains have as many lanes behind each other as store at a time.
#pragma once

#include <cstdint>

#include <cuda_runtime.h>

#include "cuda/batch/ring.hpp"

namespace nwgpu::cuda::batch {

__host__ __device__ constexpr int words_of(int rows, int bits) { return bits == 8 ? (rows + 1) / 2 : (rows + 3) / 4; }
__host__ __device__ constexpr int pieces_of(int rows, int bits) { return (words_of(rows, bits) + 1) / 2; }
constexpr std::uint32_t piece_bytes = 32 * 16; // of a warp
// Of what stores this pair in its two steps: a warp, or a chain.
__host__ __device__ inline std::uint32_t piece_bytes_of(GroupShape const & shape, int m, int n)
{
    if (!shape.is_chain())
        return piece_bytes;
    return 16 * static_cast<std::uint32_t>(shape.ring ? stored_lanes(shape, m, n) : shape.lanes());
}

// Of a warp, or a chain, that makes so many steps.
__host__ __device__ constexpr std::uint64_t stored_bytes(std::uint32_t steps, int rows, int bits,
                                                         std::uint32_t piece = piece_bytes)
{
    return std::uint64_t{(steps + 1) / 2} * static_cast<std::uint64_t>(pieces_of(rows, bits)) * piece;
}

// The steps, two at a time, of which a lane of a group is read: it has cells of its pair in them.  Each is named by the
// first step of its two.
struct StoredSteps {
    int first = 1 << 30, last = -1;

    __host__ __device__ static StoredSteps of(int lane, int rows, int m, int n)
    {
        return 2 * lane * rows < m ? StoredSteps{2 * lane - 1, 2 * lane + n} : StoredSteps{};
    }
    __host__ __device__ bool have(int step) const { return first <= step && step <= last; }
};

// The residues of one pair.  `chains`: it may be one of a chain; kernels that have none need fewer registers.
template <int bits, bool chains>
struct Residues {
    char const * at = nullptr;                         // of the pair's first lane in the first two steps
    std::uint32_t shift = 20, rows = 1, inverse = 0;   // rows of a block; 2^shift / rows, rounded up
    std::uint32_t piece = piece_bytes, pair_bytes = 0; // of two steps
    std::uint32_t low = 0, columns = 0;                // of a ring; no columns: of a group, which has all cells
    std::uint32_t lane_mask = ~0u;
    std::uint32_t stored_low = 0; // of what is stored, as `columns` are
    bool stored_all = true;       // that were computed

    __host__ __device__ Residues(char const * at_, GroupShape const & shape, int m, int n) :
        at{at_}, rows{static_cast<std::uint32_t>(shape.rows())}, inverse{((1u << shift) + rows - 1) / rows}
    {
        if constexpr (chains)
            piece = piece_bytes_of(shape, m, n);
        pair_bytes = static_cast<std::uint32_t>(pieces_of(shape.rows(), bits)) * piece;
        if (!shape.ring)
            return;
        low = stored_low = static_cast<std::uint32_t>(ring_low(shape, m, n));
        columns = static_cast<std::uint32_t>(ring_columns(shape));
        lane_mask = static_cast<std::uint32_t>(shape.lanes() - 1);
        if constexpr (chains) {
            inverse = 1; // blocks of rings have 2^k rows, and there may be many of them
            shift = rows == 16 ? 4 : 5;
            if (shape.is_chain())
                leave_the_middle(shape, m, n);
        }
    }
    // Row and column from 0.
    __host__ __device__ std::uint32_t operator()(std::uint32_t i, std::uint32_t j) const
    {
        std::uint32_t const block = block_of(i), r = i - block * rows, step = j + block + low,
                            apart = chains ? piece : piece_bytes;
        char const * const pair = at + std::uint64_t{step >> 1} * pair_bytes;
        std::uint32_t const lane = (block >> 1 & lane_mask) * 16 + (step & 1) * 4;
        if constexpr (bits == 4) {
            std::uint32_t const word =
                *reinterpret_cast<std::uint32_t const *>(pair + ((r >> 3) * apart + lane + (r >> 2 & 1) * 8));
            return word >> (16 * (r & 1) + 8 * (block & 1) + 2 * (r & 2)) & 15;
        } else {
            return static_cast<unsigned char>(
                pair[(r >> 2) * apart + lane + (r >> 1 & 1) * 8 + 2 * (r & 1) + (block & 1)]);
        }
    }
    // Cells from 1, as walks count them, whose row and column 0 are the border.  The first row that the column has, and
    // the first column that the row has.
    __host__ __device__ std::uint32_t first_row(std::uint32_t j) const
    {
        std::uint32_t const last = j + (chains ? stored_low : low);
        if (columns == 0 || last <= columns - rows)
            return 0;
        return last <= columns ? 1 : (last - columns + rows - 1) / rows * rows + 1;
    }
    __host__ __device__ std::uint32_t first_column(std::uint32_t i) const
    {
        std::uint32_t const diagonal = columns == 0 || i == 0 ? 0 : block_of(i - 1) * rows,
                            left = chains ? stored_low : low;
        return diagonal < left || columns == 0 ? 0 : diagonal - left + 1;
    }
    __host__ __device__ bool has(std::uint32_t i, std::uint32_t j) const
    {
        return columns == 0 || (first_row(j) <= i && first_column(i) <= j);
    }
    // Whether it is known of cells that it does not have that they were not computed.
    __host__ __device__ bool has_all() const { return !chains || stored_all; }

private:
    __host__ __device__ std::uint32_t block_of(std::uint32_t i) const
    {
        return chains ? i * inverse >> shift : i * inverse >> 20;
    }
    // A lane stores both of its blocks while it does so for the first one: the columns that both have are fewer.
    __host__ __device__ void leave_the_middle(GroupShape const & shape, int m, int n)
    {
        int const stored = stored_lanes(shape, m, n);
        stored_all = false;
        lane_mask = static_cast<std::uint32_t>(stored - 1);
        stored_low -= static_cast<std::uint32_t>(first_stored(shape, stored));
        columns = static_cast<std::uint32_t>((2 * stored - 1) * (shape.rows() + 1));
    }
};

} // namespace nwgpu::cuda::batch
