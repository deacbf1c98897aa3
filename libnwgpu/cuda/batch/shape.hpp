// SPDX-License-Identifier: BSD-3-Clause
// How many lanes of how many rows hold a pair.  A warp is 32 / lanes groups, each with a pair of its own; a lane holds
// two blocks of rows, one in the low halves of its registers and one, a column behind, in the high halves:
//
//     step t       block 0 of the pair is at column t, block 1 at t - 1, block b at t - b
//     lane g       has the blocks 2 g (low halves) and 2 g + 1 (high halves)
//
// A ring (ring.hpp) is a group whose lanes take further blocks in turn, so that few of them follow a band.
#pragma once

#include <cstdint>

#include <cuda_runtime.h>

namespace nwgpu::cuda::batch {

// Rows of a block that kernels are compiled for.
constexpr int heights[] = {16, 25, 32, 38};
constexpr int height_count = 4, lane_counts = 6; // 1, 2, 4 ... 32 lanes
constexpr int group_classes = height_count * lane_counts, ring_classes = 5, class_count = group_classes + ring_classes;
constexpr int kernel_count = height_count + 2; // of groups, of rings
constexpr std::uint32_t most_rows = 2 * 32 * 38, most_ring_rows = 32767, most_columns = 32767;

// A class of pairs: rows of a block, and lanes.
struct Shape {
    int height = 0, log_lanes = 0; // index of heights[]
    bool ring = false;

    __host__ __device__ int rows() const { return heights_at(height); }
    __host__ __device__ int lanes() const { return 1 << log_lanes; }
    // Rows at a time.
    __host__ __device__ std::uint32_t capacity() const { return static_cast<std::uint32_t>(2 * rows() * lanes()); }
    // Of a step, in rows of a lane.
    int cost() const { return lanes() * (rows() + step_rows); }
    __host__ __device__ int index() const
    {
        return ring ? group_classes + log_lanes - (height == 0 ? 2 : 1) : height * lane_counts + log_lanes;
    }
    __host__ __device__ static Shape of(int index)
    {
        int const k = index - group_classes; // rings of 4 and 8 lanes with 16 rows, of 8, 16 and 32 with 32
        return k < 0 ? Shape{index / lane_counts, index % lane_counts}
                     : Shape{k < 2 ? 0 : 2, k < 2 ? k + 2 : k + 1, true};
    }

private:
    static constexpr int step_rows = 5; // instructions around the rows of a lane

    __host__ __device__ static int heights_at(int k) { return k == 0 ? 16 : k == 1 ? 25 : k == 2 ? 32 : 38; }
};

// Which kernel computes a class: those of groups by their heights, then those of rings.
constexpr int kernel_of(Shape const & shape) { return shape.ring ? height_count + (shape.height != 0) : shape.height; }

// Of the groups that hold m rows, the one whose warps take least time per column.  Profiles of many letters, one for
// each warp, leave room for few warps with high blocks.
Shape shape_for(std::uint32_t m, bool large_profiles);

} // namespace nwgpu::cuda::batch
