// SPDX-License-Identifier: BSD-3-Clause
// What the sweep kernels compute, as plain data that host and device share.
//
// A job is a rectangle of the matrix, computed from its top and left boundary.  It is cut into strips of rows; one warp
// computes a strip from left to right, lane by lane one step behind:
//
//              columns ->
//     lane 0   # # # # j . .        the rows of a lane stay in its registers; what a lane hands to the next one are H
//     lane 1   # # # j-1 . .        and F of its last row
//     lane 2   # # j-2 . . .
//
// Strips are handed out in order; a strip reads its top boundary as far as the strip above has published it.  A strip
// waits only for an earlier ticket, which is running or done, so nothing can deadlock and no grid barrier is needed.
#pragma once

#include <cstdint>

#include "base/host_device.hpp"
#include "path/kept.hpp"

namespace nwgpu::cuda {

constexpr std::uint32_t steps_at_once = 32; // a block of steps

using path::Entry;
using path::Kept;
using path::KeptCode;

template <class S>
struct SweepJob {
    std::uint8_t const * query = nullptr;  // letters of the rows, as indices of the score table
    std::uint8_t const * target = nullptr; // letters of the columns
    std::uint32_t rows = 0, cols = 0;      // both >= 1
    std::uint32_t first_strip = 0;         // of this job, in `progress` and `best`
    // Whether the top boundary is still on its way: the place before first_strip then stands for the strip above, of
    // another launch.
    bool top_comes = false;
    std::uint32_t rows_after = 0;   // of the matrix, below the job: where cells are skipped
    Kept<S> const * top = nullptr;  // [cols]
    Kept<S> const * left = nullptr; // [rows]; left[-1] holds H at the upper left corner
    Kept<S> * work = nullptr;       // [cols]: bottoms of strips that nobody keeps
    // Kept boundaries: cut k lies below strip (k + 1) * strips_apart - 1, or right of column (k + 1) * cols_apart - 1.
    // Column cuts have an entry -1, as `left` has.  cols_apart is at least 128.
    Kept<S> * row_cuts = nullptr;
    Kept<S> * col_cuts = nullptr;
    std::int64_t row_stride = 0, col_stride = 0;
    std::uint32_t strips_apart = 0, cols_apart = 0; // 0: none kept
    Kept<S> * right = nullptr;                      // [rows] and -1: right of the last column, or null
    std::uint32_t right_from = 0;                   // the first strip that keeps it
    S * bottom = nullptr;                           // [cols]: H of the last row, or null
    std::uint32_t * trace = nullptr;                // trace_words() of every strip, or null
    // Diagonals col - row that have to be computed.  Beyond them, a strip's left boundary and the rest of its bottom
    // are scores of a gap along the edge of the band: lower bounds.
    std::int64_t band_low = INT64_MIN / 2, band_high = INT64_MAX / 2;
};

// The columns of a strip that its job's band asks for, [begin, end).
struct StripColumns {
    std::uint32_t begin, end;
};
template <class S>
NWGPU_HOST_DEVICE inline StripColumns strip_columns(SweepJob<S> const & job, std::uint32_t strip_rows,
                                                    std::uint32_t strip)
{
    std::int64_t const cols = job.cols, first = std::int64_t{strip} * strip_rows, last = first + strip_rows;
    auto const clip = [&](std::int64_t col) {
        return static_cast<std::uint32_t>(col < 0 ? 0 : col > cols ? cols : col);
    };
    return {clip(first + job.band_low), clip((last < job.rows ? last : job.rows) + job.band_high)};
}

// The left boundary of a strip as its lanes see it: kept, or along the edge of what a band or skipping leaves out.
template <class S>
struct LeftBoundary {
    KeptCode<S> code;
    Kept<S> const * line = nullptr; // at the strip's first row; null: a gap from the corner on
    Entry<S> corner = {0, 0};       // H at the strip's upper left corner, and the gap that goes down from there
    S floor = 0;                    // of all scores

    // Of a row of the strip; row -1: the corner.
    NWGPU_HOST_DEVICE Entry<S> at(std::int64_t row) const
    {
        if (line != nullptr)
            return code.show(line[row]);
        S const gap = corner.gap - static_cast<S>(row) * code.extend;
        S const h = row < 0 ? corner.h : gap > floor ? gap : floor;
        return {h, h - code.open - code.extend};
    }
    // Below `rows` rows, where a gap goes on: the corner of the strip below, if that begins with the same column.
    NWGPU_HOST_DEVICE Entry<S> below(std::uint32_t rows) const
    {
        S const gap = corner.gap - static_cast<S>(rows) * code.extend, h = at(std::int64_t{rows} - 1).h;
        S const opened = h - code.open - code.extend;
        return {h, gap > opened ? gap : opened};
    }
};

struct SweepItem { // a ticket
    std::uint32_t job, strip;
};

// The best score of a strip, 0 if there is none above.  Plain kernels: its first cell in the order of the tie rule, by
// row and column of the job.  Packed ones: `col` ends the steps that saw it first, at most best_window columns earlier.
constexpr std::uint32_t best_window = 512;
template <class S>
struct StripBest {
    S score;
    std::uint32_t row, col;
};

// Local, packed kernels, jobs with all columns of the matrix: cells that cannot be on a path as good as the best one
// found so far are skipped, at both ends of a strip.  Gaps along the edges, down on the left, to the right in the
// bottom line, stand for their scores.
template <class S>
struct SkipArgs {
    S * best = nullptr;              // of all strips so far; null: skip nothing
    S most = 0;                      // best column score
    std::uint32_t top_end = 0;       // the first job's top boundary is 0 from this column on, if it is there
    std::uint32_t * begin = nullptr; // [strips] 1 + the first column that is computed; 0: not known yet
    // [strips] the column behind the last one whose bottom is computed, 0 if none is; valid when its progress is
    // complete.
    std::uint32_t * end = nullptr;
};

template <class S>
struct SweepArgs {
    SweepJob<S> const * jobs = nullptr;
    SweepItem const * items = nullptr;
    std::uint32_t item_count = 0;
    std::uint32_t * ticket = nullptr;
    std::uint32_t * progress = nullptr;   // [strips] columns of the bottom that are there
    StripBest<S> * best = nullptr;        // [strips], where a path ends anywhere; else null
    std::uint32_t const * stop = nullptr; // not 0: give up
    // A strip that has to wait waits for this many columns at once: then it will not have to wait again soon.
    std::uint32_t slack = 0;
    std::int32_t const * scores = nullptr; // [query letters][letters]
    std::uint32_t letters = 0;             // of the target
    S open = 0, extend = 0;
    KeptCode<S> code;   // of these
    S floor = 0;        // of all scores: 0 where a path begins anywhere, else lower than any
    bool local = false; // packed kernels: those with a floor, and with a search of the best cell
    SkipArgs<S> skip;
};

// Trace kernels: 32 lanes of 8 rows; one word per lane and step, four bits a row, see TraceCode.
constexpr std::uint32_t trace_rows_per_lane = 8, trace_strip_rows = 32 * trace_rows_per_lane;

constexpr std::uint64_t trace_steps(std::uint64_t cols)
{
    return (cols + 31 + steps_at_once - 1) / steps_at_once * steps_at_once;
}
constexpr std::uint64_t trace_words(std::uint64_t cols) { return trace_steps(cols) * 32; } // of one strip

constexpr std::uint64_t job_trace_words(std::uint64_t rows, std::uint64_t cols) // of all its strips
{
    return (rows + trace_strip_rows - 1) / trace_strip_rows * trace_words(cols);
}

// Bits 0 and 1: the way that explains H, the first that does of diagonal, vertical (F), horizontal (E).
enum TraceCode : std::uint32_t {
    trace_diagonal = 0,
    trace_vertical = 1,
    trace_horizontal = 2,
    trace_stop = 3,
    trace_way = 3,
    trace_e_opens = 4, // E(i, j+1) > E(i, j) - extend
    trace_f_opens = 8  // F(i+1, j) > F(i, j) - extend
};

// The word and the code of cell (row, col), counted from 0, of a job.
inline std::uint64_t trace_word(std::uint64_t cols, std::uint64_t row, std::uint64_t col)
{
    std::uint64_t const strip = row / trace_strip_rows, lane = row % trace_strip_rows / trace_rows_per_lane;
    return strip * trace_words(cols) + (col + lane) * 32 + lane;
}
inline std::uint32_t trace_code(std::uint32_t const * trace, std::uint64_t cols, std::uint64_t row, std::uint64_t col)
{
    return trace[trace_word(cols, row, col)] >> (row % trace_rows_per_lane * 4) & 15;
}

} // namespace nwgpu::cuda
