// SPDX-License-Identifier: BSD-3-Clause
// How many lanes of how many rows hold a pair.  A warp is 32 / lanes groups, each with a pair of its own; a lane holds
// two blocks of rows, one in the low halves of its registers and one, a column behind, in the high halves:
//
//     step t       block 0 of the pair is at column t, block 1 at t - 1, block b at t - b
//     lane g       has the blocks 2 g (low halves) and 2 g + 1 (high halves)
//
// A ring (ring.hpp) is a group whose lanes take further blocks in turn, so that few of them follow a band.  A chain is
// a group or a ring of all lanes of a thread block: its warps hand on through shared memory what lanes do by shuffles.
// A couple is two pairs with the same target or the same query: one has the low halves, the other one the high halves,
// and a lane one block of rows (couple.hpp).
#pragma once

#include <cstdint>

#include <cuda_runtime.h>

namespace nwgpu::cuda::batch {

// Rows of a block: there is a kernel for each of these heights, which are named by their index.
__host__ __device__ constexpr int rows_of_height(int index)
{
    return index == 0 ? 16 : index == 1 ? 25 : index == 2 ? 32 : 38;
}
constexpr int height_count = 4, lane_counts = 6;                                             // 1, 2, 4 ... 32 lanes
constexpr int group_classes = height_count * lane_counts, ring_classes = 5, chain_sizes = 9; // 1 .. 12 warps
constexpr int first_chain = group_classes + ring_classes, first_group_chain = first_chain + chain_sizes,
              couple_class = first_group_chain + chain_sizes, class_count = couple_class + 1;
constexpr int first_chain_kernel = height_count + 2; // behind those of groups and of rings; one for each class
constexpr int couple_kernel = first_chain_kernel + couple_class - first_chain, kernel_count = couple_kernel + 1;
constexpr int most_warps = 12; // of a chain
constexpr std::uint32_t most_rows = 2 * 32 * rows_of_height(height_count - 1), most_ring_rows = 32767,
                        most_columns = 32767, most_couple_rows = 32767;
constexpr std::uint32_t most_chain_letters = 1 << 20; // of a sequence, in a ring that is a chain

// A class of pairs: rows of a block, and lanes.
struct GroupShape {
    int height = 0, log_lanes = 0; // of rows_of_height()
    bool ring = false;
    int warps = 0; // of a chain; 0: of no chain, which shares its warp with others of its class
    bool couple = false;

    __host__ __device__ constexpr bool is_chain() const { return warps > 0; }
    __host__ __device__ int rows() const { return rows_of_height(height); }
    __host__ __device__ int lanes() const { return is_chain() ? 32 * warps : 1 << log_lanes; }
    // Rows at a time.
    __host__ __device__ std::uint32_t capacity() const { return static_cast<std::uint32_t>(2 * rows() * lanes()); }
    // Of a step, in rows of a lane.
    int cost() const { return lanes() * (rows() + step_rows); }
    __host__ __device__ constexpr int index() const
    {
        if (couple)
            return couple_class;
        if (is_chain())
            return (ring ? first_chain : first_group_chain) + (warps <= 6 ? warps : 3 + warps / 2) - 1;
        return ring ? group_classes + log_lanes - (height == 0 ? 2 : 1) : height * lane_counts + log_lanes;
    }
    __host__ __device__ static GroupShape of(int index)
    {
        if (index == couple_class)
            return {0, 3, false, 0, true};
        if (index >= first_chain) { // of 1, 2, 3, 4, 5, 6, 8, 10 and 12 warps with 32 rows
            bool const is_ring = index < first_group_chain;
            int const size = index - (is_ring ? first_chain : first_group_chain) + 1;
            return {2, 5, is_ring, size <= 6 ? size : 2 * size - 6};
        }
        int const k = index - group_classes; // rings of 4 and 8 lanes with 16 rows, of 8, 16 and 32 with 32
        return k < 0 ? GroupShape{index / lane_counts, index % lane_counts}
                     : GroupShape{k < 2 ? 0 : 2, k < 2 ? k + 2 : k + 1, true};
    }

private:
    static constexpr int step_rows = 5; // instructions around the rows of a lane
};

// Index of the kernel that computes a class: those of groups by their heights, then those of rings, then those of
// chains, then that of couples.
constexpr int kernel_index(GroupShape const & shape)
{
    if (shape.couple)
        return couple_kernel;
    if (shape.is_chain())
        return first_chain_kernel + shape.index() - first_chain;
    return shape.ring ? height_count + (shape.height != 0) : shape.height;
}

// Of the groups that hold m rows, the one whose warps take least time per column.  Profiles of many letters, one for
// each warp, leave room for few warps with high blocks.
GroupShape shape_for(std::uint32_t m, bool large_profiles);
// The least of the chains that hold m rows; -1: none does.
int chain_for(std::uint64_t m);

} // namespace nwgpu::cuda::batch
