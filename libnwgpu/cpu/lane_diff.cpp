// SPDX-License-Identifier: BSD-3-Clause
// The 8-bit difference kernel for many pairs, one per lane (kernels.hpp has the recurrence).  Called by lane_batch.cpp
// through the table of kernel_table.hpp.
#include "cpu/targets.hpp" // must come first

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/lane_diff.cpp"
#include <hwy/foreach_target.h> // must come before highway.h

#include <algorithm>
#include <cstring>

#include <hwy/highway.h>

#include "cpu/kernels.hpp"

HWY_BEFORE_NAMESPACE();
namespace nwgpu::cpu::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

template <bool linear, bool traced>
void run(LaneDiffGroup const & group)
{
    hn::ScalableTag<std::uint8_t> const du;
    hn::ScalableTag<std::int8_t> const di;
    using V = hn::VFromD<decltype(du)>;
    constexpr std::size_t lanes = hn::MaxLanes(du), plane_bytes = (lanes + 7) / 8;
    DiffScheme const & scheme = *group.scheme;
    std::size_t const column_bytes = group.rows * lanes;
    V const open = hn::Set(du, scheme.open);
    V const match = hn::BitCast(du, hn::Set(di, scheme.match)),
            mismatch = hn::BitCast(du, hn::Set(di, scheme.mismatch));
    std::uint8_t *const us = group.state, *const xs = group.state + column_bytes;

    // Left boundary: one insertion over all rows, or free.
    std::memset(us, group.free_left ? scheme.open_extend : scheme.open, column_bytes);
    std::memset(us, group.free_left ? scheme.open_extend : 0, lanes);
    std::memset(xs, 0, column_bytes);

    std::uint8_t * trace = group.trace;
    int col_end = 0;
    for (std::uint64_t col = 0; col < group.cols; ++col) {
        V const letter = hn::Load(du, group.target + col * lanes);
        V v = hn::Set(du, group.free_top ? scheme.open_extend : col == 0 ? std::uint8_t{0} : scheme.open);
        V y = hn::Zero(du);
        std::uint64_t row = 0;
        for (int row_end = 0; row_end <= group.row_end_count; ++row_end) {
            std::uint64_t const end = row_end < group.row_end_count ? group.row_ends[row_end] : group.rows;
            for (; row < end; ++row) {
                V const u = hn::Load(du, us + row * lanes);
                V const s = hn::IfThenElse(hn::Eq(hn::Load(du, group.query + row * lanes), letter), match, mismatch);
                V const a = linear ? u : hn::Add(hn::Load(du, xs + row * lanes), u);
                V const b = linear ? v : hn::Add(y, v);
                V const z =
                    hn::BitCast(du, hn::Max(hn::BitCast(di, b), hn::Max(hn::BitCast(di, s), hn::BitCast(di, a))));
                hn::Store(hn::Sub(z, v), du, us + row * lanes);
                v = hn::Sub(z, u);
                V const z_open = linear ? z : hn::Sub(z, open);
                if constexpr (traced) {
                    hn::StoreMaskBits(du, hn::Eq(z, s), trace + plane_diagonal * plane_bytes);
                    hn::StoreMaskBits(du, hn::Eq(z, b), trace + plane_vertical * plane_bytes);
                    hn::StoreMaskBits(di, hn::Lt(hn::BitCast(di, a), hn::BitCast(di, z_open)),
                                      trace + plane_e_opens * plane_bytes);
                    hn::StoreMaskBits(di, hn::Lt(hn::BitCast(di, b), hn::BitCast(di, z_open)),
                                      trace + plane_f_opens * plane_bytes);
                    trace += 4 * plane_bytes;
                }
                if constexpr (!linear) {
                    hn::Store(hn::SaturatedSub(a, z_open), du, xs + row * lanes);
                    y = hn::SaturatedSub(b, z_open);
                }
            }
            if (row_end < group.row_end_count)
                hn::Store(v, du, group.bottom + (static_cast<std::size_t>(row_end) * group.cols + col) * lanes);
        }
        if (col_end < group.col_end_count && col + 1 == group.col_ends[col_end])
            std::memcpy(group.right + column_bytes * static_cast<std::size_t>(col_end++), us, column_bytes);
    }
}

} // namespace

void lane_diff(LaneDiffGroup const & group)
{
    if (group.trace)
        run<false, true>(group);
    else if (group.scheme->open == 0)
        run<true, false>(group);
    else
        run<false, false>(group);
}

} // namespace nwgpu::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
