// SPDX-License-Identifier: BSD-3-Clause
// The 8-bit difference kernel for one strip (kernels.hpp has the recurrence).  Called by DiffField (field.hpp) through
// the table of kernel_table.hpp.
#include "cpu/targets.hpp" // must come first

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/strip_diff.cpp"
#include <hwy/foreach_target.h> // must come before highway.h

#include <algorithm>
#include <cstring>
#include <type_traits>

#include <hwy/highway.h>

#include "cpu/kernels.hpp"
#include "cpu/profile-inl.hpp"
#include "cpu/simd-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace nwgpu::cpu::HWY_NAMESPACE {
namespace {

template <int lanes, int R, Letters letters, bool linear, Keeps keeps>
void run(DiffStrip const & strip)
{
    constexpr bool matrix = letters == Letters::of_matrix, kept = keeps == Keeps::lanes, traced = keeps == Keeps::bits;
    hn::CappedTag<std::uint8_t, lanes> const du;
    hn::CappedTag<std::int8_t, lanes> const di;
    using V = hn::VFromD<decltype(du)>;
    DiffScheme const & scheme = *strip.scheme;
    std::int64_t const cols = static_cast<std::int64_t>(strip.cols);
    int const rows = static_cast<int>(strip.rows);
    int const last_lane = (rows - 1) / R;
    int const last_row = (rows - 1) % R; // within the last lane

    // State of every row: its letter, u and x + u of the column to the left.  The kernel works on the sums x + u and
    // y + v: through them the way from one row to the next is shorter than through y.
    alignas(64) std::uint8_t letter_of[R][lanes];
    V u[R], xu[R];
    if constexpr (!matrix) {
        rows_to_lanes<R>(du, strip.query, last_lane, u);
        for (int r = 0; r < R; ++r)
            hn::Store(u[r], du, letter_of[r]);
    }
    alignas(64) std::uint8_t by_row[R * lanes + 16]; // a boundary and what is read and written beside it
    bool const in_place = R == 16 && rows == R * lanes;
    auto const load = [&](std::uint8_t const * boundary, V * to) HWY_ATTR {
        if (!in_place) {
            std::fill(std::copy_n(boundary, rows, by_row), std::end(by_row), std::uint8_t{0});
            boundary = by_row;
        }
        rows_to_lanes<R>(du, boundary, last_lane, to);
    };
    auto const store = [&](V const * from, std::uint8_t * boundary) HWY_ATTR {
        lanes_to_rows<R>(du, from, last_lane, in_place ? boundary : by_row);
        if (!in_place)
            std::copy_n(by_row, rows, boundary);
    };
    load(strip.left_u, u);
    load(strip.left_x, xu);
    for (int r = 0; r < R; ++r)
        xu[r] = hn::Add(xu[r], u[r]);

    constexpr bool ahead = R > 8;
    ProfileReader<matrix, lanes, R, ahead> profile(strip.profile, last_lane);
    if constexpr (matrix)
        build_profile(strip.query, strip.rows, scheme.table, strip.profile);

    V const open = hn::Set(du, scheme.open);
    V const match = hn::BitCast(du, hn::Set(di, scheme.match)),
            mismatch = hn::BitCast(du, hn::Set(di, scheme.mismatch));
    V const by_difference = score_by_difference(du, match, mismatch);
    alignas(64) std::uint8_t position_of[lanes];
    for (int p = 0; p < lanes; ++p)
        position_of[p] = static_cast<std::uint8_t>(p);
    V const position = hn::Load(du, position_of);
    auto const first_lane = hn::Eq(position, hn::Set(du, static_cast<std::uint8_t>(last_lane)));

    V last_v = hn::Zero(du), last_b = hn::Zero(du); // v and y + v of the last row of each lane, one step ago
    constexpr int planes = 4, plane_bytes = lanes / 8;
    [[maybe_unused]] std::uint8_t * bits = strip.bits;
    std::uint8_t * keep_above = strip.kept;
    std::uint8_t * keep_left = kept ? strip.kept + (cols + last_lane) * 2 * lanes : nullptr;
    std::int64_t next_period = kept ? 0 : INT64_MAX;
    auto const keep_period = [&](std::int64_t j) HWY_ATTR { // that begins now
        NWGPU_UNROLL
        for (int r = 0; r < R; ++r) {
            hn::Store(u[r], du, keep_left + r * lanes);
            hn::Store(xu[r], du, keep_left + (R + r) * lanes);
        }
        keep_left += 2 * R * lanes;
        next_period = j + diff_period;
        for (std::int64_t const phase : {std::int64_t{last_lane}, cols})
            if (j < phase)
                next_period = std::min(next_period, phase);
    };

    // While lanes enter (step < last_lane) or leave (step >= cols) the strip, the others keep their state.
    auto const step = [&](std::int64_t j, auto partial) HWY_ATTR {
        auto active = first_lane;
        if constexpr (partial()) {
            // Lane k is inside when 0 <= j - k < cols; position p = last_lane - k.
            std::int64_t const low = std::max<std::int64_t>(0, last_lane - j);
            std::int64_t const high = std::min<std::int64_t>(last_lane, last_lane - j + cols - 1);
            auto const inside =
                hn::And(hn::Gt(hn::BitCast(di, position), hn::Set(di, static_cast<std::int8_t>(low - 1))),
                        hn::Lt(hn::BitCast(di, position), hn::Set(di, static_cast<std::int8_t>(high + 1))));
            active = hn::RebindMask(du, inside);
        }
        std::int64_t const top = partial() ? std::min(j, cols - 1) : j;
        V v = hn::IfThenElse(first_lane, hn::Set(du, strip.top_v[top]), lanes_down(du, last_v));
        V b = v;
        if constexpr (!linear)
            b = hn::IfThenElse(first_lane, hn::Set(du, static_cast<std::uint8_t>(strip.top_y[top] + strip.top_v[top])),
                               lanes_down(du, last_b));

        if constexpr (kept) {
            hn::Store(v, du, keep_above);
            hn::Store(b, du, keep_above + lanes);
            keep_above += 2 * lanes;
        }
        V scores[ahead ? 4 : 8];
        if constexpr (matrix && !ahead)
            profile.all_rows(du, j, scores);
        V const letter = hn::LoadU(du, strip.target + j - last_lane);

        NWGPU_UNROLL
        for (int r = 0; r < R; ++r) {
            V s;
            if constexpr (matrix && ahead)
                if (r % 4 == 0)
                    profile.four_rows(j, r, scores);
            if constexpr (matrix)
                s = scores[r % (ahead ? 4 : 8)];
            else if constexpr (letters == Letters::small)
                s = hn::TableLookupBytes(by_difference, hn::Xor(hn::Load(du, letter_of[r]), letter));
            else
                s = hn::IfThenElse(hn::Eq(hn::Load(du, letter_of[r]), letter), match, mismatch);
            V const a = linear ? u[r] : xu[r];
            if constexpr (linear)
                b = v;
            V const t = hn::BitCast(du, hn::Max(hn::BitCast(di, s), hn::BitCast(di, a)));
            V const z = hn::Max(b, t);
            if constexpr (traced) {
                V const z_open = hn::Sub(z, open);
                auto const store = [&](TracePlane plane, auto mask) HWY_ATTR {
                    hn::StoreMaskBits(du, mask, bits + (r * planes + plane) * plane_bytes);
                };
                store(plane_diagonal, hn::Eq(z, s));
                store(plane_vertical, hn::Eq(z, b));
                store(plane_e_opens, hn::RebindMask(du, hn::Lt(hn::BitCast(di, a), hn::BitCast(di, z_open))));
                store(plane_f_opens, hn::RebindMask(du, hn::Lt(hn::BitCast(di, b), hn::BitCast(di, z_open))));
            }
            V const new_u = hn::Sub(z, v);
            if constexpr (!linear) {
                V const new_a = hn::Sub(hn::Max(hn::Add(a, open), z), v);
                xu[r] = partial() ? hn::IfThenElse(active, new_a, a) : new_a;
                b = hn::Sub(hn::Max(hn::Add(b, open), t), u[r]);
            }
            v = hn::Sub(z, u[r]);
            u[r] = partial() ? hn::IfThenElse(active, new_u, u[r]) : new_u;
            if (r == last_row && j >= last_lane) { // the last lane leaves its bottom row behind
                strip.top_v[j - last_lane] = hn::GetLane(v);
                if constexpr (!linear)
                    strip.top_y[j - last_lane] = static_cast<std::uint8_t>(hn::GetLane(b) - hn::GetLane(v));
            }
        }
        last_v = v;
        last_b = b;
        if constexpr (traced)
            bits += R * planes * plane_bytes;
    };

    std::int64_t const steps = cols + last_lane;
    for (std::int64_t j = 0; j < steps;) {
        std::int64_t const end = profile.prepare(strip.target - last_lane, j, steps);
        while (j < end) {
            if (j == next_period)
                keep_period(j);
            if (j < last_lane || j >= cols)
                step(j++, std::true_type{});
            for (std::int64_t const full_end = std::min({end, cols, next_period}); j >= last_lane && j < full_end; ++j)
                step(j, std::false_type{});
        }
    }

    for (int r = 0; r < R; ++r)
        xu[r] = hn::Sub(xu[r], u[r]);
    store(u, strip.left_u);
    if constexpr (!linear) // else x is 0 everywhere
        store(xu, strip.left_x);
}

constexpr int all_lanes = hn::MaxLanes(hn::ScalableTag<std::uint8_t>{});

template <int lanes, int R, Letters letters>
void choose(DiffStrip const & strip)
{
    if constexpr (bits_are_cheap)
        if (strip.bits)
            return run<lanes, R, letters, false, Keeps::bits>(strip);
    if (strip.kept)
        return run<lanes, R, letters, false, Keeps::lanes>(strip);
    return strip.scheme->open == 0 ? run<lanes, R, letters, true, Keeps::nothing>(strip)
                                   : run<lanes, R, letters, false, Keeps::nothing>(strip);
}

template <int R>
void choose_uniform(DiffStrip const & strip)
{
    return strip.small_codes ? choose<all_lanes, R, Letters::small>(strip) : choose<all_lanes, R, Letters::any>(strip);
}

template <int lanes>
void choose_matrix(DiffStrip const & strip, StripShape const & shape)
{
    if constexpr (lanes > 16) {
        if (shape.lanes < lanes)
            return choose_matrix<lanes / 2>(strip, shape);
    } else {
        if (shape.rows_per_lane == 4)
            return choose<lanes, 4, Letters::of_matrix>(strip);
    }
    with_rows_of_lookup(shape.rows_per_lane,
                        [&](auto rows) { choose<lanes, decltype(rows)::value, Letters::of_matrix>(strip); });
}

} // namespace

void diff_strip(DiffStrip const & strip)
{
    bool const matrix = strip.scheme->table.letters > 0;
    StripShape const shape = diff_shape(all_lanes, matrix, strip.rows);
    if (matrix)
        return choose_matrix<all_lanes>(strip, shape);
    switch (shape.rows_per_lane) {
    case 4:
        return choose_uniform<4>(strip);
    case 8:
        return choose_uniform<8>(strip);
    default:
        return choose_uniform<16>(strip);
    }
}

} // namespace nwgpu::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
