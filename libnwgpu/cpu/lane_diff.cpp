// SPDX-License-Identifier: BSD-3-Clause
// The 8-bit difference kernel for many pairs, one per lane (kernels.hpp has the recurrence).  Called by lane_batch.cpp
// through the table of kernel_table.hpp.
#include "cpu/targets.hpp" // must come first

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/lane_diff.cpp"
#include <hwy/foreach_target.h> // must come before highway.h

#include <algorithm>
#include <cstring>
#include <iterator>
#include <vector>

#include <hwy/highway.h>

#include "cpu/kernels.hpp"
#include "cpu/lane_ends-inl.hpp"
#include "cpu/simd-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace nwgpu::cpu::HWY_NAMESPACE {
namespace {

using DU = hn::ScalableTag<std::uint8_t>;
using DI = hn::ScalableTag<std::int8_t>;
constexpr int lanes = hn::MaxLanes(DU{});

using Positions = std::vector<std::uint64_t>;

// The lengths of all lanes in use, ascending.
Positions distinct(std::int32_t const * length_of)
{
    Positions all;
    std::copy_if(length_of, length_of + lanes, std::back_inserter(all), [](std::int32_t length) { return length > 0; });
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
}

// C columns behind `col`: v and y of each column run down the rows, u and x of each row through the columns.
template <int C, bool linear, bool traced>
void tile(LaneDiffGroup const & group, std::uint64_t col, Positions const & row_ends, LaneEnds & ends)
{
    DU const du;
    DI const di;
    using V = hn::VFromD<DU>;
    constexpr std::size_t plane_bytes = (lanes + 7) / 8, cell_bytes = 4 * plane_bytes;
    DiffScheme const & scheme = *group.scheme;
    V const open = hn::Set(du, scheme.open);
    V const match = hn::BitCast(du, hn::Set(di, scheme.match)),
            mismatch = hn::BitCast(du, hn::Set(di, scheme.mismatch));
    std::uint8_t *const us = group.state, *const xs = group.state + group.rows * lanes;

    V letter[C], v[C], y[C];
    NWGPU_UNROLL
    for (int c = 0; c < C; ++c) {
        letter[c] = hn::Load(du, group.target + (col + c) * lanes);
        v[c] = hn::Set(du, group.free_top ? scheme.open_extend : col + c == 0 ? std::uint8_t{0} : scheme.open);
        y[c] = hn::Zero(du);
    }
    std::uint8_t * trace = nullptr;
    if constexpr (traced)
        trace = group.trace + (col / lane_tile * group.rows * lane_tile + col % lane_tile) * cell_bytes;

    std::uint64_t row = 0;
    for (std::uint64_t const end : row_ends) {
        for (; row < end; ++row) {
            V const query = hn::Load(du, group.query + row * lanes);
            V u = hn::Load(du, us + row * lanes), x = u;
            if constexpr (!linear)
                x = hn::Load(du, xs + row * lanes);
            NWGPU_UNROLL
            for (int c = 0; c < C; ++c) {
                V const s = hn::IfThenElse(hn::Eq(query, letter[c]), match, mismatch);
                V const a = linear ? u : hn::Add(x, u);
                V const b = linear ? v[c] : hn::Add(y[c], v[c]);
                V const z =
                    hn::BitCast(du, hn::Max(hn::BitCast(di, b), hn::Max(hn::BitCast(di, s), hn::BitCast(di, a))));
                V const new_u = hn::Sub(z, v[c]);
                v[c] = hn::Sub(z, u);
                u = new_u;
                V const z_open = linear ? z : hn::Sub(z, open);
                if constexpr (traced) {
                    std::uint8_t * const bits = trace + c * cell_bytes;
                    hn::StoreMaskBits(du, hn::Eq(z, s), bits + plane_diagonal * plane_bytes);
                    hn::StoreMaskBits(du, hn::Eq(z, b), bits + plane_vertical * plane_bytes);
                    hn::StoreMaskBits(di, hn::Lt(hn::BitCast(di, a), hn::BitCast(di, z_open)),
                                      bits + plane_e_opens * plane_bytes);
                    hn::StoreMaskBits(di, hn::Lt(hn::BitCast(di, b), hn::BitCast(di, z_open)),
                                      bits + plane_f_opens * plane_bytes);
                }
                if constexpr (!linear) {
                    x = hn::SaturatedSub(a, z_open);
                    y[c] = hn::SaturatedSub(b, z_open);
                }
            }
            hn::Store(u, du, us + row * lanes);
            if constexpr (!linear)
                hn::Store(x, du, xs + row * lanes);
            trace += lane_tile * cell_bytes;
        }
        if (group.free_bottom) {
            alignas(64) std::uint8_t v_of[C][lanes];
            NWGPU_UNROLL
            for (int c = 0; c < C; ++c)
                hn::Store(v[c], du, v_of[c]);
            ends.bottom(row, col, C, v_of[0]);
        }
    }
}

template <bool linear, bool traced>
void run(LaneDiffGroup const & group)
{
    DiffScheme const & scheme = *group.scheme;
    std::size_t const column_bytes = group.rows * lanes;
    // Left boundary: one insertion over all rows, or free.
    std::memset(group.state, group.free_left ? scheme.open_extend : scheme.open, column_bytes);
    std::memset(group.state, group.free_left ? scheme.open_extend : 0, lanes);
    std::memset(group.state + column_bytes, 0, column_bytes);

    Positions const row_ends = group.free_bottom ? distinct(group.rows_of) : Positions{group.rows};
    LaneEnds ends{group};
    std::uint64_t col = 0;
    for (std::uint64_t const end : distinct(group.cols_of)) {
        while (col < end)
            if (col % lane_tile == 0 && end - col >= lane_tile) {
                tile<lane_tile, linear, traced>(group, col, row_ends, ends);
                col += lane_tile;
            } else {
                tile<1, linear, traced>(group, col++, row_ends, ends);
            }
        ends.right(col, group.state);
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
