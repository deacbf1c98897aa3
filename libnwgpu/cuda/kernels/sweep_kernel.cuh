// SPDX-License-Identifier: BSD-3-Clause
// The one kernel of the engine: a warp takes strips by ticket and streams along their columns; Field (packed_field.cuh,
// plain_field.cuh) say what a lane computes.
#pragma once

#include "cuda/device/dynamic_shared.cuh"
#include "cuda/kernels/band_edge.cuh"
#include "cuda/kernels/sweep_memory.cuh"
#include "cuda/kernels/sweep_skip.cuh"

namespace nwgpu::cuda {

__device__ inline std::uint32_t from_lane_above(std::uint32_t hand) { return __shfl_up_sync(~0u, hand, 1); }
template <class Hand>
__device__ inline Hand from_lane_above(Hand const & hand)
{
    return {__shfl_up_sync(~0u, hand.h, 1), __shfl_up_sync(~0u, hand.f, 1)};
}

// What the lanes of a warp share: top boundary and bottom boundary of the columns at hand, and the places of their
// letters in the profile, for all lanes' columns.
template <class Field>
struct WarpMemory {
    typename Field::Hand top[steps_at_once], bottom[steps_at_once];
    std::uint32_t letter[64 + steps_at_once + 1]; // the last one is read, but not used
};

template <class Field>
class Strip {
public:
    using Score = typename Field::Score;
    using Hand = typename Field::Hand;

    // `columns`: not empty; `left` of them; `profile`: of the rows, where the field skips.  The strip above has
    // published the column before them.
    __device__ Strip(SweepArgs<Score> const & args, SweepJob<Score> const & job, std::uint32_t strip,
                     StripColumns const & columns, LeftBoundary<Score> const & left, char * profile,
                     WarpMemory<Field> & memory, int lane) :
        args_{args},
        job_{job},
        memory_{memory},
        cells_{args, lane, left.at(-1).h},
        profile_{cells_.own_profile(profile)},
        hand_{},
        lane_{lane},
        strip_{strip},
        begin_{columns.begin},
        top_end_{job.cols},
        cols_{columns.end - columns.begin},
        target_{job.target + columns.begin},
        top_{line_above<Field>(job, strip) + columns.begin},
        bottom_{line_below<Field>(job, strip) + columns.begin},
        trace_{job.trace + strip * trace_words(job.cols) + columns.begin * 32}
    {
        if (has_whole_top(job, strip)) {
            there_ = job.cols;
            if (Field::skips && args.skip.best != nullptr)
                end_top(args.skip.top_end);
        }
        cells_.start(left, rows());
        if constexpr (!Field::skips)
            cells_.build_profile(profile, args, job.query + row_begin(), rows(), lane);
        for (int k = lane; k <= 64 + static_cast<int>(steps_at_once); k += 32)
            memory_.letter[k] = 0;
    }

    // Returns false when the host wants to stop.
    //
    // The way through the cache and back takes longer than some steps, so it is taken in the shadow of others: half a
    // block after its last step a block is published, and half a block before its first step the next one is asked for.
    __device__ bool run()
    {
        std::uint32_t * const progress = args_.progress + job_.first_strip + strip_;
        std::uint32_t const cols = cols_, blocks = (cols + Field::lag_total + steps_at_once - 1) / steps_at_once;
        std::uint32_t next_cut = job_.cols_apart > 0 ? job_.cols_apart - begin_ % job_.cols_apart : ~0u;
        bool const to_right = job_.right != nullptr && strip_ >= job_.right_from && begin_ + cols == job_.cols;
        bool const tap = job_.bottom != nullptr && rows() <= Field::strip_rows;
        Columns next;
        bool asked = false, skipped = false;
        for (std::uint32_t block = 0; block < blocks; ++block) {
            std::uint32_t const step = block * steps_at_once;
            if (!asked) {
                std::uint32_t const wanted = begin_ + min(step + args_.slack, cols);
                if (!wait_for_strip_above(args_, job_, strip_, wanted, lane_, there_))
                    return false;
                note_top_end();
                next = read_columns(step);
            } else if (block % 16 == 15 && stopped(args_, lane_)) {
                return false;
            }
            if constexpr (Field::skips)
                if (block % 8 == 2) {
                    cells_.note_best(step);
                    if (args_.skip.best != nullptr && rest_can_be_skipped(step)) {
                        skip_rest(progress, step);
                        skipped = true;
                        break;
                    }
                }
            if (block % 8 == 2 && step + steps_at_once <= cols)
                hand_ = cells_.rebase(__shfl_sync(~0u, cells_.middle(), 16), hand_);
            share_columns(next, step);
            cells_.set_floor(args_, step - Field::lag * lane_);
            std::uint32_t const news = there_ < begin_ + cols ? load_progress(progress - 1) : there_;

            if (next_cut != ~0u && next_cut - 1 + Field::lag_total < step)
                next_cut += job_.cols_apart;

#pragma unroll 1
            for (int half = 0; half < 2; ++half) {
                std::uint32_t const first = step + half * half_block, last = first + half_block;
                // Strips follow each other no closer than the slowest of their steps take, so few should be slow.
                bool const careful = first <= Field::lag_total || tap || (last >= cols && to_right) ||
                                     (next_cut - 1 < last && next_cut - 1 + Field::lag_total >= first);
                steps(careful, step, half * half_block, next_cut, to_right, tap);
                if (half == 1)
                    break;
                publish(progress, step);
                there_ = __shfl_sync(~0u, news, 0);
                note_top_end();
                asked = block + 1 < blocks && there_ >= begin_ + min(step + 2 * steps_at_once, cols);
                if (asked)
                    next = read_columns(step + steps_at_once);
            }

            __syncwarp();
            std::int64_t const col = static_cast<std::int64_t>(step) + lane_ - Field::lag_total;
            if (col >= 0 && col < cols)
                store_entry(args_.code, bottom_ + col,
                            cells_.unpack_bottom(memory_.bottom[lane_], static_cast<std::uint32_t>(col)));
            __syncwarp();
        }
        if (!skipped) {
            publish(progress, blocks * steps_at_once);
            if constexpr (Field::skips)
                cells_.note_best(blocks * steps_at_once);
        }
        if (Field::local && args_.best != nullptr)
            store_best();
        return true;
    }

private:
    // Before the steps from `step` on: whether nothing that is left of the strip can matter.  The strip above must have
    // ended, no further right.
    __device__ bool rest_can_be_skipped(std::uint32_t step)
    {
        Score const best = share_best(args_, cells_.best.score, lane_);
        if (step <= Field::lag_total || there_ < job_.cols || top_end_ + Field::lag_total > begin_ + step)
            return false;
        Score const frontier = warp_max(cells_.frontier(step));
        std::uint32_t const cols_left = cols_ - min(cols_, step - Field::lag_total - 1);
        return frontier + most_gain(args_, job_, rows(), cols_left) < best;
    }
    __device__ void skip_rest(std::uint32_t * progress, std::uint32_t step)
    {
        __syncwarp();
        if (lane_ == 0) {
            args_.skip.end[job_.first_strip + strip_] = begin_ + step - Field::lag_total;
            store_release(progress, job_.cols);
        }
        __syncwarp();
    }
    // The strip above may have ended before its last column.
    __device__ void note_top_end()
    {
        if (!Field::skips || args_.skip.best == nullptr || has_whole_top(job_, strip_) || there_ < begin_ + cols_)
            return;
        end_top(min(job_.cols, __ldcg(args_.skip.end + job_.first_strip + strip_ - 1)));
    }
    // The top boundary is computed as far as column `end`, where it can still be read: this strip's bottom, which may
    // take its place, lags behind.
    __device__ void end_top(std::uint32_t end)
    {
        if (end == top_end_)
            return;
        top_end_ = end;
        top_edge_ = end > begin_ ? load_entry(args_.code, top_ + (end - begin_) - 1).h - args_.open : 0;
    }

    __device__ std::uint32_t row_begin() const { return strip_ * Field::strip_rows; }
    __device__ std::uint32_t rows() const { return job_.rows - row_begin(); } // from this strip's first on

    struct Columns { // one per lane, as it comes from memory: nobody waits for it before it is shared
        Kept<Score> top{};
        std::uint32_t letter = 0;
    };

    // All steps before `step` are stored.
    __device__ void publish(std::uint32_t * progress, std::uint32_t step) const
    {
        if (lane_ == 0 && step > Field::lag_total)
            store_release(progress, begin_ + min(step - Field::lag_total, cols_));
        __syncwarp();
    }

    __device__ Columns read_columns(std::uint32_t step) const
    {
        std::uint32_t const col = step + lane_;
        if (col >= cols_) // beyond the end: a letter that matches nothing
            return {{}, args_.letters};
        if (Field::skips && begin_ + col >= top_end_) {
            Score const gap = top_edge_ - static_cast<Score>(begin_ + col + 1 - top_end_) * args_.extend;
            return {args_.code.keep(max(gap, Score{0})), target_[col]};
        }
        return {load_kept(top_ + col), target_[col]};
    }

    __device__ void share_columns(Columns const & columns, std::uint32_t step)
    {
        std::uint32_t const first = memory_.letter[32 + lane_], second = memory_.letter[64 + lane_];
        __syncwarp();
        memory_.letter[lane_] = first;
        memory_.letter[32 + lane_] = second;
        memory_.letter[64 + lane_] = columns.letter * Field::letter_bytes;
        std::uint32_t const col = step + lane_;
        memory_.top[lane_] = col < cols_ ? cells_.pack_top(args_.code.show(columns.top), col) : cells_.beyond_end();
        __syncwarp();
    }

    // Half a block of steps.
    __device__ __forceinline__ void steps(bool careful, std::uint32_t step, int first, std::uint32_t next_cut,
                                          bool to_right, bool tap)
    {
        std::uint32_t const * const letters = memory_.letter + 64 - Field::lag * lane_ + first;
        std::uint32_t letter = letters[0];
        typename Field::Scores scores = cells_.load_scores(profile_ + letter, profile_ + last_letter_);
        if (careful) {
#pragma unroll 1
            for (int k = 0; k < half_block; ++k)
                one_step<true>(step, first + k, next_cut, to_right, tap, letters[k + 1], letter, scores);
        } else {
#pragma unroll(Field::unroll)
            for (int k = 0; k < half_block; ++k)
                one_step<false>(step, first + k, ~0u, false, false, letters[k + 1], letter, scores);
        }
        last_letter_ = letters[half_block - 1];
    }

    // `careful`: some lane is before its first column, or at a cut or an end that is kept.  Scores are loaded a step
    // ahead.
    template <bool careful>
    __device__ __forceinline__ void one_step(std::uint32_t step, int k, std::uint32_t next_cut, bool to_right, bool tap,
                                             std::uint32_t next_letter, std::uint32_t & letter,
                                             typename Field::Scores & scores)
    {
        typename Field::Scores const next_scores = cells_.load_scores(profile_ + next_letter, profile_ + letter);
        letter = next_letter;
        Hand in = from_lane_above(hand_);
        if (lane_ == 0)
            in = memory_.top[k];
        std::uint32_t const col = step + k - Field::lag * lane_; // wraps below zero
        if (!careful || step > Field::lag_total) {
            cells_.step(in, scores);
        } else {
            Field const old = cells_;
            cells_.step(in, scores);
            cells_.undo(old, col);
        }
        scores = next_scores;
        hand_ = cells_.hand();
        if (lane_ == 31)
            memory_.bottom[k] = hand_;
        // A strip in a band begins anywhere: its last steps may lie beyond those that trace_words() counts.
        if constexpr (Field::traced)
            if (begin_ + step + k < trace_steps(job_.cols))
                trace_[static_cast<std::uint64_t>(step + k) * 32 + lane_] = cells_.trace_word;
        if constexpr (careful) {
            for (int half = 0; half < Field::halves; ++half) {
                std::uint32_t const at = col - half;
                if (at >= cols_)
                    continue;
                bool const right = to_right && at + 1 == cols_;
                if (right || (at + 1 == next_cut && begin_ + next_cut < job_.cols))
                    keep_column(right ? job_.right : col_cut(job_, begin_ + next_cut), half, at);
                if (tap)
                    tap_bottom(half, at);
            }
        }
        if constexpr (Field::finds_cell)
            cells_.note_best(row_begin(), col);
    }

    // All other lanes wait for the one that does this: packed cells leave most of it to finish_columns().
    __device__ __forceinline__ void keep_column(Kept<Score> * line, int half, std::uint32_t col)
    {
        std::uint32_t const first = cells_.first_row(half), rows = this->rows();
        if (row_begin() + first == 0)
            store_entry(args_.code, line - 1, load_entry(args_.code, top_ + col));
        line += row_begin() + first;
#pragma unroll
        for (int r = 0; r < Field::rows_per_lane / Field::halves; ++r)
            if (first + r < rows) {
                if constexpr (Field::raw_columns)
                    if (r > 0) {
                        __stcg(&line[r].word, static_cast<Score>(cells_.raw_column(half, r)));
                        continue;
                    }
                store_entry(args_.code, line + r, cells_.unpack_column(half, r, col));
            }
    }

    __device__ void tap_bottom(int half, std::uint32_t col)
    {
        std::uint32_t const wanted = rows() - 1 - cells_.first_row(half);
        Score * const at = job_.bottom + begin_ + col;
#pragma unroll
        for (int r = 0; r < Field::rows_per_lane / Field::halves; ++r)
            if (wanted == static_cast<std::uint32_t>(r))
                *at = cells_.cell(half, r, col);
    }

    __device__ void store_best() const
    {
        StripBest<Score> best = cells_.best;
        for (int apart = 16; apart > 0; apart /= 2) {
            StripBest<Score> const other{__shfl_down_sync(~0u, best.score, apart),
                                         __shfl_down_sync(~0u, best.row, apart),
                                         __shfl_down_sync(~0u, best.col, apart)};
            bool const better = other.score != best.score ? other.score > best.score
                                : other.col != best.col   ? other.col < best.col
                                                          : other.row < best.row;
            if (better)
                best = other;
        }
        if (!Field::finds_cell)
            best.col += begin_;
        if (lane_ == 0)
            args_.best[job_.first_strip + strip_] = best;
    }

    SweepArgs<Score> const & args_;
    SweepJob<Score> const & job_;
    WarpMemory<Field> & memory_;
    Field cells_;
    char const * profile_;
    Hand hand_;
    static constexpr int half_block = steps_at_once / 2;
    std::uint32_t last_letter_ = 0, there_ = 0; // `there_`: columns of the job that the strip above has published
    int lane_;
    std::uint32_t strip_;
    std::uint32_t
        begin_; // columns of the job before the strip's; progress counts from the job's first, all else from here
    // Of the job's columns: from here on the top boundary is a gap, which has this score before its first letter.
    std::uint32_t top_end_;
    Score top_edge_ = 0;
    // What every block of steps needs of the job; a read of global memory would cost as much as some steps.
    std::uint32_t cols_;
    std::uint8_t const * target_;
    Kept<Score> const * top_;
    Kept<Score> * bottom_;
    std::uint32_t * trace_;
};

// The warps of a block have nothing to do with each other.  Dynamic shared memory: (letters + 1) *
// Field::letter_bytes a warp.
template <class Field>
__global__ void __launch_bounds__(32 * Field::warps_per_block, Field::warps_per_multiprocessor / Field::warps_per_block)
    sweep_kernel(__grid_constant__ SweepArgs<typename Field::Score> const args)
{
    NWGPU_DYNAMIC_SHARED(char, profiles);
    __shared__ WarpMemory<Field> memory[Field::warps_per_block];
    int const lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    char * const profile = profiles + warp * ((args.letters + 1) * Field::letter_bytes);
    for (;;) {
        std::uint32_t ticket = 0;
        if (lane == 0)
            ticket = atomicAdd(args.ticket, 1);
        ticket = __shfl_sync(~0u, ticket, 0);
        if (ticket >= args.item_count)
            return;
        SweepItem const item = args.items[ticket];
        SweepJob<typename Field::Score> const & job = args.jobs[item.job];
        StripColumns columns = strip_columns(job, Field::strip_rows, item.strip);
        std::uint32_t there = has_whole_top(job, item.strip) ? job.cols : 0;
        __syncwarp();
        LeftBoundary<typename Field::Score> left;
        bool const skips = Field::skips && args.skip.best != nullptr;
        if constexpr (Field::skips) {
            // Before it is known where the strip begins, as from then on those below wait for it.
            std::uint32_t const row = item.strip * Field::strip_rows;
            Field::build_profile(profile, args, job.query + row, job.rows - row, lane);
            if (skips && !skip_begin<Field>(args, job, item.strip, lane, columns, left))
                return;
        }
        if (columns.begin < columns.end) {
            if (columns.begin > 0 && !wait_for_strip_above(args, job, item.strip, columns.begin, lane, there))
                return;
            if (!skips)
                left = left_boundary<Field>(args, job, item.strip, columns);
            Strip<Field> strip{args, job, item.strip, columns, left, profile, memory[warp], lane};
            __syncwarp();
            if (!strip.run())
                return;
        }
        extend_bottom<Field>(args, job, item.strip, columns, lane);
    }
}

} // namespace nwgpu::cuda
