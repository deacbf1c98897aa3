// SPDX-License-Identifier: BSD-3-Clause
// The 8-bit local kernel for one strip (kernels.hpp has the recurrence of scores).
// Called by ScoreField (field.hpp) through the table of kernel_table.hpp.
//
// Each lane has a base of its own, which follows the H of its first row: after every `interval` steps all values are
// made relative to the new one.  In between no value leaves 8 bits (Scheme::local_range has the proof).
#include "cpu/kernels/isas.hpp" // must come first

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/kernels/strip_local.cpp"
#include <hwy/foreach_target.h> // must come before highway.h

#include <algorithm>
#include <limits>
#include <type_traits>

#include <hwy/highway.h>

#include "cpu/kernels/kernels.hpp"
#include "cpu/kernels/lane_numbers-inl.hpp"
#include "cpu/kernels/profile-inl.hpp"
#include "cpu/kernels/simd-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace nwgpu::cpu::HWY_NAMESPACE {
namespace {

template <int lanes, int R, Letters letters, Keeps keeps>
void run(ScoreStrip & strip)
{
    constexpr bool matrix = letters == Letters::of_matrix, kept = keeps != Keeps::nothing,
                   diagonals = keeps == Keeps::diagonals;
    hn::CappedTag<std::int8_t, lanes> const d;
    hn::CappedTag<std::uint8_t, lanes> const du;
    using V = hn::VFromD<decltype(d)>;
    using Numbers = LaneNumbers<lanes>;
    ScoreScheme const & scheme = *strip.scheme;
    LocalRange const & range = scheme.local;
    std::int64_t const cols = static_cast<std::int64_t>(strip.cols);
    int const rows = static_cast<int>(strip.rows);
    int const last_lane = (rows - 1) / R;
    int const last_row = (rows - 1) % R;
    auto const all = [&](std::int64_t value) HWY_ATTR { return hn::Set(d, static_cast<std::int8_t>(value)); };

    // State of every row: its letter, H and E of the column to the left.  Rows beyond the last one have what an
    // insertion leaves of the last row's H.
    alignas(64) std::int16_t base_of[lanes] = {};
    alignas(64) std::int8_t above_of[lanes] = {};
    alignas(64) std::int8_t h_by_row[R * lanes + 16] = {}, e_by_row[R * lanes + 16] = {};
    auto const first_row = [&](int lane) { return lane * R; };
    auto const rows_in = [&](int lane) { return std::min(R, rows - lane * R); };
    for (int lane = 0; lane <= last_lane; ++lane) {
        int const p = last_lane - lane, begin = first_row(lane), end = begin + rows_in(lane);
        std::int16_t & base_from_strip = base_of[Numbers::place(p)];
        base_from_strip = static_cast<std::int16_t>(strip.left_h[begin] - strip.base - range.reference);
        std::int64_t const base = strip.base + base_from_strip;
        above_of[p] = static_cast<std::int8_t>((lane == 0 ? strip.corner : strip.left_h[begin - 1]) - base);
        for (int row = begin; row < end; ++row) {
            h_by_row[row] = static_cast<std::int8_t>(strip.left_h[row] - base);
            e_by_row[row] = static_cast<std::int8_t>(strip.left_e[row] - base + scheme.extend);
        }
    }
    for (int r = last_row + 1; r < R; ++r) {
        std::int64_t const score = strip.left_h[rows - 1] - scheme.open - (r - last_row) * scheme.extend;
        std::int64_t const from_base = std::max(strip.floor, score) - strip.base - base_of[0];
        h_by_row[first_row(last_lane) + r] = static_cast<std::int8_t>(from_base);
        e_by_row[first_row(last_lane) + r] = static_cast<std::int8_t>(from_base - scheme.open);
    }
    alignas(64) std::int8_t letter_of[R][lanes];
    V h[R], e[R];
    auto const load = [&](void const * by_row, V * to) HWY_ATTR {
        hn::VFromD<decltype(du)> bytes[R];
        rows_to_lanes<R>(du, static_cast<std::uint8_t const *>(by_row), last_lane, bytes);
        for (int r = 0; r < R; ++r)
            to[r] = hn::BitCast(d, bytes[r]);
    };
    if constexpr (!matrix) {
        load(strip.query, h);
        for (int r = 0; r < R; ++r)
            hn::Store(h[r], d, letter_of[r]);
    }
    load(h_by_row, h);
    load(e_by_row, e);
    V above = hn::Load(d, above_of); // H of the row above each lane, one column to the left
    V last_h = hn::Zero(d), last_f = hn::Zero(d);

    ProfileReader<matrix, lanes, R, true> profile(strip.profile, last_lane);
    if constexpr (matrix)
        build_profile(strip.query, strip.rows, scheme.table, strip.profile);

    V const open = all(scheme.open), one_extend = all(scheme.extend), reference = all(range.reference);
    V const match = all(scheme.match + scheme.extend), mismatch = all(scheme.mismatch + scheme.extend);
    V const by_difference = score_by_difference(d, match, mismatch);
    alignas(64) std::int8_t position_of[lanes];
    for (int p = 0; p < lanes; ++p)
        position_of[p] = static_cast<std::int8_t>(p);
    V const position = hn::Load(d, position_of);
    auto const first_lane = hn::Eq(position, all(last_lane));
    auto const bottom_lane = hn::Eq(position, all(0));
    auto const used = hn::Lt(position, all(last_lane + 1));
    auto const active_at = [&](std::int64_t j) HWY_ATTR {
        std::int64_t const low = std::max<std::int64_t>(0, last_lane - j);
        std::int64_t const high = std::min<std::int64_t>(last_lane, last_lane - j + cols - 1);
        return hn::And(hn::Gt(position, all(low - 1)), hn::Lt(position, all(high + 1)));
    };

    // No score of the strip lies below this, so a lower floor can be replaced by it.
    std::int64_t const lowest = -2 * scheme.open - (rows + cols + 2) * scheme.extend;
    Numbers const wide_floor = Numbers::all(std::max(strip.floor - strip.base, lowest));
    Numbers wide_best = Numbers::all(std::numeric_limits<std::int16_t>::min()), wide_step = Numbers::all(0);
    V floor, best, best_step, into; // into: what makes a value of one lane's base one of the next lane's, a column on
    V drift_of_lane;                // while lanes enter or leave: those outside do not drift
    std::int64_t first_base, last_base, since; // of the first and the last lane; steps since the last change of base
    Numbers base = Numbers::load(base_of);
    auto const use_bases = [&]() HWY_ATTR {
        floor = wide_floor.less(base);
        best = wide_best.less(base);
        best_step = hn::Zero(d);
        V const low = base.narrow(); // lower bits are enough: the sum with it fits
        into = hn::Add(hn::Sub(lanes_down(d, low), low), one_extend);
        base.store(base_of);
        drift_of_lane = hn::Zero(d);
        first_base = strip.base + base_of[Numbers::place(last_lane)];
        last_base = strip.base + base_of[0];
        since = 0;
    };
    use_bases();

    [[maybe_unused]] std::uint8_t * attained = strip.diagonals;
    std::int8_t * keep_above = reinterpret_cast<std::int8_t *>(strip.trace);
    std::int8_t * keep_left = nullptr;
    auto const keep_period = [&]() HWY_ATTR { // that begins now
        NWGPU_UNROLL
        for (int r = 0; r < R; ++r) {
            hn::Store(h[r], d, keep_left + r * lanes);
            hn::Store(e[r], d, keep_left + (R + r) * lanes);
        }
        hn::Store(above, d, keep_left + 2 * R * lanes);
        hn::Store(floor, d, keep_left + (2 * R + 1) * lanes);
        keep_left += (2 * R + 2) * lanes;
    };
    if constexpr (kept) {
        keep_left = keep_above + (cols + last_lane) * 2 * lanes;
        keep_period();
    }

    // After step j.
    auto const change_bases = [&](std::int64_t j, V drift) HWY_ATTR {
        if (!hn::AllTrue(d, hn::Eq(best_step, hn::Zero(d)))) {
            Numbers const step = Numbers::of(best_step);
            wide_best.replace(step, Numbers::of(best).plus(base));
            wide_step.replace(step, step.plus(Numbers::all(j - since)));
        }
        V const shift = hn::Sub(h[0], reference);
        NWGPU_UNROLL
        for (int r = 0; r < R; ++r) {
            e[r] = hn::Sub(hn::Max(e[r], hn::Sub(h[r], open)), shift); // never too low for a base from here on
            h[r] = hn::Sub(h[r], shift);
        }
        above = hn::Sub(above, shift);
        last_h = hn::Sub(last_h, shift);
        last_f = hn::Sub(last_f, shift);
        V const rise = hn::Sub(shift, drift);
        base = base.plus(Numbers::of(hn::Sub(rise, all(range.middle)))).plus(Numbers::all(range.middle));
        use_bases();
        if (kept && j + 1 < cols + last_lane)
            keep_period();
    };

    auto const step = [&](std::int64_t j, auto partial) HWY_ATTR {
        auto active = used;
        std::int64_t const top_drift = ++since * scheme.extend;
        V drift = all(top_drift), from_above = into;
        if constexpr (partial()) {
            active = active_at(j);
            V const above_drift = lanes_down(d, drift_of_lane);
            drift = drift_of_lane = hn::Add(drift_of_lane, hn::IfThenElseZero(active, one_extend));
            from_above = hn::Add(into, hn::Sub(hn::Sub(drift, one_extend), above_drift));
        }
        V const local_floor = hn::Add(floor, drift);
        std::int64_t const top = partial() ? std::min(j, cols - 1) : j;
        V const top_h = hn::IfThenElse(first_lane, all(strip.top_h[top] - first_base + top_drift),
                                       hn::Add(lanes_down(d, last_h), from_above));
        V f = hn::IfThenElse(first_lane, all(strip.top_f[top] - first_base + top_drift),
                             hn::Add(lanes_down(d, last_f), from_above));
        if constexpr (kept) {
            hn::Store(top_h, d, keep_above);
            hn::Store(f, d, keep_above + lanes);
            keep_above += 2 * lanes;
        }
        V diagonal = above;
        above = partial() ? hn::IfThenElse(active, top_h, above) : top_h;

        hn::VFromD<decltype(du)> scores[4];
        V const letter = hn::BitCast(d, hn::LoadU(du, strip.target + j - last_lane));

        V column_best = all(std::numeric_limits<std::int8_t>::min()), last_lane_best = column_best;
        NWGPU_UNROLL
        for (int r = 0; r < R; ++r) {
            V s;
            if constexpr (matrix) {
                if (r % 4 == 0)
                    profile.four_rows(j, r, scores);
                s = hn::BitCast(d, scores[r % 4]);
            } else if constexpr (letters == Letters::small) {
                s = hn::TableLookupBytes(by_difference, hn::Xor(hn::Load(d, letter_of[r]), letter));
            } else {
                s = hn::IfThenElse(hn::Eq(hn::Load(d, letter_of[r]), letter), match, mismatch);
            }
            V const from_diagonal = hn::Add(diagonal, s), from_left = e[r];
            V const t = hn::Max(hn::Max(from_diagonal, from_left), local_floor);
            V const new_h = hn::Max(t, f);
            V const from_t = hn::SaturatedSub(t, open); // opens E and F; what is as low as that never attains H
            if constexpr (diagonals)
                hn::StoreMaskBits(d, hn::Eq(new_h, from_diagonal), attained + r * lanes / 8);
            V const new_e = hn::Max(from_left, from_t);
            diagonal = h[r];
            h[r] = partial() ? hn::IfThenElse(active, new_h, diagonal) : new_h;
            e[r] = partial() ? hn::IfThenElse(active, new_e, from_left) : new_e;
            f = hn::Sub(hn::Max(f, from_t), one_extend);
            column_best = hn::Max(column_best, new_h);
            last_h = new_h;
            if (r == last_row && j >= last_lane) { // the last lane leaves its bottom row behind
                std::int64_t const back = last_base - hn::GetLane(drift);
                strip.top_h[j - last_lane] = hn::GetLane(new_h) + back;
                strip.top_f[j - last_lane] = hn::GetLane(f) + back;
                last_lane_best = column_best; // without the rows beyond
            }
        }
        last_f = f;
        if constexpr (diagonals)
            attained += R * lanes / 8;
        column_best = hn::IfThenElse(bottom_lane, last_lane_best, column_best);
        V const undrifted = hn::Sub(column_best, drift);
        auto const better = hn::And(hn::Gt(undrifted, best), active);
        best = hn::IfThenElse(better, undrifted, best);
        best_step = hn::IfThenElse(better, all(since), best_step);
        // Before full steps, and before the lanes leave, none has drifted.
        if (since == range.interval || j + 1 == cols ||
            (partial() && (j + 1 == last_lane || j + 1 == cols + last_lane)))
            change_bases(j, drift);
    };
    for_each_step(profile, strip.target - last_lane, last_lane, cols, step);

    auto const store = [&](V const * from, std::int8_t * by_row) HWY_ATTR {
        hn::VFromD<decltype(du)> bytes[R];
        for (int r = 0; r < R; ++r)
            bytes[r] = hn::BitCast(du, from[r]);
        lanes_to_rows<R>(du, bytes, last_lane, reinterpret_cast<std::uint8_t *>(by_row));
    };
    store(h, h_by_row);
    store(e, e_by_row);
    for (int lane = 0; lane <= last_lane; ++lane) {
        std::int64_t const base = strip.base + base_of[Numbers::place(last_lane - lane)];
        for (int row = first_row(lane), end = row + rows_in(lane); row < end; ++row) {
            strip.left_h[row] = h_by_row[row] + base;
            strip.left_e[row] = e_by_row[row] + base - scheme.extend;
        }
    }
    alignas(64) std::int16_t best_of[lanes], step_of[lanes];
    wide_best.store(best_of);
    wide_step.store(step_of);
    std::int16_t best_of_all = std::numeric_limits<std::int16_t>::min();
    for (int p = 0; p <= last_lane; ++p)
        best_of_all = std::max(best_of_all, best_of[Numbers::place(p)]);
    strip.best = best_of_all + strip.base;
    strip.best_col = strip.cols;
    for (int lane = 0; lane <= last_lane; ++lane)
        if (int const at = Numbers::place(last_lane - lane); best_of[at] == best_of_all)
            if (auto const col = static_cast<std::uint64_t>(step_of[at] - lane); col < strip.best_col) {
                strip.best_col = col;
                strip.best_row = static_cast<std::uint64_t>(lane) * R;
            }
}

template <int lanes, int R, Letters letters>
void choose(ScoreStrip & strip)
{
    if (strip.diagonals)
        return run<lanes, R, letters, Keeps::diagonals>(strip);
    return strip.trace ? run<lanes, R, letters, Keeps::lanes>(strip) : run<lanes, R, letters, Keeps::nothing>(strip);
}

template <int lanes>
void choose_rows(ScoreStrip & strip, int rows_per_lane)
{
    if (strip.scheme->letters == 0)
        return strip.small_codes ? choose<lanes, 16, Letters::small>(strip) : choose<lanes, 16, Letters::any>(strip);
    with_rows_of_lookup(rows_per_lane,
                        [&](auto rows) { choose<lanes, decltype(rows)::value, Letters::of_matrix>(strip); });
}

} // namespace

void strip_local(ScoreStrip & strip)
{
    constexpr int all = hn::MaxLanes(hn::ScalableTag<std::int8_t>{}), half = local_shape(all, false, 1).lanes;
    auto const [lanes, rows_per_lane] = local_shape(all, strip.scheme->letters > 0, strip.rows);
    return lanes == half ? choose_rows<half>(strip, rows_per_lane) : choose_rows<all>(strip, rows_per_lane);
}

} // namespace nwgpu::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
