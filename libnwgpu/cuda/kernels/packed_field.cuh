// SPDX-License-Identifier: BSD-3-Clause
// The cells of one lane in 16 bits, two to a register: the lane's first rows in the low halves, and one column behind
// them its other rows in the high halves, so that a lane is two lanes of the wavefront.
//
// A register holds H + drift - base: `base` moves with the wavefront and keeps the numbers in range (scheme.cpp has the
// bound); the drift is `extend` per column, so that going on with a deletion costs nothing, and for global alignments
// `extend` per row as well, which does the same for insertions.  (In local ones the floor would drift from row to row.)
//
// Extensions have the cells of local alignments: to the left with their floor; to the right with one that is lower than
// any score (SweepArgs::floor), for the search of the best cell.
#pragma once

#include "cuda/kernels/halves.cuh"
#include "cuda/kernels/kernels.hpp"
#include "cuda/kernels/sweep_job.hpp"

namespace nwgpu::cuda {

template <int rows_per_half_, bool local_, bool linear_>
struct PackedField {
    using Score = std::int32_t;
    using Hand = Halves; // what the next lane needs: H (low half) and F (high half) of the last row
    static constexpr int rows_per_half = rows_per_half_, halves = 2, lag = 2, rows_per_lane = 2 * rows_per_half;
    static constexpr int strip_rows = 32 * rows_per_lane, lag_total = lag * 31 + halves - 1;
    static constexpr bool local = local_, linear = linear_, traced = false;
    static constexpr bool finds_cell = false; // of the best score: only the steps in which it was seen
    static constexpr bool raw_columns = true; // that are kept
    static constexpr bool skips = local;      // what cannot reach the best score (sweep_skip.cuh)
    static constexpr int unroll =
        rows_per_half <= 12 ? 4 : 2; // of steps: the loop should fit the nearest instruction cache
    static constexpr int warps_per_block = packed_shape(rows_per_half).warps_per_block;
    static constexpr int warps_per_multiprocessor = packed_shape(rows_per_half).warps_per_multiprocessor;

    // The profile of a strip in shared memory: column scores of all rows, one byte each, by target letter; of a letter
    // [half][chunk][lane][chunk bytes], so that lanes with different letters never meet in a bank.
    static constexpr int words = packed_words(rows_per_half);
    static constexpr int chunk_words = words % 4 == 0 ? 4 : words % 2 == 0 ? 2 : 1;
    static constexpr int half_bytes = 32 * 4 * words, letter_bytes = 2 * half_bytes;

    struct alignas(4 * chunk_words) Chunk {
        std::uint32_t word[chunk_words];
    };

    Halves H[rows_per_half], E[linear ? 1 : rows_per_half];
    Halves F, above; // `above`: H of the row over each half, in the column before
    Halves seen_best, floor;
    Halves minus_open, minus_extend, plus_extend;
    std::uint32_t minus_open_extend; // minus_both()
    Score base, extend, row_drift;
    int lane;
    StripBest<Score> best;

    __host__ __device__ PackedField(SweepArgs<Score> const & args, int lane_, Score corner) :
        F{join(0, 0)},
        above{join(0, 0)},
        seen_best{join(0, 0)},
        floor{join(0, 0)},
        minus_open{kept(both(-args.open))},
        minus_extend{kept(both(-args.extend))},
        plus_extend{kept(both(args.extend))},
        minus_open_extend{kept(minus_both(static_cast<std::uint32_t>(args.open + args.extend)))},
        base{corner},
        extend{args.extend},
        row_drift{local ? 0 : args.extend},
        lane{lane_},
        best{0, 0, 0}
    {
#pragma unroll
        for (int r = 0; r < rows_per_half; ++r)
            H[r] = join(0, 0);
#pragma unroll
        for (int r = 0; r < (linear ? 1 : rows_per_half); ++r)
            E[r] = join(0, 0);
        set_floor(args, 0u - lag * lane);
        seen_best = floor; // a score of 0, or lower than any cell
    }

    // Rows of the strip that a half of this lane owns begin here.
    __host__ __device__ std::uint32_t first_row(int half) const { return lane * rows_per_lane + half * rows_per_half; }

    __host__ __device__ static void build_profile(char * shared, SweepArgs<Score> const & args,
                                                  std::uint8_t const * query, std::uint32_t rows, int lane)
    {
        int const bias = (local ? 1 : 2) * args.extend; // the drift of a diagonal step
#pragma unroll 1
        for (int half = 0; half < 2; ++half) {
            std::uint32_t const first = lane * rows_per_lane + half * rows_per_half;
            std::uint32_t row_scores[4 * words]; // where the scores of the row's letter begin
#pragma unroll
            for (int r = 0; r < 4 * words; ++r)
                row_scores[r] = r < rows_per_half && first + r < rows ? query[first + r] * args.letters : no_row;
            char * at = shared + half * half_bytes + lane * 4 * chunk_words;
            for (std::uint32_t letter = 0; letter <= args.letters; ++letter, at += letter_bytes)
#pragma unroll
                for (int word = 0; word < words; ++word) {
                    std::uint32_t bytes = 0;
                    for (int k = 0; k < 4; ++k) {
                        std::uint32_t const row = row_scores[4 * word + k];
                        int const score = letter == args.letters ? INT8_MIN
                                          : row == no_row        ? bias
                                                                 : args.scores[row + letter] + bias;
                        bytes |= (static_cast<std::uint32_t>(score) & 255u) << (8 * k);
                    }
                    *reinterpret_cast<std::uint32_t *>(
                        at + (word / chunk_words * 32 * chunk_words + word % chunk_words) * 4) = bytes;
                }
        }
    }
    static constexpr std::uint32_t no_row = ~0u;
    __host__ __device__ static int profile_offset(int lane) { return lane * 4 * chunk_words; }
    __host__ __device__ char const * own_profile(char const * shared) const { return shared + profile_offset(lane); }

    struct Scores { // of all rows of a lane, for one column
        Chunk low[words / chunk_words], high[words / chunk_words];
    };
    // `low` and `high`: this lane's place in the profile, at the letters of the two columns.
    __host__ __device__ static Scores load_scores(char const * low, char const * high)
    {
        Scores scores;
#pragma unroll
        for (int c = 0; c < words / chunk_words; ++c) {
            scores.low[c] = reinterpret_cast<Chunk const *>(low)[32 * c];
            scores.high[c] = reinterpret_cast<Chunk const *>(high + half_bytes)[32 * c];
        }
        return scores;
    }

    // One column for each half.
    __host__ __device__ void step(Hand in, Scores const & scores)
    {
        Halves diagonal = above, up = permute<0x5410>(in, H[rows_per_half - 1]);
        above = up;
        Halves f = linear ? join(0, 0) : permute<0x5432>(in, F);
        Halves column_best = 0;
        if constexpr (local) {
            floor = add2(floor, plus_extend);
            seen_best = add2(seen_best, plus_extend);
        }
#pragma unroll
        for (int r = 0; r < rows_per_half; ++r) {
            std::uint32_t const a = scores.low[r / 4 / chunk_words].word[r / 4 % chunk_words],
                                b = scores.high[r / 4 / chunk_words].word[r / 4 % chunk_words];
            Halves const s = r % 4 == 0   ? permute<0xc480>(a, b)
                             : r % 4 == 1 ? permute<0xd591>(a, b)
                             : r % 4 == 2 ? permute<0xe6a2>(a, b)
                                          : permute<0xf7b3>(a, b);
            Halves h;
            // Opening from an H that came from F never beats going on, so the chain through the rows is short.
            if constexpr (local && linear) {
                h = add_max(up, minus_extend, max2(add_max(diagonal, s, H[r]), floor));
            } else if constexpr (local) {
                Halves const t = add_max(diagonal, s, E[r]);
                h = max3(t, f, floor);
                E[r] = add_max(h, minus_open, E[r]);
                f = add_max(f, minus_extend, t + minus_open_extend);
            } else if constexpr (linear) {
                h = max2(add_max(diagonal, s, H[r]), up);
            } else {
                Halves const t = add_max(diagonal, s, E[r]);
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
        if constexpr (local && rows_per_half % 2 == 1)
            column_best = max2(column_best, up);
        if constexpr (local)
            seen_best = max2(seen_best, column_best);
    }

    __host__ __device__ Hand hand() const { return permute<0x7632>(H[rows_per_half - 1], F); }

    // Columns count from 0, rows of the strip too; row -1 and column -1 are the boundaries.
    __host__ __device__ Score shift_at(int row, std::uint32_t col) const // from scores to registers
    {
        return row_drift * static_cast<Score>(row + 1) + extend * static_cast<Score>(col + 1) - base;
    }
    __host__ __device__ Hand pack_top(Entry<Score> entry, std::uint32_t col) const
    {
        return join(entry.h + shift_at(-1, col), entry.gap + shift_at(0, col));
    }
    __host__ __device__ Hand beyond_end() const { return join(-far, -far); } // above columns that the job does not have
    __host__ __device__ Entry<Score> unpack_bottom(Hand hand, std::uint32_t col) const
    {
        Score const h = low_half(hand) - shift_at(strip_rows - 1, col);
        return {h, linear ? h - extend : high_half(hand) - shift_at(strip_rows, col)};
    }
    __host__ __device__ Score cell(int half, int r, std::uint32_t col) const
    {
        return (half ? high_half(H[r]) : low_half(H[r])) - shift_at(first_row(half) + r, col);
    }
    __host__ __device__ Entry<Score> unpack_column(int half, int r, std::uint32_t col) const
    {
        Score const h = cell(half, r, col);
        if constexpr (linear)
            return {h, h - extend};
        return {h, (half ? high_half(E[r]) : low_half(E[r])) - shift_at(first_row(half) + r, col + 1)};
    }
    // The same, as little as has to be done at the time: registers relative to H of the half's first row.  from_raw()
    // is its way back (raw_columns.hpp).
    __host__ __device__ Halves raw_column(int half, int r) const
    {
        Halves const e = linear ? H[r] : E[r];
        return half ? add2(permute<0x7632>(H[r], e), both(-high_half(H[0]) - bias))
                    : add2(permute<0x5410>(H[r], e), both(-low_half(H[0]) - bias));
    }
    // Before the first step: the left boundary; `left` at the strip's first row, `rows` from there on.
    __host__ __device__ void start(LeftBoundary<Score> const & left, std::uint32_t rows)
    {
        std::uint32_t const before = ~0u; // column -1
        auto const corner = [&](int half) {
            std::uint32_t const first = first_row(half);
            return left.at(static_cast<std::int64_t>(min(first, rows)) - 1).h + shift_at(first - 1, before);
        };
        above = join(corner(0), corner(1));
#pragma unroll
        for (int r = 0; r < rows_per_half; ++r) {
            std::uint32_t const row = first_row(0) + r, high_row = first_row(1) + r;
            Entry<Score> const entry = left.at(min(row, rows - 1)), high_entry = left.at(min(high_row, rows - 1));
            H[r] = join(entry.h + shift_at(row, before), high_entry.h + shift_at(high_row, before));
            if constexpr (!linear)
                E[r] = join(entry.gap + shift_at(row, 0), high_entry.gap + shift_at(high_row, 0));
        }
    }
    // Takes a step back in the halves that are still before their first column.
    __host__ __device__ void undo(PackedField const & old, std::uint32_t col)
    {
        Halves const started = (static_cast<std::int32_t>(col) >= 0 ? 0xffffu : 0) |
                               (static_cast<std::int32_t>(col) >= 1 ? 0xffff0000u : 0);
        auto const choose = [&](Halves fresh, Halves before) { return (fresh & started) | (before & ~started); };
        above = choose(above, old.above);
        seen_best = choose(seen_best, floor);
#pragma unroll
        for (int r = 0; r < rows_per_half; ++r) {
            H[r] = choose(H[r], old.H[r]);
            if constexpr (!linear)
                E[r] = choose(E[r], old.E[r]);
        }
    }

    // Keeps the numbers in range: `middle` is a cell's register value in some lane, the same for all lanes.
    static constexpr int far = 30000; // beyond every number of a cell
    __host__ __device__ Score middle() const { return low_half(H[0]); }
    __host__ __device__ Hand rebase(Score middle, Hand hand)
    {
        base += middle;
        Halves const minus = both(-middle);
#pragma unroll
        for (int r = 0; r < rows_per_half; ++r)
            H[r] = add2(H[r], minus);
#pragma unroll
        for (int r = 0; r < (linear ? 1 : rows_per_half); ++r)
            E[r] = add2(E[r], minus);
        F = add2(F, minus);
        above = add2(above, minus);
        seen_best = join(within_range(low_half(seen_best) - middle), within_range(high_half(seen_best) - middle));
        return add2(hand, minus);
    }
    // Before the steps of a block; `col`: of the low half in the first of them.
    __host__ __device__ void set_floor(SweepArgs<Score> const & args, std::uint32_t col)
    {
        if constexpr (local)
            floor = join(within_range(shift_at(-1, col - 1) + args.floor),
                         within_range(shift_at(-1, col - 2) + args.floor));
    }
    __host__ __device__ static int within_range(Score value) { return max(-far, min(far, value)); }

    // The highest score among the cells from which paths go on in the steps from `step` on: those computed last, and
    // the one before the last of the row above, which a diagonal step comes from.
    __host__ __device__ Score frontier(std::uint32_t step) const
    {
        Halves most = above;
#pragma unroll
        for (int r = 0; r < rows_per_half; ++r)
            most = max2(most, H[r]);
        std::uint32_t const col = step - 1 - lag * lane;
        return max(low_half(most) - shift_at(-1, col), high_half(most) - shift_at(-1, col - 1));
    }

    // Remembers the best score of this lane, and the end of the steps in which it was seen first.
    __host__ __device__ void note_best(std::uint32_t step)
    {
        std::uint32_t const col = step - 1 - lag * lane;
        Score const score = max(low_half(seen_best) - shift_at(-1, col), high_half(seen_best) - shift_at(-1, col - 1));
        if (score > best.score)
            best = {score, 0, step};
    }
};

} // namespace nwgpu::cuda
