// SPDX-License-Identifier: BSD-3-Clause
// The sweep of a strip of couples: a warp takes a ticket, which is as many couples as it has groups of lanes.  Its
// block makes the profile of the strip first, which all couples share.
#include "cuda/batch/couple_field.cuh"
#include "cuda/batch/shared_profile.cuh"
#include "cuda/device/launch.hpp"

namespace nwgpu::cuda::batch {

namespace {

constexpr int blocks_at_once = 3; // of four warps

__global__ void NWGPU_SWEEP_REGISTERS(blocks_at_once, 0) sweep_couples(__grid_constant__ GroupArgs const args)
{
    constexpr int rows = couple_rows;
    using Profile = CoupleProfile<rows>;
    NWGPU_DYNAMIC_SHARED(uint4, shared);
    std::uint32_t const * const table = share_table(args, shared);
    char * const profile = profiles_behind(args, reinterpret_cast<std::uint32_t *>(shared));
    CoupleStrip const strip = args.strip;
    std::uint32_t const * const order = args.order + args.classes->first[couple_class]; // a couple behind the other
    std::uint32_t const count = args.classes->count[couple_class] >> args.log_pairs;
    Profile::build(profile, args, table, args.pairs[order[0]], args.pairs[order[args.log_pairs]],
                   static_cast<int>(threadIdx.x), static_cast<int>(blockDim.x));
    __syncthreads();
    CellConstants const k = CellConstants::of(args);
    auto const kept_int = [](int x) { return static_cast<int>(kept(static_cast<Halves>(x))); };
    int const warp_lane = kept_int(static_cast<int>(threadIdx.x % 32)),
              lane = kept_int(warp_lane & (strip.lanes() - 1));
    bool const reads = lane == 0 && strip.first_row > 0, writes = lane == strip.lanes() - 1 && !strip.is_last;
    char const * const scores = profile + kept_int(Profile::place(warp_lane));
    for (int left = args.steps_of_warp; left > 0;) {
        std::uint32_t ticket = 0;
        if (warp_lane == 0)
            ticket = atomicAdd(&args.counters->tickets[couple_kernel], 1u);
        ticket = __shfl_sync(~0u, ticket, 0) * static_cast<std::uint32_t>(strip.groups());
        if (ticket >= count)
            return;
        std::uint32_t const couple = ticket + static_cast<std::uint32_t>(warp_lane >> strip.log_lanes);
        bool const is_there = couple < count; // groups behind the last couple repeat it
        std::uint32_t const * const at = order + (min(couple, count - 1) << args.log_pairs);
        ChunkPair const pair = args.pairs[at[0]];
        int const n = pair.n;
        int const steps = static_cast<int>(most_of_warp(static_cast<unsigned>(n))) + strip.lanes() - 1;
        left -= steps;
        // Of this lane's column, whose addresses are registers of their own: these are few instructions.
        int col = -lane;
        std::uint8_t const * letters = args.letters + pair.target - lane;
        LineCell * line = reinterpret_cast<LineCell *>(args.stored) + (pair.target - args.first_target) - lane;

        CoupleField<rows> cells;
        cells.start(k);
        LineCell const top{k.zero, k.zero + k.minus_open_extend};
        auto const has = [&](int behind) { return static_cast<unsigned>(col + behind) < static_cast<unsigned>(n); };
        auto const letter = [&](int behind) {
            return (has(behind) ? __ldg(letters + behind) : args.letter_count) *
                   static_cast<std::uint32_t>(Profile::letter_bytes);
        };
        auto const line_cell = [&](int behind) { return reads && has(behind) ? line[behind] : top; };
        std::uint32_t now = letter(0);
        LineCell above = line_cell(0);
#pragma unroll 2
        for (int t = 0; t < steps; ++t, ++col, ++letters, ++line) {
            std::uint32_t const next = letter(1); // a step takes longer than memory does
            LineCell const next_above = line_cell(1);
            LineCell const hand = cells.hand();
            LineCell in{__shfl_up_sync(~0u, hand.H, 1), __shfl_up_sync(~0u, hand.F, 1)};
            if (lane == 0)
                in = above;
            cells.step(k, in, scores + now);
            if (writes && is_there && has(0))
                *line = cells.hand();
            now = next;
            above = next_above;
        }
        Halves best = cells.best;
        for (int apart = strip.lanes() / 2; apart > 0; apart /= 2)
            best = max2(best, __shfl_xor_sync(~0u, best, apart));
        if (lane == 0 && is_there)
            for (int half = 0; half < 2; ++half) {
                int const score = static_cast<int>(half ? best >> 16 : best & 0xffffu) - args.zero;
                Answer & answer = args.answers[at[half & args.log_pairs]];
                answer.score = strip.first_row == 0 ? score : max(answer.score, score);
            }
        __syncwarp();
    }
}

} // namespace

GroupKernel couple_sweep()
{
    return {address_of(&sweep_couples), CoupleProfile<couple_rows>::letter_bytes, 4 * blocks_at_once};
}

} // namespace nwgpu::cuda::batch
