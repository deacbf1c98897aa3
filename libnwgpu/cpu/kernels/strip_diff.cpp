// SPDX-License-Identifier: BSD-3-Clause
// The 8-bit difference kernel for one strip (kernels.hpp has the recurrence).  Called by DiffField (field.hpp) through
// the table of kernel_table.hpp.
#include "cpu/kernels/isas.hpp" // must come first

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/kernels/strip_diff.cpp"
#include <hwy/foreach_target.h> // must come before highway.h

#include <algorithm>
#include <cstring>
#include <type_traits>

#include <hwy/highway.h>

#include "cpu/kernels/kernels.hpp"
#include "cpu/kernels/profile-inl.hpp"
#include "cpu/kernels/simd-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace nwgpu::cpu::HWY_NAMESPACE {
namespace {

template <int lanes, int R, Letters letters, bool linear, Keeps keeps>
void run(DiffStrip const & strip)
{
    constexpr bool matrix = letters == Letters::of_matrix, kept = keeps != Keeps::nothing,
                   diagonals = keeps == Keeps::diagonals;
    hn::CappedTag<std::int8_t, lanes> const d;
    hn::CappedTag<std::uint8_t, lanes> const du;
    using V = hn::VFromD<decltype(d)>;
    DiffScheme const & scheme = *strip.scheme;
    std::int64_t const cols = static_cast<std::int64_t>(strip.cols);
    int const rows = static_cast<int>(strip.rows);
    int const last_lane = (rows - 1) / R;
    int const last_row = (rows - 1) % R; // within the last lane
    auto const all = [&](int value) HWY_ATTR { return hn::Set(d, static_cast<std::int8_t>(value)); };
    V const open = all(scheme.open);

    // State of every row: its letter, u and a of the column to the left.
    alignas(64) std::int8_t letter_of[R][lanes];
    V u[R], a[R];
    alignas(64) std::uint8_t by_row[R * lanes + 16]; // a boundary and what is read and written beside it
    bool const in_place = R == 16 && rows == R * lanes;
    auto const load = [&](std::uint8_t const * boundary, V * to) HWY_ATTR {
        if (!in_place) {
            std::fill(std::copy_n(boundary, rows, by_row), std::end(by_row), std::uint8_t{0});
            boundary = by_row;
        }
        hn::VFromD<decltype(du)> bytes[R];
        rows_to_lanes<R>(du, boundary, last_lane, bytes);
        for (int r = 0; r < R; ++r)
            to[r] = hn::BitCast(d, bytes[r]);
    };
    auto const store = [&](V const * from, std::uint8_t * boundary) HWY_ATTR {
        hn::VFromD<decltype(du)> bytes[R];
        for (int r = 0; r < R; ++r)
            bytes[r] = hn::BitCast(du, from[r]);
        lanes_to_rows<R>(du, bytes, last_lane, in_place ? boundary : by_row);
        if (!in_place)
            std::copy_n(by_row, rows, boundary);
    };
    if constexpr (!matrix) {
        load(strip.query, u);
        for (int r = 0; r < R; ++r)
            hn::Store(u[r], d, letter_of[r]);
    }
    load(strip.left_u, u);
    load(strip.left_x, a);
    for (int r = 0; r < R; ++r) {
        u[r] = hn::Sub(u[r], open);
        a[r] = hn::Add(a[r], hn::Sub(u[r], open));
    }

    constexpr bool ahead = R > 8;
    ProfileReader<matrix, lanes, R, ahead> profile(strip.profile, last_lane);
    if constexpr (matrix)
        build_profile(strip.query, strip.rows, scheme.table, strip.profile);

    V const match = all(scheme.match), mismatch = all(scheme.mismatch);
    V const by_difference = score_by_difference(d, match, mismatch);
    alignas(64) std::int8_t position_of[lanes];
    for (int p = 0; p < lanes; ++p)
        position_of[p] = static_cast<std::int8_t>(p);
    V const position = hn::Load(d, position_of);
    auto const first_lane = hn::Eq(position, all(last_lane));

    V last_v = hn::Zero(d), last_b = hn::Zero(d); // v and b of the last row of each lane, one step ago
    [[maybe_unused]] std::uint8_t * attained = strip.diagonals;
    auto * keep_above = reinterpret_cast<std::int8_t *>(strip.kept);
    auto * keep_left = kept ? keep_above + (cols + last_lane) * 2 * lanes : nullptr;
    std::int64_t next_period = kept ? 0 : INT64_MAX;
    auto const keep_period = [&](std::int64_t j) HWY_ATTR { // that begins now
        NWGPU_UNROLL
        for (int r = 0; r < R; ++r) {
            hn::Store(u[r], d, keep_left + r * lanes);
            hn::Store(a[r], d, keep_left + (R + r) * lanes);
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
            active = hn::And(hn::Gt(position, all(static_cast<int>(low) - 1)),
                             hn::Lt(position, all(static_cast<int>(high) + 1)));
        }
        std::int64_t const top = partial() ? std::min(j, cols - 1) : j;
        int const top_v = strip.top_v[top] - scheme.open;
        V v = hn::IfThenElse(first_lane, all(top_v), lanes_down(d, last_v));
        V b = v;
        if constexpr (!linear)
            b = hn::IfThenElse(first_lane, all(strip.top_y[top] - scheme.open + top_v), lanes_down(d, last_b));

        if constexpr (kept) {
            hn::Store(v, d, keep_above);
            hn::Store(b, d, keep_above + lanes);
            keep_above += 2 * lanes;
        }
        hn::VFromD<decltype(du)> scores[ahead ? 4 : 8];
        if constexpr (matrix && !ahead)
            profile.all_rows(du, j, scores);
        V const letter = hn::BitCast(d, hn::LoadU(du, strip.target + j - last_lane));

        NWGPU_UNROLL
        for (int r = 0; r < R; ++r) {
            V s;
            if constexpr (matrix && ahead)
                if (r % 4 == 0)
                    profile.four_rows(j, r, scores);
            if constexpr (matrix)
                s = hn::BitCast(d, scores[r % (ahead ? 4 : 8)]);
            else if constexpr (letters == Letters::small)
                s = hn::TableLookupBytes(by_difference, hn::Xor(hn::Load(d, letter_of[r]), letter));
            else
                s = hn::IfThenElse(hn::Eq(hn::Load(d, letter_of[r]), letter), match, mismatch);
            V const from_left = linear ? u[r] : a[r];
            if constexpr (linear)
                b = v;
            V const t = hn::Max(s, from_left);
            V const z = hn::Max(t, b);
            V const new_u = hn::Sub(z, v);
            if constexpr (diagonals)
                hn::StoreMaskBits(d, hn::Eq(z, s), attained + r * lanes / 8);
            if constexpr (!linear) {
                V const from_t = hn::Sub(t, open); // opens E and F
                V const new_a = hn::Sub(hn::Max(from_left, from_t), v);
                a[r] = partial() ? hn::IfThenElse(active, new_a, from_left) : new_a;
                b = hn::Sub(hn::Max(b, from_t), u[r]);
            }
            v = hn::Sub(z, u[r]);
            u[r] = partial() ? hn::IfThenElse(active, new_u, u[r]) : new_u;
            if (r == last_row && j >= last_lane) { // the last lane leaves its bottom row behind
                int const bottom_v = hn::GetLane(v);
                strip.top_v[j - last_lane] = static_cast<std::uint8_t>(bottom_v + scheme.open);
                if constexpr (!linear)
                    strip.top_y[j - last_lane] = static_cast<std::uint8_t>(hn::GetLane(b) - bottom_v + scheme.open);
            }
        }
        last_v = v;
        last_b = b;
        if constexpr (diagonals)
            attained += R * lanes / 8;
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

    for (int r = 0; r < R; ++r) { // E opened from H is never less than this
        V const from_h = hn::Sub(u[r], open);
        a[r] = hn::Sub(hn::Max(a[r], from_h), from_h);
        u[r] = hn::Add(u[r], open);
    }
    store(u, strip.left_u);
    if constexpr (!linear) // else x is 0 everywhere
        store(a, strip.left_x);
}

constexpr int all_lanes = hn::MaxLanes(hn::ScalableTag<std::uint8_t>{});

template <int lanes, int R, Letters letters>
void choose(DiffStrip const & strip)
{
    if (strip.diagonals)
        return run<lanes, R, letters, false, Keeps::diagonals>(strip);
    if (strip.kept)
        return run<lanes, R, letters, false, Keeps::lanes>(strip);
    return strip.scheme->open == 0 ? run<lanes, R, letters, true, Keeps::nothing>(strip)
                                   : run<lanes, R, letters, false, Keeps::nothing>(strip);
}

template <int R>
void choose_uniform(DiffStrip const & strip)
{
    // Where a comparison takes no longer than a lookup, there is one kernel (docs/notes/cpu-kernels.md).
    if constexpr (HWY_TARGET <= HWY_AVX3)
        if (strip.small_codes)
            return choose<all_lanes, R, Letters::small>(strip);
    choose<all_lanes, R, Letters::any>(strip);
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
