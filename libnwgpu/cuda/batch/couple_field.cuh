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

// Column scores of a strip in shared memory: [column][quad][place][4 words], a word per row, of both pairs.  A column
// is a letter of the target, or one of each of two targets, the first one's times all there are and the other one's.
// The lanes that read at the same time have different places, so that they never meet in a bank, whatever their
// letters.
template <int rows>
struct CoupleProfile {
    static constexpr int quads = (rows + 3) / 4, places = 8, quad_bytes = 16 * places;
    static constexpr std::uint32_t column_bytes = quads * quad_bytes;
    struct alignas(16) Quad {
        Halves word[4];
    };
    // Those of a column, row by row.
    struct Scores {
        char const * at;

        __host__ __device__ Halves operator()(int r) const
        {
            return reinterpret_cast<Quad const *>(at + r / 4 * quad_bytes)->word[r % 4];
        }
    };

    // Where a lane of a warp reads.
    __host__ __device__ static int place(int warp_lane) { return warp_lane % places * 16; }
    // The thread's part of a profile at `at`.  `table`: GroupArgs::scores; `letters`: of each target, a column for each
    // two of them if there are two targets.
    __host__ __device__ static void build(char * at, GroupArgs const & args, std::uint32_t const * table,
                                          ChunkPair const & low, ChunkPair const & high, std::uint32_t letters,
                                          bool two_targets, int thread, int threads)
    {
        auto const * const scores = reinterpret_cast<signed char const *>(table);
        std::uint32_t const row_bytes = 4 * args.score_words(), columns = two_targets ? letters * letters : letters;
        constexpr int parts = quads * places; // of a column
        // All threads of a part have the same rows, and every so many columns.
        int const of_part = threads < parts ? 1 : threads / parts;
        for (int part = thread % parts; part < parts && thread < of_part * parts; part += threads) {
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
            auto const first = static_cast<std::uint32_t>(thread / parts), apart = static_cast<std::uint32_t>(of_part);
            char * to = at + part * 16 + first * column_bytes;
#pragma unroll 1
            for (std::uint32_t t = first; t < columns; t += apart, to += apart * column_bytes) {
                std::uint32_t const t_low = two_targets ? t / letters : t, t_high = two_targets ? t % letters : t;
                Quad words;
#pragma unroll
                for (int k = 0; k < 4; ++k)
                    words.word[k] = (static_cast<Halves>(scores[of_low[k] + t_low]) & 0xffffu) |
                                    static_cast<Halves>(scores[of_high[k] + t_high]) << 16;
                *reinterpret_cast<Quad *>(to) = words;
            }
        }
    }
};

// The scores of a query's rows with all letters, behind the words of two targets: [letter][lane][16 bytes], a byte per
// row.
template <int rows>
struct CoupleBytes {
    static_assert(rows <= 16);
    static constexpr auto letter_bytes = static_cast<std::uint32_t>(TargetStrips::letter_bytes);
    struct alignas(16) Bytes {
        std::uint32_t word[4];
    };
    // Those of two letters.
    struct Scores {
        Bytes low, high;

        // From a lane's place on.
        __host__ __device__ Scores(char const * at, std::uint32_t low_letter, std::uint32_t high_letter) :
            low{*reinterpret_cast<Bytes const *>(at + low_letter * letter_bytes)},
            high{*reinterpret_cast<Bytes const *>(at + high_letter * letter_bytes)}
        {}
        __host__ __device__ Halves operator()(int r) const { return join_bytes(low.word[r / 4], high.word[r / 4], r); }
    };

    __host__ __device__ static void build(char * at, GroupArgs const & args, std::uint32_t const * table,
                                          ChunkPair const & query, int thread, int threads)
    {
        auto const * const scores = reinterpret_cast<signed char const *>(table);
        for (int part = thread; part < static_cast<int>(args.letter_count + 1) * CoupleProfile<rows>::places;
             part += threads) {
            int const letter = part / CoupleProfile<rows>::places, lane = part % CoupleProfile<rows>::places;
            Bytes bytes{};
#pragma unroll
            for (int r = 0; r < rows; ++r) {
                int const i = args.strip.first_row + lane * rows + r;
                std::uint32_t const row =
                    i < static_cast<int>(query.m) ? args.letters[query.query + i] : args.letter_count;
                bytes.word[r / 4] |= (static_cast<std::uint32_t>(scores[row * 4 * args.score_words() + letter]) & 0xffu)
                                     << r % 4 * 8;
            }
            *reinterpret_cast<Bytes *>(at + part * 16) = bytes;
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
    // One column: `in` comes from above.
    template <class Scores>
    __host__ __device__ void step(CellConstants const & k, LineCell const & in, Scores scores)
    {
        Halves d = above, f = in.F;
        above = in.H;
#pragma unroll
        for (int r = 0; r < rows; ++r) {
            Halves const h = local_cell(k, add_max(d, scores(r), E[r]), E[r], f);
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
