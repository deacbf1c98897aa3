// SPDX-License-Identifier: BSD-3-Clause
// The sweep of global pairs in bands: a warp takes a ticket, which is 32 / lanes pairs of a class of rings, and
// computes the cells of their bands (ring.hpp).  Nothing is shared between warps.
#include "cuda/batch/ring_cells.cuh"
#include "cuda/batch/ticket.cuh"
#include "cuda/device/dynamic_shared.cuh"
#include "cuda/device/launch.hpp"

namespace nwgpu::cuda::batch {

namespace {

template <int rows, int bits, int blocks_at_once>
__global__ void NWGPU_SWEEP_REGISTERS(blocks_at_once, bits) sweep_rings(__grid_constant__ GroupArgs const args)
{
    using Cells = RingCells<rows>;
    using P = Profile<rows>;
    NWGPU_DYNAMIC_SHARED(uint4, shared);
    int const warp_lane = static_cast<int>(threadIdx.x % 32);
    char * const profile = reinterpret_cast<char *>(shared) +
                           threadIdx.x / 32 * P::letter_bytes * (args.letter_count + 1) + warp_lane * 16;
    Cells::build_no_letter(profile, args.letter_count);
    typename Cells::Constants const k = Cells::constants(args);
    int const best = args.best + 2 * args.extend, worst = args.worst + 2 * args.extend;
    std::uint32_t const best_bytes = static_cast<std::uint8_t>(best) * 0x01010101u,
                        worst_bytes = static_cast<std::uint8_t>(worst) * 0x01010101u;
    RingNumbers const numbers = RingNumbers::of(rows, best, args.open, args.zero);
    for (int left = args.steps_of_warp; left > 0;) {
        Ticket const ticket = take_ticket(args, ring_tickets(rows), warp_lane);
        if (ticket.count == 0)
            return;
        Shape const shape = Shape::of(ticket.class_index);
        int const lanes = shape.lanes(), lane = warp_lane & (lanes - 1), group = warp_lane >> shape.log_lanes;
        std::uint32_t const at = ticket.first + static_cast<std::uint32_t>(group), sorted = ticket.sorted(at),
                            pair_index = args.order[sorted];
        bool const is_there = at < ticket.count;
        ChunkPair const pair = args.pairs[pair_index];
        int const m = pair.m, n = pair.n, low = ring_low(shape, m, n), last = (m - 1) / rows,
                  end = n - 1 + last + low; // block and step of the last cell
        int const steps = static_cast<int>(most_of_warp(static_cast<unsigned>(end + 1)));
        std::uint8_t const *const query = args.letters + pair.query, *const target = args.letters + pair.target;
        left -= steps;
        char * out = nullptr;
        if constexpr (bits > 0) {
            unsigned long long const place = place_of_residues(args, steps, rows, bits, warp_lane);
            if (place == no_place)
                return;
            out = args.stored + place + warp_lane * 16;
            if (lane == 0 && is_there)
                args.stored_at[sorted] = place + static_cast<unsigned long long>(warp_lane) * 16;
        }
        Cells cells;
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
            if (phase == 0 && lane == (block >> 1 & (lanes - 1))) {
                int const half = block & 1;
                if (!cells.begin_block(k, half, numbers) && block <= last)
                    lost = true;
                cells.build_profile(profile, half, args.letter_count, best_bytes, worst_bytes);
                int const col = -block - low;
                if (half == 0) {
                    first_col[0] = col;
                    now[0] = letter(0, t);
                    next[0] = letter(0, t + 1);
                } else {
                    first_col[1] = col;
                    now[1] = letter(1, t);
                    next[1] = letter(1, t + 1);
                }
            }
            if (phase == 1 && lane == ((block + 1) >> 1 & (lanes - 1))) {
                cells.begin_hold(k, (block + 1) & 1);
                if ((block + 1) * rows < m)
                    cells.load_letters(query + (block + 1) * rows);
            }
            if (phase++ == rows) {
                phase = 0;
                ++block;
            }
            std::uint32_t const later0 = letter(0, t + 2), later1 = letter(1, t + 2);
            Halves in = __shfl_sync(~0u, cells.hand, above_lane);
            if (lane == 0 && t < ring_columns(shape) - rows)
                in = Cells::top(args, numbers, t - low);
            cells.step(k, in, profile + now[0], profile + now[1]);
            now[0] = next[0];
            now[1] = next[1];
            next[0] = later0;
            next[1] = later1;
            if (t == end && is_there && lane == (last >> 1 & (lanes - 1)))
                args.answers[pair_index].score =
                    cells.number((m - 1) % rows, last & 1) - numbers.zero + last * numbers.fall - args.extend * (m + n);
        };
        if constexpr (bits > 0) {
            for (int t = 0; t < steps; t += 2, out += pieces_of(rows, bits) * piece_bytes) {
                step(t);
                StepWords<rows, bits> const one{cells.H};
                if (t + 1 < steps)
                    step(t + 1);
                StepWords<rows, bits> const two{cells.H};
#pragma unroll
                for (int p = 0; p < pieces_of(rows, bits); ++p)
                    *reinterpret_cast<uint4 *>(out + piece_bytes * p) = {one.word[2 * p], two.word[2 * p],
                                                                         one.word[2 * p + 1], two.word[2 * p + 1]};
            }
        } else {
            for (int t = 0; t < steps; ++t)
                step(t);
        }
        unsigned const mine = (lanes == 32 ? ~0u : (1u << lanes) - 1) << (group * lanes);
        bool const any_lost = (__ballot_sync(~0u, lost) & mine) != 0;
        __syncwarp();
        if (any_lost && lane == 0 && is_there)
            args.answers[pair_index].score = no_score;
    }
}

template <int rows>
GroupKernel kernel_of(int bits)
{
    constexpr int blocks = rows == 16 ? 4 : 3; // of four warps: as many as leave the cells in registers
    return {bits == 0 ? address_of(&sweep_rings<rows, 0, blocks>) : address_of(&sweep_rings<rows, 4, blocks>),
            Profile<rows>::letter_bytes, 4 * blocks};
}

} // namespace

GroupKernel ring_kernel(int height, int bits) { return height == 0 ? kernel_of<16>(bits) : kernel_of<32>(bits); }

} // namespace nwgpu::cuda::batch
