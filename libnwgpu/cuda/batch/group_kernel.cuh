// SPDX-License-Identifier: BSD-3-Clause
// The sweep of a batch: a warp takes a ticket, which is 32 / lanes pairs of a class, and computes all their cells.
// Nothing is shared between warps but in a chain, which has one pair.  A warp that has made many steps leaves, so that
// what waits for its multiprocessor, other chunks' small kernels, waits for less than a millisecond.
#pragma once

#include <type_traits>

#include "cuda/batch/best_cell.cuh"
#include "cuda/batch/chain.cuh"
#include "cuda/batch/letters_ahead.cuh"
#include "cuda/batch/shared_profile.cuh"
#include "cuda/device/launch.hpp"

namespace nwgpu::cuda::batch {

// Two lanes write a sector of the device's memory: both do so while one of them has cells.
__device__ inline StoredSteps of_both_lanes(StoredSteps const & steps)
{
    return {min(steps.first, __shfl_xor_sync(~0u, steps.first, 1)),
            max(steps.last, __shfl_xor_sync(~0u, steps.last, 1))};
}

// `ends`: of local pairs, the best cell's place is asked for.
template <int rows, bool local, int bits, bool ends, bool chain, int blocks_at_once>
__global__ void NWGPU_SWEEP_REGISTERS(blocks_at_once, bits) sweep_groups(__grid_constant__ GroupArgs const args)
{
    static_assert(!ends || (local && !chain));
    using Field = GroupField<rows, local, !ends ? BestCell::number : bits == 0 ? BestCell::place : BestCell::step>;
    using P = Profile<rows>;
    NWGPU_DYNAMIC_SHARED(uint4, shared);
    std::uint32_t * const table = share_table(args, shared);
    int const warp_lane = static_cast<int>(threadIdx.x % 32);
    bool const one_query = !chain && args.one_query;
    char * const profile = profiles_behind(args, table) + warp_lane * 16 +
                           (one_query ? 0 : threadIdx.x / 32 * P::letter_bytes * (args.letter_count + 1));
    if (one_query && !share_profile<Field>(args, table, profile, warp_lane, group_tickets(rows)))
        return;
    char * column = nullptr; // of this lane
    if constexpr (ends && bits == 0)
        column = profiles_behind(args, table) +
                 (one_query ? 1 : blockDim.x / 32) * P::letter_bytes * (args.letter_count + 1) +
                 threadIdx.x / 32 * KeptColumn<rows>::warp_bytes + warp_lane * 16;
    typename Field::Constants const k = Field::constants(args);
    for (int left = args.steps_of_warp; left > 0;) {
        GroupShape shape;
        int lane = static_cast<int>(threadIdx.x);
        std::uint32_t sorted;
        bool is_there = true;
        if constexpr (chain) {
            shape = GroupShape::of(args.chain);
            sorted = args.classes->first[args.chain] + blockIdx.x;
            left = 0;
        } else {
            Ticket const ticket = take_ticket(args, group_tickets(rows), warp_lane);
            if (ticket.count == 0)
                return;
            shape = GroupShape::of(ticket.class_index);
            lane = warp_lane & (shape.lanes() - 1);
            std::uint32_t const at = ticket.first + static_cast<std::uint32_t>(warp_lane >> shape.log_lanes);
            sorted = ticket.sorted(at);
            is_there = at < ticket.count;
        }
        int const lanes = shape.lanes();
        std::uint32_t const pair_index = args.order[sorted];
        ChunkPair const pair = args.pairs[pair_index];
        int const m = pair.m, n = pair.n, last = (m - 1) / rows, end = n - 1 + last; // block and step of the last cell
        int const steps = chain ? end + 1 : static_cast<int>(most_of_warp(static_cast<unsigned>(end + 1)));
        left -= steps;

        char * out = nullptr;
        if constexpr (bits > 0 && chain) {
            out = place_of_chain(args, shape, pair, sorted, steps, bits);
            if (!out)
                return;
            out += lane * 16;
        } else if constexpr (bits > 0) {
            unsigned long long const place = place_of_residues(args, steps, rows, bits, warp_lane);
            if (place == no_place)
                return;
            out = args.stored + place + warp_lane * 16;
            if (lane == 0 && is_there)
                args.stored_at[sorted] = place + static_cast<unsigned long long>(warp_lane) * 16;
        }

        if (!one_query) {
            Field::build_profile(profile, table, args.letter_count, args.score_words(), args.letters + pair.query, m,
                                 lane);
            __syncwarp();
        }
        Field cells;
        cells.start(args);
        Halves top = Field::top(args, 1);
        Halves const top_rises = !local && args.free_target_begin ? both(args.extend) : 0;
        LettersAhead letters{args.letter_count, args.letters + pair.target, n, lane};
        std::uint32_t before = args.letter_count * P::letter_bytes; // where the profile has the last column's letter
        int const mine = !local && lane == last / 2 ? end : -1;     // the step in which the corner is this lane's
        auto const step = [&](int t, std::uint32_t now) {
            Halves in = chain ? hand_of_lane_above(cells.hand, t) : __shfl_up_sync(~0u, cells.hand, 1);
            if (lane == 0)
                in = top;
            top += top_rises;
            if constexpr (!local)
                if (t < 2 * lanes) {
                    int const half = t - 2 * lane;
                    if (half == 0)
                        cells.start_half(args, lane, 0);
                    else if (half == 1)
                        cells.start_half(args, lane, 1);
                }
            cells.step(k, in, profile + now, profile + before, static_cast<std::uint32_t>(t));
            if constexpr (ends && bits == 0)
                if (cells.rises)
                    KeptColumn<rows>::put(column, cells.H);
            before = now;
            if constexpr (!local)
                if (t == mine && is_there) {
                    int const number = cells.number((m - 1) % rows, last % 2);
                    args.answers[pair_index].score = number - args.zero - args.extend * (m + n);
                }
        };
        // Two steps at a time; a step behind the last one changes nothing.
        if constexpr (bits > 0) {
            int const piece = chain ? 16 * lanes : static_cast<int>(piece_bytes);
            StoredSteps const stored = of_both_lanes(is_there ? StoredSteps::of(lane, rows, m, n) : StoredSteps{});
            for (int t = 0; t < steps; t += 2, out += pieces_of(rows, bits) * piece) {
                auto const [now, next] = letters.take(P::letter_bytes);
                step(t, now);
                StepWords<rows, bits> const one{cells.H};
                step(t + 1, next);
                StepWords<rows, bits> const two{cells.H};
                if (!stored.have(t))
                    continue;
#pragma unroll
                for (int p = 0; p < pieces_of(rows, bits); ++p)
                    *reinterpret_cast<uint4 *>(out + piece * p) = {one.word[2 * p], two.word[2 * p],
                                                                   one.word[2 * p + 1], two.word[2 * p + 1]};
            }
        } else {
            for (int t = 0; t < steps; t += 2) {
                auto const [now, next] = letters.take(P::letter_bytes);
                step(t, now);
                step(t + 1, next);
            }
        }
        if constexpr (ends && bits > 0) {
            char const * const stored = out - static_cast<std::int64_t>(stored_bytes(steps, rows, bits)) - 16 * lane;
            answer_best_cell<rows, bits>(cells, stored, shape, pair, args, warp_lane, is_there,
                                         args.answers[pair_index]);
        } else if constexpr (ends) {
            answer_best_cell(cells, column, args, warp_lane, lane, lanes, is_there, args.answers[pair_index]);
        } else if constexpr (local) {
            int const number = best_of_group(cells, lanes);
            if (lane == 0 && is_there)
                args.answers[pair_index].score = number - args.zero;
        }
        __syncwarp();
    }
}

// Blocks of four warps in a multiprocessor: as many as leave the cells in registers.  Local pairs with residues of 8
// bits are proteins, mostly, whose profiles leave no room for as many as others have.
constexpr int blocks_at_once(int rows, bool local, int bits)
{
    int const blocks = rows <= 16 ? 5 : rows <= 25 ? 4 : 3;
    return local && bits == 8 && (rows == 25 || rows == 38) ? blocks - 1 : blocks;
}

template <int rows, bool local, int bits, bool ends, bool chain>
GroupKernel describe_kernel()
{
    constexpr int blocks = blocks_at_once(rows, local, bits);
    constexpr bool keeps_column = ends && bits == 0;
    return {address_of(&sweep_groups<rows, local, bits, ends, chain, blocks>), Profile<rows>::letter_bytes, 4 * blocks,
            keeps_column ? std::uint32_t{KeptColumn<rows>::warp_bytes} : 0};
}
// Paths of local pairs end at the best cell's place.
template <int rows, bool local, bool chain = false>
GroupKernel kernel_of(int bits)
{
    return bits == 0   ? describe_kernel<rows, local, 0, false, chain>()
           : bits == 4 ? describe_kernel<rows, local, 4, local, chain>()
                       : describe_kernel<rows, local, 8, local, chain>();
}
template <int rows>
GroupKernel kernel_of_ends()
{
    return describe_kernel<rows, true, 0, true, false>();
}

// `of` gets the rows of a height, as a type.
template <class Of>
GroupKernel kernel_of_height(int height, Of const & of)
{
    switch (height) {
    case 0:
        return of(std::integral_constant<int, rows_of_height(0)>{});
    case 1:
        return of(std::integral_constant<int, rows_of_height(1)>{});
    case 2:
        return of(std::integral_constant<int, rows_of_height(2)>{});
    default:
        return of(std::integral_constant<int, rows_of_height(3)>{});
    }
}

} // namespace nwgpu::cuda::batch
