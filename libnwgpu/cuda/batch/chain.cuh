// SPDX-License-Identifier: BSD-3-Clause
// The warps of a thread block that hold one pair together (group_shape.hpp): what they share.
#pragma once

#include "cuda/batch/ticket.cuh"
#include "cuda/kernels/halves.cuh"

namespace nwgpu::cuda::batch {

// For all threads of a chain that makes so many steps: where its residues go; null: there is no room.
__device__ inline char * place_of_chain(GroupArgs const & args, GroupShape const & shape, ChunkPair const & pair,
                                        std::uint32_t sorted, int steps, int bits)
{
    __shared__ unsigned long long place;
    if (threadIdx.x == 0) {
        place = place_of_residues(args, stored_bytes(static_cast<std::uint32_t>(steps), shape.rows(), bits,
                                                     piece_bytes_of(shape, pair.m, pair.n)));
        args.stored_at[sorted] = place;
    }
    __syncthreads();
    return place == no_place ? nullptr : args.stored + place;
}

// What the lane above this one has handed on in the step before; the first lane gets what the last one has.
__device__ inline Halves hand_of_lane_above(Halves hand, int step)
{
    __shared__ Halves hands[2][most_warps]; // of even and odd steps, so that one barrier is enough
    unsigned const warp = threadIdx.x / 32, warp_lane = threadIdx.x % 32, warps = blockDim.x / 32;
    Halves * const now = hands[step & 1];
    if (warp_lane == 31)
        now[warp] = hand;
    Halves const in = __shfl_up_sync(~0u, hand, 1);
    __syncthreads();
    return warp_lane == 0 ? now[warp == 0 ? warps - 1 : warp - 1] : in;
}

} // namespace nwgpu::cuda::batch
