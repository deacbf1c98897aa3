// SPDX-License-Identifier: BSD-3-Clause
// The cells of one lane of a group (group_shape.hpp), two 16-bit numbers to a register, and what the lane is given and
// hands on in each step.  Numbers are H + drift + zero (batch_scheme.hpp): the drift, one `extend` per row and column,
// makes going on with a gap free; local ones have none.
#pragma once

#include "cuda/batch/job.hpp"
#include "cuda/batch/residues.hpp"
#include "cuda/kernels/halves.cuh"

namespace nwgpu::cuda::batch {

// Column scores of all rows of a warp in shared memory: [letter][half][quad][lane][4 words], one byte per row, so that
// lanes with different letters never meet in a bank.  Where two words of a lane are left, those of both halves lie
// behind that: [letter][lane][half][2 words].
template <int rows>
struct Profile {
    static constexpr int words = (rows + 3) / 4;
    static constexpr bool has_rest = words % 4 == 2;
    static constexpr int quads = has_rest ? words / 4 : (words + 3) / 4, half_bytes = quads * 512,
                         rest_at = 2 * half_bytes, letter_bytes = rest_at + (has_rest ? 512 : 0);

    // Of four rows, from a lane's place on.
    __host__ __device__ static constexpr int at(int half, int word)
    {
        return word < 4 * quads ? half * half_bytes + word / 4 * 512 + word % 4 * 4 : rest_at + half * 8 + word % 4 * 4;
    }
};

// The numbers of a warp's rows in one step, in shared memory: [quad][lane][4 words].
template <int rows>
struct KeptColumn {
    static constexpr int warp_bytes = (rows + 3) / 4 * 512;
    struct alignas(16) Quad {
        Halves word[4];
    };
    struct Place {
        int half = 0, row = 0;
    };

    __host__ __device__ static void put(char * at, Halves const * H)
    {
#pragma unroll
        for (int r = 0; r < rows; r += 4)
            *reinterpret_cast<Quad *>(at + r / 4 * 512) = {
                {H[r], H[r + 1 < rows ? r + 1 : r], H[r + 2 < rows ? r + 2 : r], H[r + 3 < rows ? r + 3 : r]}};
    }
    // The first row that has this number: of the high half, whose column is the earlier one, or else of the low half.
    __host__ __device__ static Place find(char const * at, Halves number)
    {
        int low = 0, high = rows;
#pragma unroll 1
        for (int r = rows - 1; r >= 0; --r) {
            Halves const two = *reinterpret_cast<Halves const *>(at + r / 4 * 512 + r % 4 * 4);
            low = (two & 0xffffu) == number ? r : low;
            high = two >> 16 == number ? r : high;
        }
        return high < rows ? Place{1, high} : Place{0, low};
    }
};

// The byte of a row in two words of four rows each, as two numbers.
__host__ __device__ inline Halves join_bytes(std::uint32_t low, std::uint32_t high, int row)
{
    return row % 4 == 0   ? permute<0xc480>(low, high)
           : row % 4 == 1 ? permute<0xd591>(low, high)
           : row % 4 == 2 ? permute<0xe6a2>(low, high)
                          : permute<0xf7b3>(low, high);
}

struct CellConstants {
    Halves zero, minus_open, minus_extend;
    std::uint32_t minus_open_extend; // minus_both()

    __host__ __device__ static CellConstants of(GroupArgs const & args)
    {
        return {kept(static_cast<Halves>(args.zero) * 0x10001u), kept(both(-args.open)), kept(both(-args.extend)),
                kept(minus_both(static_cast<std::uint32_t>(args.open + args.extend)))};
    }
};

// Local: H of a cell, from the best that its diagonal and E give.  E and f go on to the next column and row.
__host__ __device__ inline Halves local_cell(CellConstants const & k, Halves t, Halves & E, Halves & f)
{
    Halves const h = max3(t, f, k.zero), opened = t + k.minus_open_extend;
    E = add_max(E, k.minus_extend, opened);
    f = add_max(f, k.minus_extend, opened);
    return h;
}

// Of the best cell of a local pair: its number alone; where it is as well, with a column that is kept whenever the
// number rises; or the step that saw it first, whose residues tell the row.
enum class BestCell { number, place, step };

template <int rows, bool local, BestCell asked = BestCell::number>
struct GroupField {
    Halves H[rows], E[rows];
    Halves F, above, hand; // hand: H (low half) and F (high half) of the last row, for the lane behind this one
    // Local: the highest number, by halves, with the step that saw it first.  Where a column is kept: of both halves
    // together, and whether that was this step: then its column has to be kept.
    Halves best;
    std::uint32_t best_step = 0, best_step_high = 0;
    bool rises = false;

    using Constants = CellConstants;
    __host__ __device__ static Constants constants(GroupArgs const & args) { return Constants::of(args); }

    // Local: as if there were columns without a letter before the first one.
    __host__ __device__ void start(GroupArgs const & args)
    {
        Halves const zero = static_cast<Halves>(args.zero) * 0x10001u,
                     gap = zero - static_cast<Halves>(args.open + args.extend) * 0x10001u;
#pragma unroll
        for (int r = 0; r < rows; ++r) {
            H[r] = zero;
            E[r] = gap;
        }
        above = best = zero;
        F = gap;
        hand = (zero & 0xffffu) | (gap & 0xffff0000u);
    }
    // Not local: before the step in which a half has its first column, the border left of it.
    __host__ __device__ void start_half(GroupArgs const & args, int lane, int half)
    {
        int const first = (2 * lane + half) * rows; // row above the half, from 1
        int const slope = args.free_query_begin ? args.extend : 0,
                  base = args.zero - (args.free_query_begin ? 0 : args.open);
        unsigned const shift = half ? 16 : 0, keep = half ? 0xffffu : 0xffff0000u;
        auto const put = [&](Halves & where, int number) {
            where = (where & keep) | (static_cast<Halves>(number) & 0xffffu) << shift;
        };
        put(above, first == 0 ? args.zero : base + slope * first);
#pragma unroll
        for (int r = 0; r < rows; ++r) {
            int const number = base + slope * (first + r + 1);
            put(H[r], number);
            put(E[r], number - args.open);
        }
    }
    // What comes from above the first row of the group, in the column j of the matrix.
    __host__ __device__ static Halves top(GroupArgs const & args, int j)
    {
        int const h = local ? args.zero : args.free_target_begin ? args.zero + args.extend * j : args.zero - args.open;
        return static_cast<Halves>(h) | static_cast<Halves>(h - args.open - (local ? args.extend : 0)) << 16;
    }

    // The table has a row of words for each query letter, and one for none; rows beyond the sequence have none.  Warps
    // that share a profile take parts of it in turn.
    __host__ __device__ static void build_profile(char * at, std::uint32_t const * table, std::uint32_t letters,
                                                  std::uint32_t words, std::uint8_t const * query, int m, int lane,
                                                  int part = 0, int parts = 1)
    {
        constexpr int row_words = Profile<rows>::words;
        std::uint32_t next[4] = {}; // letters of rows
        auto const ask = [&](int of_part) {
            int const half = of_part / row_words, w = of_part % row_words;
#pragma unroll
            for (int k = 0; k < 4; ++k) {
                int const r = 4 * w + k, i = (2 * lane + half) * rows + r;
                next[k] = r < rows && i < m && of_part < 2 * row_words ? query[i] : letters;
            }
        };
        ask(part);
#pragma unroll 1
        for (; part < 2 * row_words; part += parts) {
            int const half = part / row_words, w = part % row_words;
            std::uint32_t row[4]; // where the scores of the row's letter begin
#pragma unroll
            for (int k = 0; k < 4; ++k)
                row[k] = next[k] * words;
            ask(part + parts);
            char * to = at + Profile<rows>::at(half, w);
#pragma unroll 1
            for (std::uint32_t t = 0; t < words; ++t) { // 4 rows x 4 letters are transposed
                std::uint32_t const a = table[row[0] + t], b = table[row[1] + t], c = table[row[2] + t],
                                    d = table[row[3] + t];
                std::uint32_t const ab = permute<0x5140>(a, b), cd = permute<0x5140>(c, d), ab2 = permute<0x7362>(a, b),
                                    cd2 = permute<0x7362>(c, d);
                std::uint32_t const out[4] = {permute<0x5410>(ab, cd), permute<0x7632>(ab, cd),
                                              permute<0x5410>(ab2, cd2), permute<0x7632>(ab2, cd2)};
#pragma unroll
                for (std::uint32_t k = 0; k < 4; ++k, to += Profile<rows>::letter_bytes)
                    if (4 * t + k <= letters)
                        *reinterpret_cast<std::uint32_t *>(to) = out[k];
            }
        }
    }

    // One column of both halves: `now` and `before` are where the profile has the letters of the low and the high half.
    __host__ __device__ void step(Constants const & k, Halves in, char const * now, char const * before,
                                  std::uint32_t step)
    {
        advance(k, permute<0x5410>(in, H[rows - 1]), permute<0x5432>(in, F), now, before, step);
    }
    // The same with what comes from above each half: H, and F for its first row.
    __host__ __device__ void advance(Constants const & k, Halves next_above, Halves f, char const * now,
                                     char const * before, std::uint32_t step)
    {
        struct alignas(16) Quad {
            std::uint32_t word[4];
        };
        struct alignas(8) Rest {
            std::uint32_t word[2];
        };
        using P = Profile<rows>;
        constexpr int quads = P::quads;
        Quad low[quads], high[quads];
        [[maybe_unused]] Rest low_rest, high_rest;
#pragma unroll
        for (int c = 0; c < quads; ++c) {
            low[c] = *reinterpret_cast<Quad const *>(now + 512 * c);
            high[c] = *reinterpret_cast<Quad const *>(before + P::half_bytes + 512 * c);
        }
        if constexpr (P::has_rest) {
            low_rest = *reinterpret_cast<Rest const *>(now + P::at(0, 4 * quads));
            high_rest = *reinterpret_cast<Rest const *>(before + P::at(1, 4 * quads));
        }
        Halves most = k.zero;
        // Diagonals and E of all rows first, which wait neither for f nor for the lane above.  From the last row up:
        // each takes the place of an H that only the row below it has asked for.
#pragma unroll
        for (int r = rows - 1; r >= 0; --r) {
            bool const in_quad = r / 16 < quads;
            std::uint32_t const a = in_quad ? low[in_quad ? r / 16 : 0].word[r / 4 % 4] : low_rest.word[r / 4 % 2],
                                b = in_quad ? high[in_quad ? r / 16 : 0].word[r / 4 % 4] : high_rest.word[r / 4 % 2];
            H[r] = add_max(r > 0 ? H[r - 1] : above, join_bytes(a, b, r), E[r]);
        }
        above = next_above;
#pragma unroll
        for (int r = 0; r < rows; ++r) {
            Halves const t = H[r];
            Halves h;
            if constexpr (local) {
                h = local_cell(k, t, E[r], f);
            } else {
                h = max2(t, f);
                E[r] = add_max(h, k.minus_open, E[r]);
                f = add_max(t, k.minus_open, f);
            }
            H[r] = h;
            if constexpr (local) {
                if (r % 2 == 1)
                    most = max3(most, H[r - 1], h);
                else if (r == rows - 1)
                    most = max2(most, h);
            }
        }
        F = f;
        hand = permute<0x7632>(H[rows - 1], f);
        if constexpr (local) {
            [[maybe_unused]] Halves const old = best;
            best = max2(best, most);
            if constexpr (asked == BestCell::place) {
                best = max2(best, permute<0x1032>(best, best));
                rises = best != old;
                best_step = rises ? step : best_step;
            } else if constexpr (asked == BestCell::step) {
                Halves const differ = best ^ old;
                best_step = (differ & 0xffffu) != 0 ? step : best_step;
                best_step_high = (differ & 0xffff0000u) != 0 ? step : best_step_high;
            }
        }
    }
    __host__ __device__ int number(int r, int half) const
    {
        Halves h = 0;
#pragma unroll
        for (int k = 0; k < rows; ++k)
            h = k == r ? H[k] : h;
        return static_cast<int>(half ? h >> 16 : h & 0xffffu);
    }
};

// Residues of a step, as residues.hpp describes them.
template <int rows, int bits>
struct StepWords {
    static constexpr int count = 2 * pieces_of(rows, bits);
    std::uint32_t word[count];

    StepWords() = default;
    __host__ __device__ explicit StepWords(Halves const * H)
    {
        auto const two = [&](int r) { // rows r and r + 1, each two bytes
            return r < rows ? permute<0x6420>(H[r], H[r + 1 < rows ? r + 1 : r]) : 0u;
        };
#pragma unroll
        for (int w = 0; w < count; ++w)
            word[w] = bits == 8 ? two(2 * w) : nibbles(two(4 * w), two(4 * w + 2) * 16);
    }
    // Low nibbles of a, high nibbles of b.
    __host__ __device__ static std::uint32_t nibbles(std::uint32_t a, std::uint32_t b)
    {
#if defined(__CUDA_ARCH__) && defined(__CUDACC__)
        std::uint32_t result; // the compiler takes two instructions
        asm("lop3.b32 %0, %1, %2, %3, 0xca;" : "=r"(result) : "r"(0x0f0f0f0fu), "r"(a), "r"(b));
        return result;
#else
        return (a & 0x0f0f0f0fu) | (b & 0xf0f0f0f0u);
#endif
    }
};

} // namespace nwgpu::cuda::batch
