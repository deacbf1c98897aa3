// SPDX-License-Identifier: BSD-3-Clause
// The one kernel of the engine: a warp takes strips by ticket and streams along their columns; Cells (packed_cells.cuh,
// plain_cells.cuh) say what a lane computes.
#pragma once

#include "cuda/sweep_job.hpp"

#include <cuda_runtime.h>

namespace nwgpu::cuda {

// Progress of another strip.  The boundary is read around the first-level cache and only after this load has
// returned; its writer has made it visible before it published the progress.
__device__ inline std::uint32_t load_progress(std::uint32_t const * at)
{
    std::uint32_t value;
    asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(at));
    return value;
}
__device__ inline void store_release(std::uint32_t * at, std::uint32_t value)
{
    asm volatile("st.release.gpu.global.u32 [%0], %1;" ::"l"(at), "r"(value) : "memory");
}

// Boundaries pass from one multiprocessor to another: they go around the first-level caches.
__device__ inline Entry<std::int32_t> load_entry(Entry<std::int32_t> const * at)
{
    int2 const value = __ldcg(reinterpret_cast<int2 const *>(at));
    return {value.x, value.y};
}
__device__ inline Entry<std::int64_t> load_entry(Entry<std::int64_t> const * at)
{
    longlong2 const value = __ldcg(reinterpret_cast<longlong2 const *>(at));
    return {value.x, value.y};
}
__device__ inline void store_entry(Entry<std::int32_t> * at, Entry<std::int32_t> entry)
{
    __stcg(reinterpret_cast<int2 *>(at), make_int2(entry.h, entry.gap));
}
__device__ inline void store_entry(Entry<std::int64_t> * at, Entry<std::int64_t> entry)
{
    __stcg(reinterpret_cast<longlong2 *>(at), make_longlong2(entry.h, entry.gap));
}

__device__ inline std::uint32_t from_lane_above(std::uint32_t hand) { return __shfl_up_sync(~0u, hand, 1); }
template <class Hand>
__device__ inline Hand from_lane_above(Hand const & hand)
{
    return {__shfl_up_sync(~0u, hand.h, 1), __shfl_up_sync(~0u, hand.f, 1)};
}

// What the lanes of a warp share: top boundary and bottom boundary of the columns at hand, and the places of their
// letters in the profile, for all lanes' columns.
template <class Cells>
struct WarpMemory {
    typename Cells::Hand top[steps_at_once], bottom[steps_at_once];
    std::uint32_t letter[64 + steps_at_once + 1]; // the last one is read, but not used
};

template <class Cells>
class Strip {
public:
    using Score = typename Cells::Score;
    using Hand = typename Cells::Hand;

    __device__ Strip(SweepArgs<Score> const & args, SweepJob<Score> const & job, std::uint32_t strip, char * profile,
                     WarpMemory<Cells> & memory, int lane) :
        args_{args},
        job_{job},
        memory_{memory},
        cells_{args, lane, job.left[static_cast<std::int64_t>(strip) * Cells::strip_rows - 1].h},
        profile_{profile + Cells::profile_offset(lane)},
        hand_{},
        lane_{lane},
        strip_{strip},
        row_begin_{strip * Cells::strip_rows}
    {
        if (strip == 0)
            there_ = job.cols;
        cells_.start(job.left + row_begin_, job.rows - row_begin_);
        Cells::build_profile(profile, args, job.query + row_begin_, job.rows - row_begin_, lane);
        for (int k = lane; k <= 64 + static_cast<int>(steps_at_once); k += 32)
            memory_.letter[k] = 0;
    }

    // Returns false when the host wants to stop.
    //
    // The way through the cache and back takes longer than some steps, so it is taken in the shadow of others: half a
    // block after its last step a block is published, and half a block before its first step the next one is asked for.
    __device__ bool run()
    {
        Entry<Score> * const bottom = line_below(strip_);
        std::uint32_t * const progress = args_.progress + job_.first_strip + strip_;
        std::uint32_t const cols = job_.cols, blocks = (cols + Cells::lag_total + steps_at_once - 1) / steps_at_once;
        std::uint32_t next_cut = job_.cols_apart > 0 ? job_.cols_apart : ~0u;
        bool const tap = job_.bottom != nullptr && row_begin_ + Cells::strip_rows >= job_.rows;
        Columns next;
        bool asked = false;
        for (std::uint32_t block = 0; block < blocks; ++block) {
            std::uint32_t const step = block * steps_at_once;
            if (!asked) {
                if (!wait_for(min(step + steps_at_once, cols)))
                    return false;
                next = read_columns(step);
            } else if (block % 16 == 15 && stopped()) {
                return false;
            }
            if (block % 8 == 2 && step + steps_at_once <= cols)
                hand_ = cells_.rebase(__shfl_sync(~0u, cells_.middle(), 16), hand_);
            share_columns(next, step);
            cells_.set_floor(step - Cells::lag * lane_);
            std::uint32_t const news = strip_ > 0 && there_ < cols ? load_progress(progress - 1) : there_;

            if (next_cut != ~0u && next_cut - 1 + Cells::lag_total < step)
                next_cut += job_.cols_apart;
            bool const at_cut = next_cut != ~0u && next_cut - 1 < step + steps_at_once;
            bool const careful =
                step <= Cells::lag_total || step + steps_at_once >= cols || at_cut || tap;
#pragma unroll 1
            for (int half = 0; half < 2; ++half) {
                steps(careful, step, half * half_block, next_cut, tap);
                if (half == 1)
                    break;
                publish(progress, step);
                there_ = __shfl_sync(~0u, news, 0);
                asked = block + 1 < blocks && there_ >= min(step + 2 * steps_at_once, cols);
                if (asked)
                    next = read_columns(step + steps_at_once);
            }

            __syncwarp();
            std::int64_t const col = static_cast<std::int64_t>(step) + lane_ - Cells::lag_total;
            if (col >= 0 && col < cols)
                store_entry(bottom + col, cells_.unpack_bottom(memory_.bottom[lane_], static_cast<std::uint32_t>(col)));
            __syncwarp();
        }
        publish(progress, blocks * steps_at_once);
        if (Cells::local && args_.best != nullptr)
            store_best();
        return true;
    }

private:
    struct Columns { // one per lane
        Entry<Score> top{};
        std::uint32_t letter = 0;
    };

    __device__ Entry<Score> const * top_line() const { return strip_ == 0 ? job_.top : line_below(strip_ - 1); }
    __device__ Entry<Score> * line_below(std::uint32_t strip) const
    {
        bool const last = (strip + 1) * Cells::strip_rows >= job_.rows;
        if (last || job_.strips_apart == 0 || (strip + 1) % job_.strips_apart != 0)
            return job_.work;
        return job_.row_cuts + ((strip + 1) / job_.strips_apart - 1) * job_.row_stride;
    }

    __device__ bool stopped() const { return __shfl_sync(~0u, lane_ == 0 ? load_progress(args_.stop) : 0, 0) != 0; }

    // Until the strip above has published this many columns.
    __device__ bool wait_for(std::uint32_t cols)
    {
        for (unsigned tries = 0; strip_ > 0 && there_ < cols; ++tries) {
            if (tries > 0)
                __nanosleep(20);
            if (tries % 64 == 63 && stopped())
                return false;
            there_ = __shfl_sync(~0u, lane_ == 0 ? load_progress(args_.progress + job_.first_strip + strip_ - 1) : 0, 0);
        }
        return true;
    }

    // All steps before `step` are stored.
    __device__ void publish(std::uint32_t * progress, std::uint32_t step) const
    {
        if (lane_ == 0 && step > Cells::lag_total)
            store_release(progress, min(step - Cells::lag_total, job_.cols));
        __syncwarp();
    }

    __device__ Columns read_columns(std::uint32_t step) const
    {
        std::uint32_t const col = step + lane_;
        if (col >= job_.cols)
            return {};
        return {load_entry(top_line() + col), job_.target[col] * static_cast<std::uint32_t>(Cells::letter_bytes)};
    }

    __device__ void share_columns(Columns const & columns, std::uint32_t step)
    {
        std::uint32_t const first = memory_.letter[32 + lane_], second = memory_.letter[64 + lane_];
        __syncwarp();
        memory_.letter[lane_] = first;
        memory_.letter[32 + lane_] = second;
        memory_.letter[64 + lane_] = columns.letter;
        memory_.top[lane_] = cells_.pack_top(columns.top, step + lane_);
        __syncwarp();
    }

    // Half a block of steps.
    __device__ __forceinline__ void steps(bool careful, std::uint32_t step, int first, std::uint32_t cut, bool tap)
    {
        std::uint32_t const * const letters = memory_.letter + 64 - Cells::lag * lane_ + first;
        std::uint32_t letter = letters[0];
        typename Cells::Scores scores = Cells::load_scores(profile_ + letter, profile_ + last_letter_);
        if (careful) {
#pragma unroll 1
            for (int k = 0; k < half_block; ++k)
                one_step<true>(step, first + k, cut, tap, letters[k + 1], letter, scores);
        } else {
#pragma unroll(Cells::unroll)
            for (int k = 0; k < half_block; ++k)
                one_step<false>(step, first + k, cut, tap, letters[k + 1], letter, scores);
        }
        last_letter_ = letters[half_block - 1];
    }

    // `careful`: some lane is before its first or beyond its last column, or at a cut.  Scores are loaded a step ahead.
    template <bool careful>
    __device__ __forceinline__ void one_step(std::uint32_t step, int k, std::uint32_t cut, bool tap,
                                             std::uint32_t next_letter, std::uint32_t & letter,
                                             typename Cells::Scores & scores)
    {
        typename Cells::Scores const next_scores = Cells::load_scores(profile_ + next_letter, profile_ + letter);
        letter = next_letter;
        Hand in = from_lane_above(hand_);
        if (lane_ == 0)
            in = memory_.top[k];
        std::uint32_t const col = step + k - Cells::lag * lane_; // wraps below zero
        if (!careful || (col != 0 && col < before_first))
            cells_.step(in, scores);
        else if (col == 0)
            cells_.first_step(in, scores);
        scores = next_scores;
        hand_ = cells_.hand();
        if (lane_ == 31)
            memory_.bottom[k] = hand_;
        if constexpr (Cells::traced)
            job_.trace[strip_ * trace_words(job_.cols) + static_cast<std::uint64_t>(step + k) * 32 + lane_] =
                cells_.trace_word;
        if constexpr (careful) {
            for (int half = 0; half < Cells::halves; ++half) {
                std::uint32_t const at = col - half;
                if (at >= job_.cols) {
                    cells_.ignore(half);
                    continue;
                }
                if (at + 1 == cut && cut < job_.cols)
                    keep_column(job_.col_cuts + (cut / job_.cols_apart - 1) * job_.col_stride, half, at);
                if (at + 1 == job_.cols && job_.right != nullptr)
                    keep_column(job_.right, half, at);
                if (tap)
                    tap_bottom(half, at);
            }
        }
        if constexpr (Cells::local)
            cells_.note_best(row_begin_, col);
    }

    __device__ __forceinline__ void keep_column(Entry<Score> * line, int half, std::uint32_t col)
    {
        std::uint32_t const first = row_begin_ + cells_.first_row(half);
        if (first == 0)
            store_entry(line - 1, load_entry(job_.top + col));
#pragma unroll
        for (int r = 0; r < Cells::rows_per_lane / Cells::halves; ++r)
            if (first + r < job_.rows)
                store_entry(line + first + r, cells_.unpack_column(half, r, col));
    }

    __device__ void tap_bottom(int half, std::uint32_t col)
    {
        std::uint32_t const wanted = job_.rows - 1 - row_begin_ - cells_.first_row(half);
#pragma unroll
        for (int r = 0; r < Cells::rows_per_lane / Cells::halves; ++r)
            if (wanted == static_cast<std::uint32_t>(r))
                job_.bottom[col] = cells_.cell(half, r, col);
    }

    __device__ void store_best() const
    {
        StripBest<Score> best = cells_.best;
        for (int apart = 16; apart > 0; apart /= 2) {
            StripBest<Score> const other{__shfl_down_sync(~0u, best.score, apart), __shfl_down_sync(~0u, best.row, apart),
                                         __shfl_down_sync(~0u, best.col, apart)};
            bool const better = other.score != best.score ? other.score > best.score
                                : other.col != best.col   ? other.col < best.col
                                                          : other.row < best.row;
            if (better)
                best = other;
        }
        if (lane_ == 0)
            args_.best[job_.first_strip + strip_] = best;
    }

    SweepArgs<Score> const & args_;
    SweepJob<Score> const & job_;
    WarpMemory<Cells> & memory_;
    Cells cells_;
    char const * profile_;
    Hand hand_;
    static constexpr int half_block = steps_at_once / 2;
    static constexpr std::uint32_t before_first = 1u << 31; // columns from here on are those before column 0
    std::uint32_t last_letter_ = 0, there_ = 0; // `there_`: columns that the strip above has published
    int lane_;
    std::uint32_t strip_, row_begin_;
};

// One warp a block; dynamic shared memory: letters * Cells::letter_bytes.
template <class Cells>
__global__ void __launch_bounds__(32, Cells::blocks_per_sm)
    sweep_kernel(__grid_constant__ SweepArgs<typename Cells::Score> const args)
{
    extern __shared__ __align__(16) char profile[];
    __shared__ WarpMemory<Cells> memory;
    int const lane = threadIdx.x;
    for (;;) {
        std::uint32_t ticket = 0;
        if (lane == 0)
            ticket = atomicAdd(args.ticket, 1);
        ticket = __shfl_sync(~0u, ticket, 0);
        if (ticket >= args.item_count)
            return;
        SweepItem const item = args.items[ticket];
        __syncwarp();
        Strip<Cells> strip{args, args.jobs[item.job], item.strip, profile, memory, lane};
        __syncwarp();
        if (!strip.run())
            return;
    }
}

} // namespace nwgpu::cuda
