// SPDX-License-Identifier: BSD-3-Clause
// The cells of one lane in 16 bits, two to a register: the lane's first rows in the low halves, and one column behind
// them its other rows in the high halves, so that a lane is two lanes of the wavefront.
//
// A register holds H + drift (i + j) - base, for row i and column j of the strip: `base` moves with the wavefront and
// keeps the numbers in range (bounds.hpp has the proof).  Global alignments drift by `extend`, so that going on with a
// gap costs nothing; local ones do not drift, so that their floor is one constant.
#pragma once

#include "cuda/halves.cuh"
#include "cuda/sweep_job.hpp"

namespace nwgpu::cuda {

template <int pairs_, bool local_, bool linear_>
struct PackedCells {
    using Score = std::int32_t;
    using Hand = Halves; // what the next lane needs: H (low half) and F (high half) of the last row
    static constexpr int pairs = pairs_, halves = 2, lag = 2, rows_per_lane = 2 * pairs;
    static constexpr int strip_rows = 32 * rows_per_lane, lag_total = lag * 31 + halves - 1;
    static constexpr bool local = local_, linear = linear_, traced = false;
    static constexpr int blocks_per_sm = pairs <= 8 ? 24 : pairs <= 16 ? 16 : pairs <= 24 ? 14 : 10;

    // The profile of a strip in shared memory: column scores of all rows, one byte each, by target letter; of a letter
    // [half][chunk][lane][chunk bytes], so that lanes with different letters never meet in a bank.
    static constexpr int words = (pairs + 3) / 4;
    static constexpr int chunk_words = words % 4 == 0 ? 4 : words % 2 == 0 ? 2 : 1;
    static constexpr int half_bytes = 32 * 4 * words, letter_bytes = 2 * half_bytes;

    struct alignas(4 * chunk_words) Chunk {
        std::uint32_t word[chunk_words];
    };

    Halves H[pairs], E[linear ? 1 : pairs];
    Halves F, above; // `above`: H of the row over each half, in the column before
    Halves column_best, seen_best, floor;
    Halves minus_open, minus_extend, minus_open_extend;
    Score base, drift, extend;
    int lane;
    StripBest<Score> best;

    __host__ __device__ PackedCells(SweepArgs<Score> const & args, int lane_, Score corner) :
        F{0},
        above{0},
        column_best{0},
        seen_best{0},
        floor{0},
        minus_open{both(-args.open)},
        minus_extend{both(-args.extend)},
        minus_open_extend{both(-args.open - args.extend)},
        base{0},
        drift{local ? 0 : args.extend},
        extend{args.extend},
        lane{lane_},
        best{0, 0, 0}
    {
#pragma unroll
        for (int r = 0; r < pairs; ++r)
            H[r] = 0;
#pragma unroll
        for (int r = 0; r < (linear ? 1 : pairs); ++r)
            E[r] = 0;
        if (!local || corner > rebase_from)
            shift(corner);
    }

    // Rows of the strip that a half of this lane owns begin here.
    __host__ __device__ std::uint32_t first_row(int half) const { return lane * rows_per_lane + half * pairs; }

    __host__ __device__ static void build_profile(char * shared, SweepArgs<Score> const & args, std::uint8_t const * query,
                                         std::uint32_t rows, int lane)
    {
        int const bias = local ? 0 : 2 * args.extend;
        for (int half = 0; half < 2; ++half)
            for (int word = 0; word < words; ++word) {
                std::uint32_t const first = lane * rows_per_lane + half * pairs + 4 * word;
                std::int32_t const * row_scores[4];
                for (int k = 0; k < 4; ++k)
                    row_scores[k] = first + k < rows ? args.scores + query[first + k] * args.letters : nullptr;
                char * at = shared + half * half_bytes + ((word / chunk_words) * 32 + lane) * (4 * chunk_words) +
                            word % chunk_words * 4;
                for (std::uint32_t letter = 0; letter < args.letters; ++letter, at += letter_bytes) {
                    std::uint32_t bytes = 0;
                    for (int k = 0; k < 4; ++k)
                        bytes |= static_cast<std::uint32_t>((row_scores[k] ? row_scores[k][letter] : 0) + bias & 255)
                                 << (8 * k);
                    *reinterpret_cast<std::uint32_t *>(at) = bytes;
                }
            }
    }
    __host__ __device__ static int profile_offset(int lane) { return lane * 4 * chunk_words; }

    // One column for each half; `low` and `high`: this lane's place in the profile, at the letters of the two columns.
    __host__ __device__ void step(Hand in, char const * low, char const * high)
    {
        Chunk low_scores[words / chunk_words], high_scores[words / chunk_words];
#pragma unroll
        for (int c = 0; c < words / chunk_words; ++c) {
            low_scores[c] = reinterpret_cast<Chunk const *>(low)[32 * c];
            high_scores[c] = reinterpret_cast<Chunk const *>(high + half_bytes)[32 * c];
        }
        Halves diagonal = above, up = permute<0x5410>(in, H[pairs - 1]);
        above = up;
        Halves f = linear ? 0 : permute<0x5432>(in, F);
        column_best = both(INT16_MIN);
#pragma unroll
        for (int r = 0; r < pairs; ++r) {
            std::uint32_t const a = low_scores[r / 4 / chunk_words].word[r / 4 % chunk_words],
                                b = high_scores[r / 4 / chunk_words].word[r / 4 % chunk_words];
            Halves const s = r % 4 == 0   ? permute<0xc480>(a, b)
                             : r % 4 == 1 ? permute<0xd591>(a, b)
                             : r % 4 == 2 ? permute<0xe6a2>(a, b)
                                          : permute<0xf7b3>(a, b);
            Halves h;
            if constexpr (local && linear) {
                h = add_max(diagonal, s, add_max(max2(H[r], up), minus_extend, floor));
            } else if constexpr (local) {
                h = max3(add_max(diagonal, s, E[r]), f, floor);
                Halves const opened = add2(h, minus_open_extend);
                E[r] = add_max(E[r], minus_extend, opened);
                f = add_max(f, minus_extend, opened);
            } else if constexpr (linear) {
                h = max2(add_max(diagonal, s, H[r]), up);
            } else {
                Halves const t = add_max(diagonal, s, E[r]); // opening from an H that came from F never beats going on
                h = max2(t, f);
                E[r] = add_max(h, minus_open, E[r]);
                f = add_max(t, minus_open, f);
            }
            if (local && r % 2 == 1)
                column_best = max3(column_best, h, up);
            diagonal = H[r];
            H[r] = h;
            up = h;
        }
        F = f;
    }

    __host__ __device__ Hand hand() const { return permute<0x7632>(H[pairs - 1], F); }

    // Columns count from 0; the boundary above is row 0 of the strip, its first row is row 1.
    __host__ __device__ Hand pack_top(Entry<Score> entry, std::uint32_t col) const
    {
        Score const shift = drift * static_cast<Score>(col + 1) - base;
        return join(entry.h + shift, entry.gap + shift + drift);
    }
    __host__ __device__ Entry<Score> unpack_bottom(Hand hand, std::uint32_t col) const
    {
        Score const shift = base - drift * static_cast<Score>(strip_rows + col + 1);
        Score const h = low_half(hand) + shift;
        return {h, linear ? h - extend : high_half(hand) + shift - drift};
    }
    __host__ __device__ Score cell(int half, int r, std::uint32_t col) const
    {
        Score const shift = base - drift * static_cast<Score>(first_row(half) + r + 1 + col + 1);
        return (half ? high_half(H[r]) : low_half(H[r])) + shift;
    }
    __host__ __device__ Entry<Score> unpack_column(int half, int r, std::uint32_t col) const
    {
        Score const h = cell(half, r, col);
        if constexpr (linear)
            return {h, h - extend};
        Score const shift = base - drift * static_cast<Score>(first_row(half) + r + 1 + col + 2);
        return {h, (half ? high_half(E[r]) : low_half(E[r])) + shift};
    }
    // Before the first column of a half: its left boundary; `left` at the strip's first row, `rows` from there on.
    __host__ __device__ void start(int half, Entry<Score> const * left, std::uint32_t rows)
    {
        std::uint32_t const first = first_row(half);
        auto const set = [half](Halves & both_halves, Score value) {
            Halves const v = static_cast<Halves>(value);
            both_halves = half ? permute<0x5410>(both_halves, v) : permute<0x3254>(both_halves, v);
        };
        set(above, left[static_cast<std::int64_t>(min(first, rows)) - 1].h + drift * static_cast<Score>(first) - base);
#pragma unroll
        for (int r = 0; r < pairs; ++r) {
            std::uint32_t const row = first + r;
            Entry<Score> const entry = left[min(row, rows - 1)];
            Score const shift = drift * static_cast<Score>(row + 1) - base;
            set(H[r], entry.h + shift);
            if constexpr (!linear)
                set(E[r], entry.gap + shift + drift);
        }
    }

    // Keeps the numbers in range: `middle` is a cell's register value in some lane, the same for all lanes.
    __host__ __device__ Score middle() const { return low_half(H[0]); }
    static constexpr Score rebase_from = 2048;
    __host__ __device__ Hand rebase(Score middle, Hand hand)
    {
        if constexpr (local)
            middle = max(middle, -base);
        if (middle < rebase_from && middle > -rebase_from)
            return hand;
        shift(middle);
        return add2(hand, both(-middle));
    }
    __host__ __device__ void shift(Score by)
    {
        base += by;
        Halves const minus = both(-by);
#pragma unroll
        for (int r = 0; r < pairs; ++r)
            H[r] = add2(H[r], minus);
#pragma unroll
        for (int r = 0; r < (linear ? 1 : pairs); ++r)
            E[r] = add2(E[r], minus);
        F = add2(F, minus);
        above = add2(above, minus);
        if constexpr (local) {
            auto const moved = [by](int value) { return max(INT16_MIN, min(INT16_MAX, value - by)); };
            seen_best = join(moved(low_half(seen_best)), moved(high_half(seen_best)));
            floor = both(max(-base, -30000));
        }
    }

    // Remembers the best cell of this lane, the first in the order of the tie rule.  `col`: of the low half.
    __host__ __device__ void note_best(std::uint32_t row_begin, std::uint32_t col)
    {
        Halves const all = max2(seen_best, column_best);
        if (all == seen_best)
            return;
        for (int half = 0; half < 2; ++half) {
            int const value = half ? high_half(column_best) : low_half(column_best);
            Score const score = value + base;
            std::uint32_t const at = col - half;
            if (value <= (half ? high_half(seen_best) : low_half(seen_best)) || score < best.score ||
                (score == best.score && at >= best.col))
                continue;
            std::uint32_t row = 0;
#pragma unroll
            for (int r = pairs - 1; r >= 0; --r)
                if ((half ? high_half(H[r]) : low_half(H[r])) == value)
                    row = r;
            best = {score, row_begin + first_row(half) + row, at};
        }
        seen_best = all;
    }
    // Forgets this column of a half that lies outside of the job.
    __host__ __device__ void ignore(int half)
    {
        column_best = half ? (column_best & 0xffffu) | 0x80000000u : (column_best & 0xffff0000u) | 0x8000u;
    }
};

} // namespace nwgpu::cuda
