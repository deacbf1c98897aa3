// SPDX-License-Identifier: BSD-3-Clause
// The best cell of a local pair, of all the lanes of its group: of several, the one in the first column, and there in
// the first row.
#pragma once

#include "cuda/batch/group_field.cuh"

namespace nwgpu::cuda::batch {

// The highest of the lanes' best numbers.
template <int rows>
__device__ inline int best_of_group(GroupField<rows, true> const & cells, int lanes)
{
    std::uint32_t best = max(cells.best & 0xffffu, cells.best >> 16);
    for (int apart = lanes / 2; apart > 0; apart /= 2)
        best = max(best, __shfl_xor_sync(~0u, best, apart));
    return static_cast<int>(best);
}

// The best cell of a lane, without its row.
struct BestOfLane {
    std::uint32_t key = 0;       // orders cells of different lanes; 0: there is none
    std::uint32_t first_row = 0; // of the block that has it

    __host__ __device__ static std::uint32_t key_of(std::uint32_t number, std::uint32_t column, std::uint32_t zero)
    {
        return number > zero ? number << 16 | (0xffffu - column) : 0;
    }
    __host__ __device__ std::uint32_t number() const { return key >> 16; }
    __host__ __device__ std::uint32_t column() const { return 0xffffu - (key & 0xffffu); } // from 0
};

// From the steps in which the numbers of its halves rose for the last time.  The low half's rows come first.
template <int rows>
__host__ __device__ BestOfLane best_of_lane(GroupField<rows, true, BestCell::step> const & cells, int lane,
                                            std::uint32_t zero)
{
    auto const block = static_cast<std::uint32_t>(2 * lane);
    std::uint32_t const low = BestOfLane::key_of(cells.best & 0xffffu, cells.best_step - block, zero),
                        high = BestOfLane::key_of(cells.best >> 16, cells.best_step_high - block - 1, zero);
    return high > low ? BestOfLane{high, (block + 1) * rows} : BestOfLane{low, block * rows};
}

// Of `count` rows from the row `first` on, in a column: the first one of those that have the highest number, from
// `first`.  A cell's number is `gap`, what one of a letter costs, below the one above it at most, and 2^bits numbers
// are all it can be (lemma 26).
template <int rows, int bits, bool chains>
__host__ __device__ int row_of_highest(Residues<bits, chains> const & residues, std::uint32_t first, int count,
                                       std::uint32_t column, int gap)
{
    std::uint32_t residue[rows];
#pragma unroll
    for (int r = 0; r < rows; ++r)
        residue[r] = residues(first + static_cast<std::uint32_t>(r), column);
    int height = 0, highest = 0, found = 0;
#pragma unroll
    for (int r = 1; r < rows; ++r) {
        std::uint32_t const rise = residue[r] - residue[r - 1] + static_cast<std::uint32_t>(gap);
        height += static_cast<int>(rise & ((1u << bits) - 1)) - gap;
        if (r < count && height > highest) {
            highest = height;
            found = r;
        }
    }
    return found;
}

// What is known of it, with its row from residues.
template <int rows, int bits, bool chains>
__host__ __device__ void put_best_cell(BestOfLane const & cell, Residues<bits, chains> const & residues, int m,
                                       GroupArgs const & args, Answer & answer)
{
    answer.score = 0;
    answer.query_end = answer.target_end = 0;
    if (cell.key == 0)
        return;
    int const row = row_of_highest<rows>(residues, cell.first_row, m - static_cast<int>(cell.first_row), cell.column(),
                                         args.open + args.extend);
    answer.score = static_cast<int>(cell.number()) - args.zero;
    answer.query_end = static_cast<std::uint16_t>(cell.first_row + static_cast<std::uint32_t>(row) + 1);
    answer.target_end = static_cast<std::uint16_t>(cell.column() + 1);
}

// Whether no lane of the group has a higher key, nor one before this lane the same.
__device__ inline bool is_best_of_group(std::uint32_t key, int warp_lane, int lane, int lanes)
{
    std::uint32_t best = key;
    for (int apart = lanes / 2; apart > 0; apart /= 2)
        best = max(best, __shfl_xor_sync(~0u, best, apart));
    unsigned const have_it = __ballot_sync(~0u, key == best) >> (warp_lane - lane); // lanes of this group first
    return lane == __ffs(static_cast<int>(have_it)) - 1;
}

// The group's best cell, whose lane writes the answer.  `column`: what this lane has kept.
template <int rows>
__device__ inline void answer_best_cell(GroupField<rows, true, BestCell::place> const & cells, char const * column,
                                        GroupArgs const & args, int warp_lane, int lane, int lanes, bool is_there,
                                        Answer & answer)
{
    Halves const number = cells.best & 0xffffu;
    bool const has_any = number > static_cast<Halves>(args.zero);
    typename KeptColumn<rows>::Place place;
    if (has_any)
        place = KeptColumn<rows>::find(column, number);
    int const block = 2 * lane + place.half;
    std::uint32_t const col = cells.best_step - static_cast<std::uint32_t>(block),
                        key = BestOfLane::key_of(number, col, static_cast<std::uint32_t>(args.zero));
    if (is_best_of_group(key, warp_lane, lane, lanes) && is_there) {
        answer.score = has_any ? static_cast<int>(number) - args.zero : 0;
        answer.query_end = static_cast<std::uint16_t>(has_any ? block * rows + place.row + 1 : 0);
        answer.target_end = static_cast<std::uint16_t>(has_any ? col + 1 : 0);
    }
}

// The same from residues, which begin at `stored` for the pair's first lane; each lane has written its own.
template <int rows, int bits>
__device__ inline void answer_best_cell(GroupField<rows, true, BestCell::step> const & cells, char const * stored,
                                        GroupShape const & shape, ChunkPair const & pair, GroupArgs const & args,
                                        int warp_lane, bool is_there, Answer & answer)
{
    int const lanes = shape.lanes(), lane = warp_lane & (lanes - 1), m = pair.m, n = pair.n;
    BestOfLane const cell = best_of_lane(cells, lane, static_cast<std::uint32_t>(args.zero));
    if (is_best_of_group(cell.key, warp_lane, lane, lanes) && is_there)
        put_best_cell<rows>(cell, Residues<bits, false>{stored, shape, m, n}, m, args, answer);
}

} // namespace nwgpu::cuda::batch
