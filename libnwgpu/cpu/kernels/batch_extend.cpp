// SPDX-License-Identifier: BSD-3-Clause
// The kernel for many pairs whose alignments begin at the origin and end anywhere, one per lane, in 8 or 16 bits,
// all of the matrix or a band of it, around which are the least numbers.  Called by lane_batch.cpp through the table of
// kernel_table.hpp.
//
// Every row takes a match away: h(i,j) = H(i,j) - match * i.  So no number is above 0, the greatest one of its width,
// and what is below the least one can no longer become positive: it may stay there (docs/proofs.md, lemma 27).
//
//   h(i,j) = max(h(i-1,j-1) [- match - mismatch], e(i,j), f(i,j))
//   e(i,j+1) = max(e(i,j) - extend, h(i,j) - open - extend)
//   f(i+1,j) = max(f(i,j) - extend, h(i,j) - open - extend) - match
#include "cpu/kernels/isas.hpp" // must come first

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/kernels/batch_extend.cpp"
#include <hwy/foreach_target.h> // must come before highway.h

#include <algorithm>
#include <limits>

#include <hwy/highway.h>

#include "cpu/kernels/batch_lanes-inl.hpp"
#include "cpu/kernels/kernels.hpp"
#include "cpu/kernels/lane_groups.hpp"
#include "cpu/kernels/simd-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace nwgpu::cpu::HWY_NAMESPACE {
namespace {

// h of a score of -cost.
template <class T>
T below(std::int64_t cost)
{
    constexpr std::int64_t least = std::numeric_limits<T>::min(), zero = std::numeric_limits<T>::max();
    return static_cast<T>(std::max(least, zero - cost));
}

std::int64_t border_cost(ScoreScheme const & scheme, std::uint64_t length)
{
    return length == 0 ? 0 : scheme.open + static_cast<std::int64_t>(length) * scheme.extend;
}

// C columns behind `col`: F of each column runs down the rows, E and H of each row through the columns.
template <class T, int C, bool find_end, bool traced>
void tile(BatchExtendGroup const & group, std::uint64_t col, LaneBest<T> & best)
{
    hn::ScalableTag<T> const d;
    using V = hn::VFromD<decltype(d)>;
    constexpr std::size_t lanes = hn::MaxLanes(d), plane_bytes = (lanes + 7) / 8,
                          cell_bytes = BatchExtendGroup::planes * plane_bytes;
    ScoreScheme const & scheme = *group.scheme;
    auto const all = [&](std::int64_t value) HWY_ATTR { return hn::Set(d, static_cast<T>(value)); };
    V const match = all(scheme.match), mismatch = all(scheme.match - scheme.mismatch), one = all(1);
    V const extend_e = all(scheme.extend), open_e = all(scheme.open + scheme.extend);
    V const extend_f = hn::Add(extend_e, match), open_f = hn::Add(open_e, match);
    T *const hs = static_cast<T *>(group.state), *const es = hs + group.rows * lanes;

    std::uint64_t const first = group.band_begin(col), end = group.band_end(col + C);
    std::int64_t const of_rows_before = static_cast<std::int64_t>(first) * scheme.match;
    V letter[C], f[C], above[C], column_best[C], column_row[C]; // above: H of the row above
    NWGPU_UNROLL
    for (int c = 0; c < C; ++c) {
        letter[c] = load_letters(d, group.target + (col + c) * lanes);
        above[c] = all(first == 0 ? below<T>(border_cost(scheme, col + c + 1)) : std::numeric_limits<T>::min());
        f[c] = hn::SaturatedSub(above[c], open_f);
        column_best[c] = all(below<T>(of_rows_before)); // only what is above 0 is an end
        column_row[c] = hn::Zero(d);
    }
    V corner = first == 0 ? all(below<T>(border_cost(scheme, col))) : hn::Load(d, hs + (first - 1) * lanes),
      row_index = all(static_cast<std::int64_t>(first));
    std::uint8_t * trace = nullptr;
    if constexpr (traced)
        trace = group.trace + group.kept_at(first, col, cell_bytes);

    for (std::uint64_t row = first; row < end; ++row) {
        V const query = load_letters(d, group.query + row * lanes);
        V const left = hn::Load(d, hs + row * lanes);
        V diagonal = corner, h = left, e = hn::Load(d, es + row * lanes);
        corner = left;
        if constexpr (!find_end)
            column_best[0] = hn::Sub(column_best[0], match);
        NWGPU_UNROLL
        for (int c = 0; c < C; ++c) {
            V const from_diagonal = hn::SaturatedSub(diagonal, hn::IfThenZeroElse(hn::Eq(query, letter[c]), mismatch));
            h = hn::Max(hn::Max(from_diagonal, e), f[c]);
            diagonal = above[c];
            above[c] = h;
            V const opened_e = hn::SaturatedSub(h, open_e), next_e = hn::SaturatedSub(e, extend_e);
            V const opened_f = hn::SaturatedSub(h, open_f), next_f = hn::SaturatedSub(f[c], extend_f);
            if constexpr (traced) {
                std::uint8_t * const bits = trace + c * cell_bytes;
                hn::StoreMaskBits(d, hn::Eq(h, from_diagonal), bits + plane_diagonal * plane_bytes);
                hn::StoreMaskBits(d, hn::Eq(h, f[c]), bits + plane_vertical * plane_bytes);
                hn::StoreMaskBits(d, hn::Gt(opened_e, next_e), bits + plane_e_opens * plane_bytes);
                hn::StoreMaskBits(d, hn::Gt(opened_f, next_f), bits + plane_f_opens * plane_bytes);
            }
            int const k = find_end ? c : 0; // the score alone needs no columns
            if constexpr (find_end) {
                column_best[k] = hn::Sub(column_best[k], match);
                column_row[k] = hn::IfThenElse(hn::Gt(h, column_best[k]), row_index, column_row[k]);
            }
            column_best[k] = hn::Max(column_best[k], h);
            e = hn::Max(next_e, opened_e);
            f[c] = hn::Max(next_f, opened_f);
        }
        if constexpr (find_end)
            row_index = hn::Add(row_index, one);
        hn::Store(h, d, hs + row * lanes);
        hn::Store(e, d, es + row * lanes);
        trace += batch_columns * cell_bytes;
    }

    // The least number stands for a score of 0.
    V const low =
        all(below<T>(0) - std::int64_t{std::numeric_limits<T>::min()} - static_cast<std::int64_t>(end) * scheme.match);
    if constexpr (find_end) {
        NWGPU_UNROLL
        for (int c = 0; c < C; ++c)
            best.consider(hn::Sub(column_best[c], low), column_row[c], col + c);
    } else {
        best.consider_score(hn::Sub(column_best[0], low));
    }
}

template <class T, bool find_end, bool traced>
void run(BatchExtendGroup const & group)
{
    constexpr std::size_t lanes = hn::MaxLanes(hn::ScalableTag<T>{});
    ScoreScheme const & scheme = *group.scheme;
    T *const hs = static_cast<T *>(group.state), *const es = hs + group.rows * lanes;
    // Rows that come into the band later have nothing on their left.
    std::uint64_t const begin = group.band_end(group.cols < batch_columns ? 1 : batch_columns);
    std::fill_n(hs + begin * lanes, (group.rows - begin) * lanes, std::numeric_limits<T>::min());
    std::fill_n(es + begin * lanes, (group.rows - begin) * lanes, std::numeric_limits<T>::min());
    for (std::uint64_t row = 0; row < begin; ++row) {
        std::int64_t const cost = border_cost(scheme, row + 1) + static_cast<std::int64_t>(row + 1) * scheme.match;
        std::fill_n(hs + row * lanes, lanes, below<T>(cost));
        std::fill_n(es + row * lanes, lanes, below<T>(cost + scheme.open + scheme.extend));
    }

    LaneBest<T> best{std::numeric_limits<T>::min()};
    std::uint64_t col = 0;
    for (; col + batch_columns <= group.cols; col += batch_columns)
        tile<T, batch_columns, find_end, traced>(group, col, best);
    for (; col < group.cols; ++col)
        tile<T, 1, find_end, traced>(group, col, best);
    best.store(group.best, group.best_row, group.best_col);
}

template <class T>
void choose(BatchExtendGroup const & group)
{
    if (group.trace)
        run<T, true, true>(group);
    else if (group.find_end)
        run<T, true, false>(group);
    else
        run<T, false, false>(group);
}

} // namespace

void batch_extend(BatchExtendGroup const & group)
{
    return group.width == 8 ? choose<std::int8_t>(group) : choose<std::int16_t>(group);
}

} // namespace nwgpu::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
