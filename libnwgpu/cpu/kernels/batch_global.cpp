// SPDX-License-Identifier: BSD-3-Clause
// The kernel for many pairs with global or free ends, one per lane, in 8 bits (kernels.hpp has the recurrence).  Called
// by lane_batch.cpp through the table of kernel_table.hpp.
#include "cpu/kernels/isas.hpp" // must come first

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/kernels/batch_global.cpp"
#include <hwy/foreach_target.h> // must come before highway.h

#include <algorithm>
#include <cstring>
#include <vector>

#include <hwy/highway.h>

#include "cpu/kernels/batch_ends-inl.hpp"
#include "cpu/kernels/batch_lanes-inl.hpp"
#include "cpu/kernels/kernels.hpp"
#include "cpu/kernels/simd-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace nwgpu::cpu::HWY_NAMESPACE {
namespace {

using DU = hn::ScalableTag<std::uint8_t>;
constexpr int lanes = hn::MaxLanes(DU{});

using Positions = std::vector<std::uint64_t>;

// C columns behind `col`: H and F of each column run down the rows, H and E of each row through the columns.
// `rebase`: these are the first columns of a block, and what lies left of them is relative to the blocks there.
template <int C, bool linear, bool traced, bool rebase>
void tile(BatchGlobalGroup const & group, std::uint64_t col, Positions const & row_ends, LaneEnds & ends)
{
    DU const du;
    using V = hn::VFromD<DU>;
    constexpr std::size_t plane_bytes = (lanes + 7) / 8, cell_bytes = 4 * plane_bytes;
    ScoreScheme const & scheme = *group.scheme;
    auto const block = static_cast<std::uint64_t>(scheme.lanes.block);
    auto const all = [&](std::int64_t value) HWY_ATTR { return hn::Set(du, static_cast<std::uint8_t>(value)); };
    V const open = all(scheme.open), zero = all(scheme.lanes.zero);
    V const match = all(scheme.match + 2 * scheme.extend), mismatch = all(scheme.mismatch + 2 * scheme.extend);
    std::uint8_t *const hs = group.state, *const es = hs + group.rows * lanes, *corners = es + group.rows * lanes;

    LaneBorder const top{scheme, group.free_top};
    std::int64_t const base = scheme.lanes.zero - top.corner(col);
    V letter[C], h[C], f[C];
    NWGPU_UNROLL
    for (int c = 0; c < C; ++c) {
        letter[c] = hn::Load(du, group.target + (col + c) * lanes);
        h[c] = all(base + top[col + c + 1]);
        f[c] = hn::Sub(h[c], open);
    }
    V corner = all(base + top[col]); // H above and left of the next row
    V old_corner = corner;           // the same, relative to the block on the left
    V left_shift = hn::Zero(du);     // from the block on the left to this one
    if constexpr (rebase)
        left_shift = all(top[col] - top[col - block]);
    std::uint8_t * trace = nullptr;
    if constexpr (traced)
        trace = group.trace + (col / batch_columns * group.rows * batch_columns + col % batch_columns) * cell_bytes;

    std::uint64_t row = 0, next_block = block;
    for (std::uint64_t const end : row_ends) {
        while (row < end) {
            if (row == next_block) {
                // This corner, as seen from the block above.
                V seen = hn::Load(du, corners);
                if constexpr (rebase) {
                    left_shift = hn::Sub(old_corner, seen);
                    seen = corner;
                    hn::Store(seen, du, corners);
                }
                corners += lanes;
                next_block += block;
                V const shift = hn::Sub(seen, zero);
                corner = hn::Sub(corner, shift);
                NWGPU_UNROLL
                for (int c = 0; c < C; ++c) {
                    h[c] = hn::Sub(h[c], shift);
                    f[c] = hn::Sub(f[c], shift);
                }
            }
            for (std::uint64_t const stop = std::min(end, next_block); row < stop; ++row) {
                V const query = hn::Load(du, group.query + row * lanes);
                V left = hn::Load(du, hs + row * lanes), e = left;
                if constexpr (!linear)
                    e = hn::Load(du, es + row * lanes);
                if constexpr (rebase) {
                    old_corner = left;
                    left = hn::Sub(left, left_shift);
                    e = hn::Sub(e, left_shift);
                }
                V diagonal = corner;
                corner = left;
                NWGPU_UNROLL
                for (int c = 0; c < C; ++c) {
                    V const from_diagonal =
                        hn::Add(diagonal, hn::IfThenElse(hn::Eq(query, letter[c]), match, mismatch));
                    diagonal = h[c];
                    V const from_above = linear ? h[c] : f[c];
                    h[c] = hn::Max(hn::Max(from_diagonal, from_above), e);
                    V const opened = linear ? h[c] : hn::Sub(h[c], open);
                    if constexpr (traced) {
                        std::uint8_t * const bits = trace + c * cell_bytes;
                        hn::StoreMaskBits(du, hn::Eq(h[c], from_diagonal), bits + plane_diagonal * plane_bytes);
                        hn::StoreMaskBits(du, hn::Eq(h[c], from_above), bits + plane_vertical * plane_bytes);
                        hn::StoreMaskBits(du, hn::Gt(opened, e), bits + plane_e_opens * plane_bytes);
                        hn::StoreMaskBits(du, hn::Gt(opened, from_above), bits + plane_f_opens * plane_bytes);
                    }
                    e = linear ? opened : hn::Max(e, opened);
                    f[c] = linear ? opened : hn::Max(from_above, opened);
                }
                hn::Store(h[C - 1], du, hs + row * lanes);
                if constexpr (!linear)
                    hn::Store(e, du, es + row * lanes);
                trace += batch_columns * cell_bytes;
            }
        }
        if (group.free_bottom) {
            alignas(64) std::uint8_t v_of[C][lanes];
            NWGPU_UNROLL
            for (int c = 0; c < C; ++c)
                hn::Store(hn::Add(hn::Sub(h[c], c == 0 ? corner : h[c - 1]), open), du, v_of[c]);
            ends.bottom(row, col, C, v_of[0]);
        }
    }
}

template <int C, bool linear, bool traced>
void tile(BatchGlobalGroup const & group, std::uint64_t col, Positions const & row_ends, LaneEnds & ends)
{
    if (col > 0 && col % group.scheme->lanes.block == 0)
        tile<C, linear, traced, true>(group, col, row_ends, ends);
    else
        tile<C, linear, traced, false>(group, col, row_ends, ends);
}

template <bool linear, bool traced>
void run(BatchGlobalGroup const & group)
{
    ScoreScheme const & scheme = *group.scheme;
    LaneBorder const left{scheme, group.free_left};
    std::uint8_t *const hs = group.state, *const es = hs + group.rows * lanes, *corners = es + group.rows * lanes;
    for (std::uint64_t row = 0; row < group.rows; ++row) {
        if (row > 0 && row % left.block == 0) {
            std::memset(corners, scheme.lanes.zero + left[row] - left.corner(row - 1), lanes);
            corners += lanes;
        }
        int const h = scheme.lanes.zero + left[row + 1] - left.corner(row);
        std::memset(hs + row * lanes, h, lanes);
        std::memset(es + row * lanes, h - left.open, lanes);
    }

    Positions const row_ends = group.free_bottom ? distinct(group.rows_of, lanes) : Positions{group.rows};
    LaneEnds ends{group};
    std::uint64_t col = 0;
    for (std::uint64_t const end : distinct(group.cols_of, lanes)) {
        while (col < end)
            if (col % batch_columns == 0 && end - col >= batch_columns) {
                tile<batch_columns, linear, traced>(group, col, row_ends, ends);
                col += batch_columns;
            } else {
                tile<1, linear, traced>(group, col++, row_ends, ends);
            }
        ends.right(col);
    }
}

} // namespace

void batch_global(BatchGlobalGroup const & group)
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
