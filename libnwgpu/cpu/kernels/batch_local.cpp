// SPDX-License-Identifier: BSD-3-Clause
// The kernel for many pairs whose alignments begin anywhere, one per lane, in 8 or 16 bits, all of the matrix or a band
// of it (kernels.hpp has the recurrence; here without drift, and relative to a floor that never moves: all scores of a
// pair fit).  Around the band is the floor.  Called by lane_batch.cpp through the table of kernel_table.hpp.
#include "cpu/kernels/isas.hpp" // must come first

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/kernels/batch_local.cpp"
#include <hwy/foreach_target.h> // must come before highway.h

#include <algorithm>

#include <hwy/highway.h>

#include "cpu/kernels/batch_lanes-inl.hpp"
#include "cpu/kernels/kernels.hpp"
#include "cpu/kernels/lane_groups.hpp"
#include "cpu/kernels/simd-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace nwgpu::cpu::HWY_NAMESPACE {
namespace {

// What is asked for: the best score; also its cell; or the score of each lane's last cell.
enum class Seeks { score, end, corner };

// C columns behind `col`: F of each column runs down the rows, E and H of each row through the columns.
template <class T, int C, Seeks seeks, bool traced>
void tile(BatchLocalGroup const & group, std::uint64_t col, LaneBest<T> & best)
{
    hn::ScalableTag<T> const d;
    using V = hn::VFromD<decltype(d)>;
    constexpr std::size_t lanes = hn::MaxLanes(d), plane_bytes = (lanes + 7) / 8,
                          cell_bytes = BatchLocalGroup::planes * plane_bytes;
    ScoreScheme const & scheme = *group.scheme;
    auto const all = [&](std::int64_t value) HWY_ATTR { return hn::Set(d, static_cast<T>(value)); };
    V const match = all(scheme.match), mismatch = all(scheme.mismatch), extend = all(scheme.extend),
            open_extend = all(scheme.open + scheme.extend), floor = all(group.floor), one = all(1);
    T *const hs = static_cast<T *>(group.state), *const es = hs + group.rows * lanes;

    V letter[C], f[C], above[C], column_best[C], column_row[C]; // above: H of the row above
    NWGPU_UNROLL
    for (int c = 0; c < C; ++c) {
        letter[c] = load_letters(d, group.target + (col + c) * lanes);
        f[c] = hn::Sub(floor, open_extend); // on the border: a gap opened there
        above[c] = column_best[c] = floor;
        column_row[c] = hn::Zero(d);
    }
    std::uint64_t const first = group.band_begin(col), end = group.band_end(col + C);
    V corner = first == 0 ? floor : hn::Load(d, hs + (first - 1) * lanes), // of the band's last diagonal
        row_index = all(static_cast<std::int64_t>(first));
    std::uint8_t * trace = nullptr;
    if constexpr (traced)
        trace = group.trace + group.kept_at(first, col, cell_bytes);

    for (std::uint64_t row = first; row < end; ++row) {
        V const query = load_letters(d, group.query + row * lanes);
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
            int const k = seeks == Seeks::end ? c : 0; // the score alone needs no columns
            if constexpr (seeks == Seeks::end)
                column_row[k] = hn::IfThenElse(hn::Gt(h, column_best[k]), row_index, column_row[k]);
            if constexpr (seeks != Seeks::corner)
                column_best[k] = hn::Max(column_best[k], h);
            e = hn::Max(next_e, opened);
            f[c] = hn::Max(next_f, opened);
        }
        if constexpr (seeks == Seeks::end)
            row_index = hn::Add(row_index, one);
        hn::Store(h, d, hs + row * lanes);
        hn::Store(e, d, es + row * lanes);
        trace += batch_columns * cell_bytes;
    }

    if constexpr (seeks == Seeks::end) {
        NWGPU_UNROLL
        for (int c = 0; c < C; ++c)
            best.consider(column_best[c], column_row[c], col + c);
    } else if constexpr (seeks == Seeks::score) {
        best.consider_score(column_best[0]);
    }
}

// Column 0: H and E of each row.
template <class T>
void fill_border(BatchLocalGroup const & group)
{
    constexpr std::size_t lanes = hn::MaxLanes(hn::ScalableTag<T>{});
    T *const hs = static_cast<T *>(group.state), *const es = hs + group.rows * lanes;
    T const floor = static_cast<T>(group.floor);
    std::fill_n(hs, group.rows * lanes, floor);
    std::fill_n(es, group.rows * lanes, static_cast<T>(floor - group.scheme->open - group.scheme->extend));
}

template <class T, Seeks seeks, bool traced>
void run(BatchLocalGroup const & group)
{
    fill_border<T>(group);
    LaneBest<T> best{static_cast<T>(group.floor)};
    std::uint64_t col = 0;
    for (; col + batch_columns <= group.cols; col += batch_columns)
        tile<T, batch_columns, seeks, traced>(group, col, best);
    for (; col < group.cols; ++col)
        tile<T, 1, seeks, traced>(group, col, best);
    best.store(group.best, group.best_row, group.best_col);
}

// Stops behind the last column of each lane for its score.
template <class T, bool traced>
void run_to_corners(BatchLocalGroup const & group)
{
    constexpr std::size_t lanes = hn::MaxLanes(hn::ScalableTag<T>{});
    T const * const hs = static_cast<T const *>(group.state);
    fill_border<T>(group);
    LaneBest<T> ignored{static_cast<T>(group.floor)};
    std::uint64_t col = 0;
    for (std::uint64_t const end : distinct(group.cols_of, lanes)) {
        while (col < end)
            if (col % batch_columns == 0 && end - col >= batch_columns) {
                tile<T, batch_columns, Seeks::corner, traced>(group, col, ignored);
                col += batch_columns;
            } else {
                tile<T, 1, Seeks::corner, traced>(group, col++, ignored);
            }
        for (std::size_t lane = 0; lane < lanes; ++lane)
            if (group.cols_of[lane] == static_cast<std::int32_t>(end))
                group.best[lane] =
                    hs[static_cast<std::size_t>(group.rows_of[lane] - 1) * lanes + lane] - static_cast<T>(group.floor);
    }
}

template <class T>
void choose(BatchLocalGroup const & group)
{
    if (group.rows_of)
        group.trace ? run_to_corners<T, true>(group) : run_to_corners<T, false>(group);
    else if (group.trace)
        run<T, Seeks::end, true>(group);
    else if (group.find_end)
        run<T, Seeks::end, false>(group);
    else
        run<T, Seeks::score, false>(group);
}

} // namespace

void batch_local(BatchLocalGroup const & group)
{
    return group.width == 8 ? choose<std::int8_t>(group) : choose<std::int16_t>(group);
}

} // namespace nwgpu::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
