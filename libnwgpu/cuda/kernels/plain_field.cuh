// SPDX-License-Identifier: BSD-3-Clause
// The cells of one lane in 32 or 64 bits, one to a register, with absolute scores: for trace bits, and for schemes
// whose scores do not fit 16 bits.
#pragma once

#include "cuda/kernels/sweep_job.hpp"

#include <cuda_runtime.h>

namespace nwgpu::cuda {

template <class Score_, bool traced_>
struct PlainField {
    using Score = Score_;
    struct Hand {
        Score h, f;
    };
    static constexpr int rows_per_lane = trace_rows_per_lane, halves = 1, lag = 1;
    static constexpr int strip_rows = 32 * rows_per_lane, lag_total = 31;
    static constexpr bool local = true, traced = traced_; // local: by its floor, at run time
    static constexpr bool finds_cell = true, raw_columns = false, skips = false;
    static constexpr int unroll = 2;          // of steps: the loop should fit the nearest instruction cache
    static constexpr int warps_per_block = 1; // whose profiles are large
    static constexpr int warps_per_multiprocessor = 16;
    static constexpr std::int32_t beyond_score = -(1 << 29); // of the letter beyond the end, which matches nothing

    // [letter][chunk][lane][4 rows], 32 bits each.
    static constexpr int chunks = rows_per_lane / 4;
    static constexpr int letter_bytes = 32 * 4 * rows_per_lane;
    struct alignas(16) Chunk {
        std::int32_t score[4];
    };

    Score H[rows_per_lane], E[rows_per_lane];
    Score F, above, column_best, floor, extend, open_extend;
    std::uint32_t trace_word;
    int lane;
    StripBest<Score> best;

    __host__ __device__ PlainField(SweepArgs<Score> const & args, int lane_, Score) :
        F{0},
        above{0},
        column_best{0},
        floor{args.floor},
        extend{args.extend},
        open_extend{args.open + args.extend},
        trace_word{0},
        lane{lane_},
        best{0, 0, 0}
    {
#pragma unroll
        for (int r = 0; r < rows_per_lane; ++r)
            H[r] = E[r] = 0;
    }

    __host__ __device__ std::uint32_t first_row(int) const { return lane * rows_per_lane; }

    __host__ __device__ static void build_profile(char * shared, SweepArgs<Score> const & args,
                                                  std::uint8_t const * query, std::uint32_t rows, int lane)
    {
        for (int r = 0; r < rows_per_lane; ++r) {
            std::uint32_t const row = lane * rows_per_lane + r;
            std::int32_t const * scores = row < rows ? args.scores + query[row] * args.letters : nullptr;
            char * at = shared + (r / 4 * 32 + lane) * 16 + r % 4 * 4;
            for (std::uint32_t letter = 0; letter < args.letters; ++letter, at += letter_bytes)
                *reinterpret_cast<std::int32_t *>(at) = scores ? scores[letter] : 0;
            *reinterpret_cast<std::int32_t *>(at) = beyond_score;
        }
    }
    __host__ __device__ static int profile_offset(int lane) { return lane * 16; }
    __host__ __device__ char const * own_profile(char const * shared) const { return shared + profile_offset(lane); }

    struct Scores { // of all rows of a lane, for one column
        Chunk chunk[chunks];
    };
    __host__ __device__ static Scores load_scores(char const * profile, char const *)
    {
        Scores scores;
#pragma unroll
        for (int c = 0; c < chunks; ++c)
            scores.chunk[c] = reinterpret_cast<Chunk const *>(profile)[32 * c];
        return scores;
    }

    __host__ __device__ void step(Hand in, Scores const & scores)
    {
        Score diagonal = above;
        above = in.h;
        Score f = in.f;
        column_best = H[0];
        std::uint32_t word = 0;
#pragma unroll
        for (int r = 0; r < rows_per_lane; ++r) {
            Score const matched = diagonal + scores.chunk[r / 4].score[r % 4];
            Score const h = max(max(max(matched, E[r]), f), floor);
            Score const opened = h - open_extend, e_next = E[r] - extend, f_next = f - extend;
            if constexpr (traced) {
                std::uint32_t code = h == matched ? trace_diagonal
                                     : h == f     ? trace_vertical
                                     : h == E[r]  ? trace_horizontal
                                                  : trace_stop;
                code |= (opened > e_next ? trace_e_opens : 0) | (opened > f_next ? trace_f_opens : 0);
                word |= code << (4 * r);
            }
            E[r] = max(e_next, opened);
            f = max(f_next, opened);
            diagonal = H[r];
            H[r] = h;
            column_best = r == 0 ? h : max(column_best, h);
        }
        trace_word = word;
        F = f;
    }

    __host__ __device__ Hand hand() const { return {H[rows_per_lane - 1], F}; }
    __host__ __device__ Hand pack_top(Entry<Score> entry, std::uint32_t) const { return {entry.h, entry.gap}; }
    __host__ __device__ Hand beyond_end() const { return {floor, floor}; }
    __host__ __device__ Entry<Score> unpack_bottom(Hand hand, std::uint32_t) const { return {hand.h, hand.f}; }
    __host__ __device__ Score cell(int, int r, std::uint32_t) const { return H[r]; }
    __host__ __device__ Entry<Score> unpack_column(int, int r, std::uint32_t) const { return {H[r], E[r]}; }

    __host__ __device__ void start(LeftBoundary<Score> const & left, std::uint32_t rows)
    {
        std::uint32_t const first = first_row(0);
        above = left.at(static_cast<std::int64_t>(min(first, rows)) - 1).h;
#pragma unroll
        for (int r = 0; r < rows_per_lane; ++r) {
            Entry<Score> const entry = left.at(min(first + r, rows - 1));
            H[r] = entry.h;
            E[r] = entry.gap;
        }
    }
    __host__ __device__ void undo(PlainField const & old, std::uint32_t col)
    {
        if (static_cast<std::int32_t>(col) >= 0)
            return;
        StripBest<Score> const so_far = best;
        *this = old;
        best = so_far;
        column_best = 0;
    }

    __host__ __device__ Score middle() const { return 0; }
    __host__ __device__ Hand rebase(Score, Hand hand) { return hand; }
    __host__ __device__ void set_floor(SweepArgs<Score> const &, std::uint32_t) {}

    __host__ __device__ void note_best(std::uint32_t row_begin, std::uint32_t col)
    {
        if (column_best <= best.score)
            return;
        std::uint32_t row = 0;
#pragma unroll
        for (int r = rows_per_lane - 1; r >= 0; --r)
            if (H[r] == column_best)
                row = r;
        best = {column_best, row_begin + first_row(0) + row, col};
    }
};

// The same for alphabets whose profile no block's shared memory holds: column scores come from the score table.
template <class Score_, bool traced_>
struct TableField : PlainField<Score_, traced_> {
    using Base = PlainField<Score_, traced_>;
    using Scores = typename Base::Scores;
    using Base::rows_per_lane;
    static constexpr int letter_bytes = sizeof(std::int32_t); // in a row of the table

    char const * table;
    char const * beyond; // of the first row: the letter that matches nothing
    std::uint32_t row_at[rows_per_lane];
    static constexpr std::uint32_t no_row = ~0u;

    __device__ TableField(SweepArgs<Score_> const & args, int lane_, Score_ corner) :
        Base{args, lane_, corner},
        table{reinterpret_cast<char const *>(args.scores)},
        beyond{table + args.letters * letter_bytes}
    {}

    __device__ char const * own_profile(char const *) const { return table; }
    __device__ void build_profile(char *, SweepArgs<Score_> const & args, std::uint8_t const * query,
                                  std::uint32_t rows, int)
    {
#pragma unroll
        for (int r = 0; r < rows_per_lane; ++r) {
            std::uint32_t const row = this->first_row(0) + r;
            row_at[r] = row < rows ? query[row] * args.letters * letter_bytes : no_row;
        }
    }
    __device__ Scores load_scores(char const * letter, char const *) const
    {
        Scores scores;
#pragma unroll
        for (int r = 0; r < rows_per_lane; ++r)
            scores.chunk[r / 4].score[r % 4] = letter == beyond ? Base::beyond_score
                                               : row_at[r] == no_row
                                                   ? 0
                                                   : __ldg(reinterpret_cast<std::int32_t const *>(letter + row_at[r]));
        return scores;
    }
};

} // namespace nwgpu::cuda
