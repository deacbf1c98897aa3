// SPDX-License-Identifier: BSD-3-Clause
// A tile of a strip again, with its trace bits, from what the strip's kernel kept (kept_lanes.hpp): one row a lane,
// with the recurrence and the very numbers of that kernel.  Called by PathFinder (path_finder.hpp) through the table of
// kernel_table.hpp.
#include "cpu/kernels/isas.hpp" // must come first

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/kernels/path_tile.cpp"
#include <hwy/foreach_target.h> // must come before highway.h

#include <type_traits>

#include <hwy/highway.h>

#include "cpu/kernels/kernels.hpp"
#include "cpu/kernels/simd-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace nwgpu::cpu::HWY_NAMESPACE {
namespace {

constexpr int most_steps = most_tile_rows + most_period;

// Scores of a matrix by step and place: looked up row by row, each row put behind as many steps as it is late, and
// transposed.
void look_up(PathTile const & tile, ProfileTable const & table, std::uint8_t (*by_step)[16])
{
    hn::Full128<std::uint8_t> const d;
    using V = hn::VFromD<decltype(d)>;
    alignas(16) std::uint8_t by_place[16][most_steps] = {};
    V const codes[] = {hn::LoadU(d, tile.target), tile.cols > 16 ? hn::LoadU(d, tile.target + 16) : hn::Zero(d)};
    for (int row = 0; row < tile.rows; ++row) {
        auto const * const scores =
            reinterpret_cast<std::uint8_t const *>(table.by_query) + tile.query[row] * table.stride;
        std::uint8_t * const out = by_place[tile.rows - 1 - row] + row;
        if (table.letters <= 32) {
            V const low = hn::LoadU(d, scores), high = hn::LoadU(d, scores + 16);
            for (int half = 0; 16 * half < tile.cols; ++half) {
                V const index = hn::And(codes[half], hn::Set(d, 15));
                auto const is_high = hn::TestBit(codes[half], hn::Set(d, 16));
                hn::StoreU(hn::IfThenElse(is_high, hn::TableLookupBytes(high, index), hn::TableLookupBytes(low, index)),
                           d, out + 16 * half);
            }
        } else {
            for (int col = 0; col < tile.cols; ++col)
                out[col] = scores[tile.target[col]];
        }
    }
    for (int step = 0; step < tile.cols + tile.rows - 1; step += 16) {
        V a[16];
        NWGPU_UNROLL
        for (int p = 0; p < 16; ++p)
            a[p] = hn::Load(d, by_place[p] + step);
        transpose_blocks(d, a);
        NWGPU_UNROLL
        for (int i = 0; i < 16; ++i)
            hn::Store(a[i], d, by_step[step + i]);
    }
}

} // namespace

void local_tile(ScoreScheme const & scheme, PathTile const & tile)
{
    hn::Full128<std::int8_t> const d;
    hn::Full128<std::uint8_t> const du;
    using V = hn::VFromD<decltype(d)>;
    int const rows = tile.rows, cols = tile.cols, last = rows - 1;
    auto const all = [&](std::int64_t value) HWY_ATTR { return hn::Set(d, static_cast<std::int8_t>(value)); };
    auto const left = [&](int value) { return static_cast<std::int8_t>(tile.left[value * tile.lanes]); };
    int const corner = 2 * tile.rows_per_lane, floor = corner + 1;

    alignas(16) std::int8_t above_of[16] = {}, e_of[16] = {}, floor_of[16] = {}, position_of[16];
    alignas(16) std::uint8_t letter_of[16] = {};
    for (int row = 0; row < rows; ++row) {
        int const p = last - row;
        above_of[p] = left(row == 0 ? corner : row - 1);
        e_of[p] = left(tile.rows_per_lane + row);
        floor_of[p] = static_cast<std::int8_t>(left(floor) - row * scheme.extend);
        letter_of[p] = tile.query[row];
    }
    for (int p = 0; p < 16; ++p)
        position_of[p] = static_cast<std::int8_t>(p);
    bool const matrix = scheme.table.letters > 0;
    alignas(16) std::uint8_t by_step[most_steps][16];
    if (matrix)
        look_up(tile, scheme.table, by_step);
    V const position = hn::Load(d, position_of), open = all(scheme.open), extend = all(scheme.extend),
            match = all(scheme.match + scheme.extend), mismatch = all(scheme.mismatch + scheme.extend);
    auto const query = hn::Load(du, letter_of);
    auto const first_row = hn::Eq(position, all(last));
    V above = hn::Load(d, above_of), e = hn::Load(d, e_of), local_floor = hn::Load(d, floor_of);
    V last_h = hn::Zero(d), last_f = hn::Zero(d);
    alignas(16) std::int8_t h_of[most_steps][16];

    for (int j = 0; j < cols + last; ++j) {
        std::uint8_t const * const top = tile.above + 2 * std::min(j, cols - 1) * tile.lanes;
        V const top_h = hn::IfThenElse(first_row, all(top[0]), lanes_down(d, last_h));
        V const f = hn::IfThenElse(first_row, all(top[tile.lanes]), lanes_down(d, last_f));
        V const diagonal = above;
        auto const active = hn::Gt(position, all(last - j - 1));
        above = hn::IfThenElse(active, top_h, above);
        local_floor = hn::Add(local_floor, extend);
        V const s = matrix ? hn::BitCast(d, hn::Load(du, by_step[j]))
                           : hn::IfThenElse(hn::RebindMask(d, hn::Eq(query, hn::LoadU(du, tile.target + j - last))),
                                            match, mismatch);
        V const from_diagonal = hn::Add(diagonal, s);
        V const t = hn::Max(hn::Max(from_diagonal, e), local_floor);
        V const h = hn::Max(t, f);
        V const from_t = hn::SaturatedSub(t, open);
        std::uint8_t * const bits = tile.trace + j * TileBits::step_bytes;
        hn::StoreMaskBits(d, hn::Eq(h, from_diagonal), bits + 2 * plane_diagonal);
        hn::StoreMaskBits(d, hn::Eq(h, f), bits + 2 * plane_vertical);
        hn::StoreMaskBits(d, hn::Gt(from_t, e), bits + 2 * plane_e_opens);
        hn::StoreMaskBits(d, hn::Gt(from_t, f), bits + 2 * plane_f_opens);
        hn::StoreMaskBits(d, hn::Eq(h, e), bits + 2 * plane_horizontal);
        hn::Store(h, d, h_of[j]);
        e = hn::IfThenElse(active, hn::Max(e, from_t), e);
        last_h = h;
        last_f = hn::Sub(hn::Max(f, from_t), extend);
    }
    if (tile.last_column)
        for (int row = 0; row < rows; ++row)
            tile.last_column[row] = h_of[cols - 1 + row][last - row];
}

void diff_tile(DiffScheme const & scheme, PathTile const & tile)
{
    hn::Full128<std::int8_t> const d;
    hn::Full128<std::uint8_t> const du;
    using V = hn::VFromD<decltype(d)>;
    int const rows = tile.rows, cols = tile.cols, last = rows - 1;
    auto const all = [&](int value) HWY_ATTR { return hn::Set(d, static_cast<std::int8_t>(value)); };
    alignas(16) std::int8_t u_of[16] = {}, a_of[16] = {}, position_of[16];
    alignas(16) std::uint8_t letter_of[16] = {};
    for (int row = 0; row < rows; ++row) {
        int const p = last - row;
        u_of[p] = static_cast<std::int8_t>(tile.left[row * tile.lanes]);
        a_of[p] = static_cast<std::int8_t>(tile.left[(tile.rows_per_lane + row) * tile.lanes]);
        letter_of[p] = tile.query[row];
    }
    for (int p = 0; p < 16; ++p)
        position_of[p] = static_cast<std::int8_t>(p);
    bool const matrix = scheme.table.letters > 0;
    alignas(16) std::uint8_t by_step[most_steps][16];
    if (matrix)
        look_up(tile, scheme.table, by_step);
    V const position = hn::Load(d, position_of), open = all(scheme.open), match = all(scheme.match),
            mismatch = all(scheme.mismatch);
    auto const query = hn::Load(du, letter_of);
    auto const first_row = hn::Eq(position, all(last));
    V u = hn::Load(d, u_of), a = hn::Load(d, a_of), last_v = hn::Zero(d), last_b = hn::Zero(d);

    for (int j = 0; j < cols + last; ++j) {
        std::uint8_t const * const top = tile.above + 2 * std::min(j, cols - 1) * tile.lanes;
        V const v = hn::IfThenElse(first_row, all(top[0]), lanes_down(d, last_v));
        V const b = hn::IfThenElse(first_row, all(top[tile.lanes]), lanes_down(d, last_b));
        auto const active = hn::Gt(position, all(last - j - 1));
        V const s = matrix ? hn::BitCast(d, hn::Load(du, by_step[j]))
                           : hn::IfThenElse(hn::RebindMask(d, hn::Eq(query, hn::LoadU(du, tile.target + j - last))),
                                            match, mismatch);
        V const t = hn::Max(s, a), z = hn::Max(t, b), from_t = hn::Sub(t, open);
        std::uint8_t * const bits = tile.trace + j * TileBits::step_bytes;
        hn::StoreMaskBits(d, hn::Eq(z, s), bits + 2 * plane_diagonal);
        hn::StoreMaskBits(d, hn::Eq(z, b), bits + 2 * plane_vertical);
        hn::StoreMaskBits(d, hn::Gt(from_t, a), bits + 2 * plane_e_opens);
        hn::StoreMaskBits(d, hn::Gt(from_t, b), bits + 2 * plane_f_opens);
        last_b = hn::Sub(hn::Max(b, from_t), u);
        last_v = hn::Sub(z, u);
        a = hn::IfThenElse(active, hn::Sub(hn::Max(a, from_t), v), a);
        u = hn::IfThenElse(active, hn::Sub(z, v), u);
    }
}

} // namespace nwgpu::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
