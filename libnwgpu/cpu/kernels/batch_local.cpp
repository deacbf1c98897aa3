// SPDX-License-Identifier: BSD-3-Clause
// The local kernel for many pairs, one per lane, in 8 or 16 bits (kernels.hpp has the recurrence; here without drift,
// and relative to a floor that never moves: all scores of a pair fit).  Called by lane_batch.cpp through the table of
// kernel_table.hpp.
#include "cpu/kernels/isas.hpp" // must come first

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/kernels/batch_local.cpp"
#include <hwy/foreach_target.h> // must come before highway.h

#include <algorithm>
#include <type_traits>

#include <hwy/highway.h>

#include "cpu/kernels/kernels.hpp"
#include "cpu/kernels/simd-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace nwgpu::cpu::HWY_NAMESPACE {
namespace {

// The best cell of each lane so far.  A column is too wide a number for 8 bits: its upper part is kept apart.
template <class T>
struct Best {
    static constexpr std::size_t lanes = hn::MaxLanes(hn::ScalableTag<T>{});
    alignas(64) T score[lanes], row[lanes] = {}, col_low[lanes] = {}, col_high[lanes] = {};
};

// C columns behind `col`: F of each column runs down the rows, E and H of each row through the columns.
template <class T, int C, bool find_end, bool traced>
void tile(BatchLocalGroup const & group, std::uint64_t col, Best<T> & best)
{
    hn::ScalableTag<T> const d;
    using V = hn::VFromD<decltype(d)>;
    constexpr std::size_t lanes = hn::MaxLanes(d), plane_bytes = (lanes + 7) / 8, cell_bytes = 5 * plane_bytes;
    ScoreScheme const & scheme = *group.scheme;
    auto const all = [&](std::int64_t value) HWY_ATTR { return hn::Set(d, static_cast<T>(value)); };
    auto const load_letters = [&](std::uint8_t const * letters) HWY_ATTR {
        hn::Rebind<std::uint8_t, decltype(d)> const d8;
        if constexpr (sizeof(T) == 1)
            return hn::BitCast(d, hn::LoadU(d8, letters));
        else
            return hn::PromoteTo(d, hn::LoadU(d8, letters));
    };
    V const match = all(scheme.match), mismatch = all(scheme.mismatch), extend = all(scheme.extend),
            open_extend = all(scheme.open + scheme.extend), floor = all(group.floor), one = all(1);
    T *const hs = static_cast<T *>(group.state), *const es = hs + group.rows * lanes;

    V letter[C], f[C], above[C], column_best[C], column_row[C]; // above: H of the row above
    NWGPU_UNROLL
    for (int c = 0; c < C; ++c) {
        letter[c] = load_letters(group.target + (col + c) * lanes);
        f[c] = hn::Sub(floor, open_extend); // on the border: a gap opened there
        above[c] = column_best[c] = floor;
        column_row[c] = hn::Zero(d);
    }
    V corner = floor, row_index = hn::Zero(d);
    std::uint8_t * trace = nullptr;
    if constexpr (traced)
        trace = group.trace + (col / batch_columns * group.rows * batch_columns + col % batch_columns) * cell_bytes;

    for (std::uint64_t row = 0; row < group.rows; ++row) {
        V const query = load_letters(group.query + row * lanes);
        V const left = hn::Load(d, hs + row * lanes);
        V diagonal = corner, h = left, e = hn::Load(d, es + row * lanes);
        corner = left;
        NWGPU_UNROLL
        for (int c = 0; c < C; ++c) {
            V const from_diagonal = hn::Add(diagonal, hn::IfThenElse(hn::Eq(query, letter[c]), match, mismatch));
            h = hn::Max(hn::Max(hn::Max(from_diagonal, e), floor), f[c]);
            diagonal = above[c];
            above[c] = h;
            V const opened = hn::Sub(h, open_extend), next_e = hn::Sub(e, extend), next_f = hn::Sub(f[c], extend);
            if constexpr (traced) {
                std::uint8_t * const bits = trace + c * cell_bytes;
                hn::StoreMaskBits(d, hn::Eq(h, from_diagonal), bits + plane_diagonal * plane_bytes);
                hn::StoreMaskBits(d, hn::Eq(h, f[c]), bits + plane_vertical * plane_bytes);
                hn::StoreMaskBits(d, hn::Gt(opened, next_e), bits + plane_e_opens * plane_bytes);
                hn::StoreMaskBits(d, hn::Gt(opened, next_f), bits + plane_f_opens * plane_bytes);
                hn::StoreMaskBits(d, hn::Eq(h, e), bits + plane_horizontal * plane_bytes);
            }
            int const k = find_end ? c : 0; // the score alone needs no columns
            if constexpr (find_end)
                column_row[k] = hn::IfThenElse(hn::Gt(h, column_best[k]), row_index, column_row[k]);
            column_best[k] = hn::Max(column_best[k], h);
            e = hn::Max(next_e, opened);
            f[c] = hn::Max(next_f, opened);
        }
        if constexpr (find_end)
            row_index = hn::Add(row_index, one);
        hn::Store(h, d, hs + row * lanes);
        hn::Store(e, d, es + row * lanes);
        trace += batch_columns * cell_bytes;
    }

    NWGPU_UNROLL
    for (int c = 0; c < (find_end ? C : 1); ++c) {
        V const before = hn::Load(d, best.score);
        auto const better = hn::Gt(column_best[c], before);
        auto const replace = [&](V value, T * where)
                                 HWY_ATTR { hn::Store(hn::IfThenElse(better, value, hn::Load(d, where)), d, where); };
        replace(column_best[c], best.score);
        if constexpr (find_end) {
            replace(column_row[c], best.row);
            replace(all(static_cast<std::int64_t>(col + c)), best.col_low);
            replace(all(static_cast<std::int64_t>((col + c) >> 8)), best.col_high);
        }
    }
}

template <class T, bool find_end, bool traced>
void run(BatchLocalGroup const & group)
{
    using Unsigned = std::make_unsigned_t<T>;
    hn::ScalableTag<T> const d;
    constexpr std::size_t lanes = hn::MaxLanes(d);
    T *const hs = static_cast<T *>(group.state), *const es = hs + group.rows * lanes;
    T const floor = static_cast<T>(group.floor);
    std::fill_n(hs, group.rows * lanes, floor);
    std::fill_n(es, group.rows * lanes, static_cast<T>(floor - group.scheme->open - group.scheme->extend));

    Best<T> best;
    std::fill_n(best.score, lanes, floor);
    std::uint64_t col = 0;
    for (; col + batch_columns <= group.cols; col += batch_columns)
        tile<T, batch_columns, find_end, traced>(group, col, best);
    for (; col < group.cols; ++col)
        tile<T, 1, find_end, traced>(group, col, best);
    for (std::size_t lane = 0; lane < lanes; ++lane) {
        group.best[lane] = best.score[lane] - floor;
        group.best_row[lane] = static_cast<Unsigned>(best.row[lane]);
        group.best_col[lane] = static_cast<std::uint8_t>(best.col_low[lane]) |
                               static_cast<std::int32_t>(static_cast<std::uint8_t>(best.col_high[lane])) << 8;
    }
}

template <class T>
void choose(BatchLocalGroup const & group)
{
    if (group.trace)
        run<T, true, true>(group);
    else if (group.find_end)
        run<T, true, false>(group);
    else
        run<T, false, false>(group);
}

} // namespace

void batch_local(BatchLocalGroup const & group)
{
    return group.width == 8 ? choose<std::int8_t>(group) : choose<std::int16_t>(group);
}

} // namespace nwgpu::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
