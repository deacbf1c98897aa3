// SPDX-License-Identifier: BSD-3-Clause
// The 16-bit local kernel for many pairs, one per lane (kernels.hpp has the recurrence; here without drift and base:
// all scores of a pair fit).  Called by lane_batch.cpp through the table of kernel_table.hpp.
#include "cpu/targets.hpp" // must come first

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/lane_local.cpp"
#include <hwy/foreach_target.h> // must come before highway.h

#include <algorithm>

#include <hwy/highway.h>

#include "cpu/kernels.hpp"

HWY_BEFORE_NAMESPACE();
namespace nwgpu::cpu::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

template <bool find_end, bool traced>
void run(LaneLocalGroup const & group)
{
    hn::ScalableTag<std::int16_t> const d;
    hn::Rebind<std::uint8_t, decltype(d)> const d8;
    using V = hn::VFromD<decltype(d)>;
    constexpr std::size_t lanes = hn::MaxLanes(d), plane_bytes = (lanes + 7) / 8;
    ScoreScheme const & scheme = *group.scheme;
    V const match = hn::Set(d, static_cast<std::int16_t>(scheme.match)),
            mismatch = hn::Set(d, static_cast<std::int16_t>(scheme.mismatch));
    V const extend = hn::Set(d, static_cast<std::int16_t>(scheme.extend));
    V const open_extend = hn::Set(d, static_cast<std::int16_t>(scheme.open + scheme.extend));
    V const zero = hn::Zero(d);
    std::int16_t *const hs = group.state, *const es = group.state + group.rows * lanes;
    V const closed = hn::Neg(open_extend); // E and F on the border: a gap opened there
    for (std::uint64_t row = 0; row < group.rows; ++row) {
        hn::Store(zero, d, hs + row * lanes);
        hn::Store(closed, d, es + row * lanes);
    }

    V best = zero, best_row = zero, best_col = zero;
    std::uint8_t * trace = group.trace;
    for (std::uint64_t col = 0; col < group.cols; ++col) {
        V const letter = hn::PromoteTo(d, hn::LoadU(d8, group.target + col * lanes));
        V f = closed, diagonal = zero, column_best = zero, column_row = zero, row_index = zero;
        for (std::uint64_t row = 0; row < group.rows; ++row) {
            V const old_h = hn::Load(d, hs + row * lanes), e = hn::Load(d, es + row * lanes);
            V const query = hn::PromoteTo(d, hn::LoadU(d8, group.query + row * lanes));
            V const from_diagonal = hn::Add(diagonal, hn::IfThenElse(hn::Eq(query, letter), match, mismatch));
            V const t = hn::Max(hn::Max(from_diagonal, e), zero);
            V const h = hn::Max(t, f);
            diagonal = old_h;
            V const opened = hn::Sub(h, open_extend), next_e = hn::Sub(e, extend), next_f = hn::Sub(f, extend);
            if constexpr (traced) {
                hn::StoreMaskBits(d, hn::Eq(h, from_diagonal), trace + plane_diagonal * plane_bytes);
                hn::StoreMaskBits(d, hn::Eq(h, f), trace + plane_vertical * plane_bytes);
                hn::StoreMaskBits(d, hn::Gt(opened, next_e), trace + plane_e_opens * plane_bytes);
                hn::StoreMaskBits(d, hn::Gt(opened, next_f), trace + plane_f_opens * plane_bytes);
                hn::StoreMaskBits(d, hn::Eq(h, e), trace + plane_horizontal * plane_bytes);
                trace += 5 * plane_bytes;
            }
            if constexpr (find_end) {
                column_row = hn::IfThenElse(hn::Gt(h, column_best), row_index, column_row);
                row_index = hn::Add(row_index, hn::Set(d, 1));
            }
            column_best = hn::Max(column_best, h);
            hn::Store(h, d, hs + row * lanes);
            hn::Store(hn::Max(next_e, opened), d, es + row * lanes);
            f = hn::Max(next_f, opened);
        }
        if constexpr (find_end) {
            auto const better = hn::Gt(column_best, best);
            best_row = hn::IfThenElse(better, column_row, best_row);
            best_col = hn::IfThenElse(better, hn::Set(d, static_cast<std::int16_t>(col)), best_col);
        }
        best = hn::Max(best, column_best);
    }
    hn::StoreU(best, d, group.best);
    if constexpr (find_end) {
        hn::ScalableTag<std::uint16_t> const du;
        hn::StoreU(hn::BitCast(du, best_row), du, group.best_row);
        hn::StoreU(hn::BitCast(du, best_col), du, group.best_col);
    }
}

} // namespace

void lane_local(LaneLocalGroup const & group)
{
    if (group.trace)
        run<true, true>(group);
    else if (group.find_end)
        run<true, false>(group);
    else
        run<false, false>(group);
}

} // namespace nwgpu::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
