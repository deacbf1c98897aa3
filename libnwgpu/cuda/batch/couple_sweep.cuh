// SPDX-License-Identifier: BSD-3-Clause
// What sweeps of couples have in common: which couple a lane computes next, where its line is, and its answer.
#pragma once

#include "cuda/batch/couple_field.cuh"
#include "cuda/batch/shared_profile.cuh"

namespace nwgpu::cuda::batch {

// By all lanes of a warp: the first of its next couples, one for each of its groups of lanes.
__device__ inline std::uint32_t next_couples(GroupArgs const & args, CoupleStrip const & strip, int warp_lane)
{
    std::uint32_t number = 0;
    if (warp_lane == 0)
        number = atomicAdd(&args.counters->tickets[couple_kernel], 1u);
    return __shfl_sync(~0u, number, 0) * static_cast<std::uint32_t>(strip.groups());
}

// The couple of a group of lanes.
struct CoupleTicket {
    std::uint32_t couple, indices[2]; // of all couples of the chunk, and of its pairs
    bool is_there;                    // groups behind the last couple repeat it

    // `order`: of pairs, a couple behind the other.
    __device__ CoupleTicket(std::uint32_t const * order, std::uint32_t pairs, std::uint32_t number) :
        couple{min(number, (pairs - 1) / 2)},
        indices{order[2 * couple], order[min(2 * couple + 1, pairs - 1)]}, // the last one may be alone
        is_there{number == couple}
    {}
    // By all lanes of a warp: the place of the couple's line, of n columns, which the first strip finds if there are
    // more.  None: no_place, for all lanes, and no strip behind it begins.
    __device__ unsigned long long line(GroupArgs const & args, CoupleStrip const & strip, int n, int warp_lane) const
    {
        if (strip.first_row > 0)
            return args.stored_at[couple];
        int const first_lane = warp_lane & ~(strip.lanes() - 1);
        unsigned long long place = 0;
        if (warp_lane == first_lane && is_there && !strip.is_last)
            args.stored_at[couple] = place = place_of_residues(args, static_cast<unsigned long long>(n) * line_bytes);
        place = __shfl_sync(~0u, place, first_lane);
        return most_of_warp(place == no_place) != 0 ? no_place : place;
    }
    // `best`: the highest numbers of a lane.
    __device__ void answer(GroupArgs const & args, CoupleStrip const & strip, int lane, Halves best) const
    {
        for (int apart = strip.lanes() / 2; apart > 0; apart /= 2)
            best = max2(best, __shfl_xor_sync(~0u, best, apart));
        if (lane == 0 && is_there)
            for (int half = 0; half < 2; ++half) {
                int const score = static_cast<int>(half ? best >> 16 : best & 0xffffu) - args.zero;
                Answer & its = args.answers[indices[half]];
                its.score = strip.first_row == 0 ? score : max(its.score, score);
            }
    }
};

__device__ inline int kept_int(int x) { return static_cast<int>(kept(static_cast<Halves>(x))); }

} // namespace nwgpu::cuda::batch
