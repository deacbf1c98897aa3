// SPDX-License-Identifier: BSD-3-Clause
// The sweep of a strip of couples of two queries: a warp takes a ticket, which is as many couples as it has groups of
// lanes.  Its block makes the profile of the strip first, which all couples share.
#include "cuda/batch/couple_sweep.cuh"
#include "cuda/device/launch.hpp"

namespace nwgpu::cuda::batch {

namespace {

constexpr int blocks_at_once = 3; // of four warps

__global__ void NWGPU_SWEEP_REGISTERS(blocks_at_once, 0) sweep_couples(__grid_constant__ GroupArgs const args)
{
    constexpr int rows = couple_rows;
    using Profile = CoupleProfile<rows>;
    if (args.counters->failed)
        return;
    NWGPU_DYNAMIC_SHARED(uint4, shared);
    std::uint32_t const * const table = share_table(args, shared);
    char * const profile = profiles_behind(args, reinterpret_cast<std::uint32_t *>(shared));
    CoupleStrip const strip = args.strip;
    std::uint32_t const * const order = args.order + args.classes->first[couple_class];
    std::uint32_t const pairs = args.classes->count[couple_class];
    Profile::build(profile, args, table, args.pairs[order[0]], args.pairs[order[1]], args.letter_count + 1, false,
                   static_cast<int>(threadIdx.x), static_cast<int>(blockDim.x));
    __syncthreads();
    CellConstants const k = CellConstants::of(args);
    int const warp_lane = kept_int(static_cast<int>(threadIdx.x % 32)),
              lane = kept_int(warp_lane & (strip.lanes() - 1));
    bool const reads = lane == 0 && strip.first_row > 0, writes = lane == strip.lanes() - 1 && !strip.is_last;
    char const * const scores = profile + kept_int(Profile::place(warp_lane));
    for (int left = args.steps_of_warp; left > 0;) {
        std::uint32_t const number = next_couples(args, strip, warp_lane);
        if (number >= pairs / 2)
            return;
        CoupleTicket const ticket{order, pairs, number + static_cast<std::uint32_t>(warp_lane >> strip.log_lanes)};
        bool const is_there = ticket.is_there;
        ChunkPair const pair = args.pairs[ticket.indices[0]];
        int const n = pair.n;
        int const steps = static_cast<int>(most_of_warp(static_cast<unsigned>(n))) + strip.lanes() - 1;
        left -= steps;
        unsigned long long const place = ticket.line(args, strip, n, warp_lane);
        if (place == no_place)
            return;
        // Of this lane's column, whose addresses are registers of their own: these are few instructions.
        int col = -lane;
        std::uint8_t const * letters = args.letters + pair.target - lane;
        LineCell * line = reinterpret_cast<LineCell *>(args.stored + place) - lane;

        CoupleField<rows> cells;
        cells.start(k);
        auto const has = [&](int behind) { return static_cast<unsigned>(col + behind) < static_cast<unsigned>(n); };
        auto const letter = [&](int behind) { return has(behind) ? __ldg(letters + behind) : args.letter_count; };
        LineCell const top{k.zero, k.zero + k.minus_open_extend};
        auto const line_cell = [&](int behind) { return reads && has(behind) ? line[behind] : top; };
        std::uint32_t now = letter(0);
        LineCell above = line_cell(0);
#pragma unroll 2
        for (int t = 0; t < steps; ++t, ++col, ++letters, ++line) {
            std::uint32_t const column = now * Profile::column_bytes;
            LineCell const from_line = above, hand = cells.hand();
            now = letter(1); // a step takes longer than memory does
            above = line_cell(1);
            LineCell in{__shfl_up_sync(~0u, hand.H, 1), __shfl_up_sync(~0u, hand.F, 1)};
            if (lane == 0)
                in = from_line;
            cells.step(k, in, Profile::Scores{scores + column});
            if (writes && is_there && has(0))
                *line = cells.hand();
        }
        ticket.answer(args, strip, lane, cells.best);
        __syncwarp();
    }
}

} // namespace

GroupKernel couple_sweep()
{
    return {address_of(&sweep_couples), CoupleProfile<couple_rows>::column_bytes, 4 * blocks_at_once};
}

} // namespace nwgpu::cuda::batch
