// SPDX-License-Identifier: BSD-3-Clause
// The sweep of global pairs in bands: a warp takes a ticket, which is 32 / lanes pairs of a class of rings, and
// computes the cells of their bands (ring.hpp).  Nothing is shared between warps but in a chain, which has one pair.
#include "cuda/batch/chain.cuh"
#include "cuda/batch/ring_field.cuh"
#include "cuda/batch/ticket.cuh"
#include "cuda/device/dynamic_shared.cuh"
#include "cuda/device/launch.hpp"

namespace nwgpu::cuda::batch {

namespace {

template <int rows, int bits, bool chain, int blocks_at_once>
__global__ void NWGPU_SWEEP_REGISTERS(blocks_at_once, bits) sweep_rings(__grid_constant__ GroupArgs const args)
{
    using Field = RingField<rows>;
    using P = Profile<rows>;
    NWGPU_DYNAMIC_SHARED(uint4, shared);
    int const warp_lane = static_cast<int>(threadIdx.x % 32);
    char * const profile = reinterpret_cast<char *>(shared) +
                           threadIdx.x / 32 * P::letter_bytes * (args.letter_count + 1) + warp_lane * 16;
    Field::build_no_letter(profile, args.letter_count);
    typename Field::Constants const k = Field::constants(args);
    int const best = args.best + 2 * args.extend, worst = args.worst + 2 * args.extend;
    std::uint32_t const best_bytes = static_cast<std::uint8_t>(best) * 0x01010101u,
                        worst_bytes = static_cast<std::uint8_t>(worst) * 0x01010101u;
    RingNumbers const numbers = RingNumbers::of(rows, best, args.open, args.zero);
    for (int left = args.steps_of_warp; left > 0;) {
        GroupShape shape;
        int lane = static_cast<int>(threadIdx.x), group = 0;
        std::uint32_t sorted;
        bool is_there = true;
        if constexpr (chain) {
            shape = GroupShape::of(args.chain);
            sorted = args.classes->first[args.chain] + blockIdx.x;
            left = 0;
        } else {
            Ticket const ticket = take_ticket(args, ring_tickets(rows), warp_lane);
            if (ticket.count == 0)
                return;
            shape = GroupShape::of(ticket.class_index);
            lane = warp_lane & (shape.lanes() - 1);
            group = warp_lane >> shape.log_lanes;
            std::uint32_t const at = ticket.first + static_cast<std::uint32_t>(group);
            sorted = ticket.sorted(at);
            is_there = at < ticket.count;
        }
        int const lanes = shape.lanes();
        std::uint32_t const pair_index = args.order[sorted];
        ChunkPair const pair = args.pairs[pair_index];
        int const m = pair.m, n = pair.n, low = ring_low(shape, m, n), last = (m - 1) / rows,
                  end = n - 1 + last + low; // block and step of the last cell
        int const steps = chain ? end + 1 : static_cast<int>(most_of_warp(static_cast<unsigned>(end + 1)));
        auto const has_block = [&](int block) { // whether this lane does
            return lane == (chain ? (block >> 1) % lanes : block >> 1 & (lanes - 1));
        };
        std::uint8_t const *const query = args.letters + pair.query, *const target = args.letters + pair.target;
        left -= steps;
        char * out = nullptr;
        // Of a chain: lanes that store at a time; from which step on this one does, and as which of them.
        int const stored = chain && bits > 0 ? stored_lanes(shape, m, n) : 0;
        unsigned first_to_store = INT32_MAX;
        int lane_to_store = 0;
        if constexpr (bits > 0 && chain) {
            out = place_of_chain(args, shape, pair, sorted, steps, bits);
            if (!out)
                return;
        } else if constexpr (bits > 0) {
            unsigned long long const place = place_of_residues(args, steps, rows, bits, warp_lane);
            if (place == no_place)
                return;
            out = args.stored + place + warp_lane * 16;
            if (lane == 0 && is_there)
                args.stored_at[sorted] = place + static_cast<unsigned long long>(warp_lane) * 16;
        }
        Field cells;
        cells.start(k, numbers);
        if (lane == 0)
            cells.load_letters(query);
        int const above_lane = lane == 0 ? warp_lane + lanes - 1 : warp_lane - 1;
        int first_col[2] = {0, 0}; // of the halves in step 0, if their blocks had been there
        auto const letter = [&](int half, int step) {
            auto const col = static_cast<unsigned>(step + first_col[half]);
            return (col < static_cast<unsigned>(n) ? __ldg(target + col) : args.letter_count) *
                   static_cast<std::uint32_t>(P::letter_bytes);
        };
        std::uint32_t now[2] = {0, 0}, next[2] = {0, 0};
        bool lost = false;
        int block = 0, phase = 0; // step: block * (rows + 1) + phase
        auto const step = [&](int t) {
            if (phase == 0 && has_block(block)) {
                int const half = block & 1;
                if (!cells.begin_block(k, half, numbers) && block <= last)
                    lost = true;
                cells.build_profile(profile, half, args.letter_count, best_bytes, worst_bytes);
                int const col = -block - low;
                if (half == 0) {
                    first_col[0] = col;
                    now[0] = letter(0, t);
                    next[0] = letter(0, t + 1);
                    if constexpr (bits > 0 && chain) {
                        first_to_store = static_cast<unsigned>(t + first_stored(shape, stored));
                        lane_to_store = block >> 1 & (stored - 1);
                    }
                } else {
                    first_col[1] = col;
                    now[1] = letter(1, t);
                    next[1] = letter(1, t + 1);
                }
            }
            if (phase == 1 && has_block(block + 1)) {
                cells.begin_hold(k, (block + 1) & 1);
                if ((block + 1) * rows < m)
                    cells.load_letters(query + (block + 1) * rows);
            }
            if (phase++ == rows) {
                phase = 0;
                ++block;
            }
            std::uint32_t const later0 = letter(0, t + 2), later1 = letter(1, t + 2);
            Halves in = chain ? hand_of_lane_above(cells.hand, t) : __shfl_sync(~0u, cells.hand, above_lane);
            if (lane == 0 && t < ring_columns(shape) - rows)
                in = Field::top(args, numbers, t - low);
            cells.step(k, in, profile + now[0], profile + now[1]);
            now[0] = next[0];
            now[1] = next[1];
            next[0] = later0;
            next[1] = later1;
            if (t == end && is_there && has_block(last))
                args.answers[pair_index].score =
                    cells.number((m - 1) % rows, last & 1) - numbers.zero + last * numbers.fall - args.extend * (m + n);
        };
        if constexpr (bits > 0) {
            int const piece = chain ? 16 * stored : static_cast<int>(piece_bytes);
            for (int t = 0; t < steps; t += 2, out += pieces_of(rows, bits) * piece) {
                step(t);
                bool const stores = !chain || static_cast<unsigned>(t) - first_to_store <
                                                  static_cast<unsigned>(2 * stored * (rows + 1));
                StepWords<rows, bits> one, two;
                if (stores)
                    one = StepWords<rows, bits>{cells.H};
                if (t + 1 < steps)
                    step(t + 1);
                if (!stores)
                    continue;
                two = StepWords<rows, bits>{cells.H};
                char * const to = out + (chain ? 16 * lane_to_store : 0);
#pragma unroll
                for (int p = 0; p < pieces_of(rows, bits); ++p)
                    *reinterpret_cast<uint4 *>(to + piece * p) = {one.word[2 * p], two.word[2 * p], one.word[2 * p + 1],
                                                                  two.word[2 * p + 1]};
            }
        } else {
            for (int t = 0; t < steps; ++t)
                step(t);
        }
        if constexpr (chain) {
            __syncthreads();
            if (lost)
                args.answers[pair_index].score = no_score;
        } else {
            unsigned const mine = (lanes == 32 ? ~0u : (1u << lanes) - 1) << (group * lanes);
            bool const any_lost = (__ballot_sync(~0u, lost) & mine) != 0;
            __syncwarp();
            if (any_lost && lane == 0 && is_there)
                args.answers[pair_index].score = no_score;
        }
    }
}

template <int rows, bool chain>
GroupKernel kernel_of(int bits)
{
    constexpr int blocks = rows == 16 ? 4 : 3; // of four warps: as many as leave the cells in registers
    return {bits == 0 ? address_of(&sweep_rings<rows, 0, chain, blocks>)
                      : address_of(&sweep_rings<rows, 4, chain, blocks>),
            Profile<rows>::letter_bytes, 4 * blocks};
}

} // namespace

GroupKernel ring_kernel(int height, int bits)
{
    return height == 0 ? kernel_of<rows_of_height(0), false>(bits) : kernel_of<rows_of_height(2), false>(bits);
}
GroupKernel ring_chain_kernel(int bits) { return kernel_of<rows_of_height(2), true>(bits); }

} // namespace nwgpu::cuda::batch
