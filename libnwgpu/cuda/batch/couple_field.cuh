// SPDX-License-Identifier: BSD-3-Clause
// The cells of one lane of a couple (couple.hpp), local.  Numbers are H + zero, as in a group.
#pragma once

#include "cuda/batch/couple.hpp"
#include "cuda/batch/group_field.cuh"

namespace nwgpu::cuda::batch {

// H and F of a strip's last row, in one column.
struct alignas(line_bytes) LineCell {
    Halves H, F;
};

// Column scores of a strip in shared memory: [letter][quad][place][4 words], a word per row, of both queries.  The
// lanes that read at the same time have different places, so that they never meet in a bank, whatever their letters.
template <int rows>
struct CoupleProfile {
    static constexpr int quads = (rows + 3) / 4, places = 8, quad_bytes = 16 * places,
                         letter_bytes = quads * quad_bytes;
    struct alignas(16) Quad {
        Halves word[4];
    };

    // Where a lane of a warp reads.
    __host__ __device__ static int place(int warp_lane) { return warp_lane % places * 16; }
    // The thread's part of a profile at `at`.  `table`: GroupArgs::scores.
    __host__ __device__ static void build(char * at, GroupArgs const & args, std::uint32_t const * table,
                                          ChunkPair const & low, ChunkPair const & high, int thread, int threads)
    {
        auto const * const scores = reinterpret_cast<signed char const *>(table);
        std::uint32_t const row_bytes = 4 * args.score_words();
        for (int part = thread; part < quads * places; part += threads) {
            int const quad = part / places, lane = part % places & (args.strip.lanes() - 1);
            std::uint32_t of_low[4], of_high[4]; // where the scores of the rows' letters begin
#pragma unroll
            for (int k = 0; k < 4; ++k) {
                int const r = 4 * quad + k, i = args.strip.first_row + lane * rows + r;
                auto const begin = [&](ChunkPair const & pair) {
                    return (r < rows && i < static_cast<int>(pair.m) ? args.letters[pair.query + i]
                                                                     : args.letter_count) *
                           row_bytes;
                };
                of_low[k] = begin(low);
                of_high[k] = begin(high);
            }
            char * to = at + part * 16;
#pragma unroll 1
            for (std::uint32_t t = 0; t <= args.letter_count; ++t, to += letter_bytes) {
                Quad words;
#pragma unroll
                for (int k = 0; k < 4; ++k)
                    words.word[k] = (static_cast<Halves>(scores[of_low[k] + t]) & 0xffffu) |
                                    static_cast<Halves>(scores[of_high[k] + t]) << 16;
                *reinterpret_cast<Quad *>(to) = words;
            }
        }
    }
};

template <int rows>
struct CoupleField {
    Halves H[rows], E[rows];
    Halves F, above, best; // best: the highest number

    // As if there were columns without a letter before the first one.
    __host__ __device__ void start(CellConstants const & k)
    {
#pragma unroll
        for (int r = 0; r < rows; ++r) {
            H[r] = k.zero;
            E[r] = k.zero + k.minus_open_extend;
        }
        above = best = k.zero;
        F = k.zero + k.minus_open_extend;
    }
    // One column: `in` comes from above, `scores` is where the profile has the column's letter for this lane.
    __host__ __device__ void step(CellConstants const & k, LineCell const & in, char const * scores)
    {
        using Profile = CoupleProfile<rows>;
        Halves d = above, f = in.F;
        above = in.H;
        typename Profile::Quad quad;
#pragma unroll
        for (int r = 0; r < rows; ++r) {
            if (r % 4 == 0)
                quad = *reinterpret_cast<typename Profile::Quad const *>(scores + r / 4 * Profile::quad_bytes);
            Halves const h = local_cell(k, add_max(d, quad.word[r % 4], E[r]), E[r], f);
            d = H[r];
            H[r] = h;
            if (r % 2 == 1)
                best = max3(best, H[r - 1], h);
            else if (r == rows - 1)
                best = max2(best, h);
        }
        F = f;
    }
    // For the lane behind this one.
    __host__ __device__ LineCell hand() const { return {H[rows - 1], F}; }
};

} // namespace nwgpu::cuda::batch
