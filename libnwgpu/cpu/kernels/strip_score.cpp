// SPDX-License-Identifier: BSD-3-Clause
// The 16, 32 and 64-bit score kernels for one strip (kernels.hpp has the recurrence).  Called by ScoreField (field.hpp)
// through the table of kernel_table.hpp.
#include "cpu/kernels/isas.hpp" // must come first

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/kernels/strip_score.cpp"
#include <hwy/foreach_target.h> // must come before highway.h

#include <algorithm>
#include <limits>
#include <type_traits>

#include <hwy/highway.h>

#include "cpu/kernels/kernels.hpp"
#include "cpu/kernels/profile-inl.hpp"
#include "cpu/kernels/simd-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace nwgpu::cpu::HWY_NAMESPACE {
namespace {

enum class Goal { best, trace };

template <class T, int R, bool matrix, Goal goal>
void run(ScoreStrip & strip)
{
    hn::ScalableTag<T> const d;
    using V = hn::VFromD<decltype(d)>;
    constexpr int lanes = hn::MaxLanes(d);
    ScoreScheme const & scheme = *strip.scheme;
    std::int64_t const cols = static_cast<std::int64_t>(strip.cols);
    int const rows = static_cast<int>(strip.rows);
    int const last_lane = (rows - 1) / R;
    int const last_row = (rows - 1) % R;
    T const extend = static_cast<T>(scheme.extend);
    std::int64_t const base = strip.base;
    auto const relative = [base](std::int64_t score) { return static_cast<T>(score - base); };

    // State of every row: its letter, H and E of the column to the left.  Rows beyond the last one have a letter that
    // equals none, so that they never score.
    alignas(64) T letter_of[R][lanes], h_of[R][lanes] = {}, e_of[R][lanes] = {}, above_of[lanes] = {};
    std::fill_n(&letter_of[0][0], R * lanes, T{-1});
    for (int row = 0; row < rows; ++row) {
        int const p = last_lane - row / R;
        letter_of[row % R][p] = strip.query[row];
        h_of[row % R][p] = relative(strip.left_h[row]);
        e_of[row % R][p] = static_cast<T>(relative(strip.left_e[row]) + extend);
        if (row % R == 0)
            above_of[p] = relative(row == 0 ? strip.corner : strip.left_h[row - 1]);
    }
    V h[R], e[R];
    for (int r = 0; r < R; ++r) {
        h[r] = hn::Load(d, h_of[r]);
        e[r] = hn::Load(d, e_of[r]);
    }
    V above = hn::Load(d, above_of); // H of the row above each lane, one column to the left

    constexpr int slice = R <= 8 ? 8 : 16;
    ProfileReader<matrix && sizeof(T) == 2, lanes, R, false> profile(strip.profile, last_lane);
    if constexpr (matrix && sizeof(T) == 2)
        build_profile(strip.query, strip.rows, scheme.table, strip.profile);

    V const open = hn::Set(d, static_cast<T>(scheme.open));
    V const open_extend = hn::Set(d, static_cast<T>(scheme.open + scheme.extend));
    V const one_extend = hn::Set(d, extend);
    V const match = hn::Set(d, static_cast<T>(scheme.match + scheme.extend));
    V const mismatch = hn::Set(d, static_cast<T>(scheme.mismatch + scheme.extend));
    // Lane k is at column step - k, where the drift is (step - k + 1) * extend.
    alignas(64) T position_of[lanes], drift_of[lanes];
    for (int p = 0; p < lanes; ++p) {
        position_of[p] = static_cast<T>(p);
        drift_of[p] = static_cast<T>((p - last_lane) * scheme.extend);
    }
    V const position = hn::Load(d, position_of);
    V drift = hn::Load(d, drift_of);
    auto const first_lane = hn::Eq(position, hn::Set(d, static_cast<T>(last_lane)));
    auto const used = hn::Lt(position, hn::Set(d, static_cast<T>(last_lane + 1)));
    // No score of the strip lies below this, so a lower floor can be replaced by it.
    std::int64_t const lowest = -2 * scheme.open - (rows + cols + 2) * scheme.extend;
    V const floor = hn::Set(d, static_cast<T>(std::max(strip.floor - base, lowest)));
    V best = hn::Set(d, std::numeric_limits<T>::min()), best_step = hn::Zero(d);

    V last_h = hn::Zero(d), last_f = hn::Zero(d);
    std::uint8_t * trace = strip.trace;
    constexpr std::size_t plane_bytes = (lanes + 7) / 8;

    auto const step = [&](std::int64_t j, auto partial) HWY_ATTR {
        auto active = used;
        if constexpr (partial()) {
            std::int64_t const low = std::max<std::int64_t>(0, last_lane - j);
            std::int64_t const high = std::min<std::int64_t>(last_lane, last_lane - j + cols - 1);
            active = hn::And(hn::Gt(position, hn::Set(d, static_cast<T>(low - 1))),
                             hn::Lt(position, hn::Set(d, static_cast<T>(high + 1))));
        }
        drift = hn::Add(drift, one_extend);
        V const local_floor = hn::Add(floor, drift);
        std::int64_t const top = partial() ? std::min(j, cols - 1) : j;
        T const top_drift = static_cast<T>((top + 1) * scheme.extend);
        V const top_h = hn::IfThenElse(first_lane, hn::Set(d, static_cast<T>(relative(strip.top_h[top]) + top_drift)),
                                       lanes_down(d, last_h));
        V f = hn::IfThenElse(first_lane, hn::Set(d, static_cast<T>(relative(strip.top_f[top]) + top_drift)),
                             lanes_down(d, last_f));
        V diagonal = above;
        above = partial() ? hn::IfThenElse(active, top_h, above) : top_h;

        std::uint8_t const * letters = strip.target + j - last_lane;
        V scores[matrix ? slice : 1];
        V letter = hn::Zero(d);
        if constexpr (sizeof(T) > 2) {
            alignas(64) T buffer[R][lanes];
            for (int r = 0; r < R; ++r)
                for (int p = 0; p <= last_lane; ++p)
                    buffer[r][p] = static_cast<T>(
                        scheme.extend +
                        (scheme.letters == 0 ? (letter_of[r][p] == letters[p] ? scheme.match : scheme.mismatch)
                         : letter_of[r][p] < 0
                             ? -scheme.extend
                             : scheme.scores[static_cast<int>(letter_of[r][p]) * scheme.letters + letters[p]]));
            for (int r = 0; r < R; ++r)
                scores[r] = hn::Load(d, buffer[r]);
        } else if constexpr (matrix) {
            // The interleaving needs whole blocks of 16 bytes; with fewer lanes their upper half is junk.
            hn::Rebind<std::int8_t, decltype(d)> const d8;
            hn::CappedTag < std::uint8_t, lanes<16 ? 16 : lanes> const du8;
            hn::VFromD<decltype(du8)> bytes[slice];
            profile.all_rows(du8, j, bytes);
            for (int r = 0; r < R; ++r) {
                if constexpr (lanes < 16)
                    scores[r] = hn::PromoteTo(d, hn::BitCast(d8, hn::LowerHalf(bytes[r])));
                else
                    scores[r] = hn::PromoteTo(d, hn::BitCast(d8, bytes[r]));
            }
        } else {
            hn::Rebind<std::uint8_t, decltype(d)> const du8;
            letter = hn::PromoteTo(d, hn::LoadU(du8, letters));
        }

        V column_best = hn::Set(d, std::numeric_limits<T>::min());
        NWGPU_UNROLL
        for (int r = 0; r < R; ++r) {
            V s;
            if constexpr (matrix)
                s = scores[r];
            else
                s = hn::IfThenElse(hn::Eq(hn::Load(d, letter_of[r]), letter), match, mismatch);
            V const from_diagonal = hn::Add(diagonal, s);
            V const t = hn::Max(hn::Max(from_diagonal, e[r]), local_floor);
            V const new_h = hn::Max(t, f);
            V const from_h = hn::Sub(new_h, open);
            V const next_f = hn::Sub(f, one_extend), from_t = hn::Sub(t, open_extend);
            if constexpr (goal == Goal::trace) {
                hn::StoreMaskBits(d, hn::Eq(new_h, from_diagonal), trace + plane_diagonal * plane_bytes);
                hn::StoreMaskBits(d, hn::Eq(new_h, f), trace + plane_vertical * plane_bytes);
                hn::StoreMaskBits(d, hn::Gt(from_h, e[r]), trace + plane_e_opens * plane_bytes);
                hn::StoreMaskBits(d, hn::Gt(from_t, next_f), trace + plane_f_opens * plane_bytes);
                hn::StoreMaskBits(d, hn::Eq(new_h, e[r]), trace + plane_horizontal * plane_bytes);
                trace += 5 * plane_bytes;
            } else {
                column_best = hn::Max(column_best, new_h);
            }
            V const new_e = hn::Max(e[r], from_h);
            diagonal = h[r];
            h[r] = partial() ? hn::IfThenElse(active, new_h, h[r]) : new_h;
            e[r] = partial() ? hn::IfThenElse(active, new_e, e[r]) : new_e;
            f = hn::Max(next_f, from_t);
            last_h = new_h;
            if (r == last_row && j >= last_lane) { // the last lane leaves its bottom row behind
                std::int64_t const col = j - last_lane;
                std::int64_t const back = strip.base - (col + 1) * scheme.extend;
                strip.top_h[col] = hn::GetLane(new_h) + back;
                strip.top_f[col] = hn::GetLane(f) + back;
            }
        }
        last_f = f;
        if constexpr (goal == Goal::best) {
            V const undrifted = hn::Sub(column_best, drift);
            auto better = hn::Gt(undrifted, best);
            if constexpr (partial())
                better = hn::And(better, active);
            best = hn::IfThenElse(better, undrifted, best);
            best_step = hn::IfThenElse(better, hn::Set(d, static_cast<T>(j)), best_step);
        }
    };

    std::int64_t const steps = cols + last_lane;
    for (std::int64_t j = 0; j < steps;) {
        std::int64_t const end = profile.prepare(strip.target - last_lane, j, steps);
        while (j < end) {
            if (j < last_lane || j >= cols)
                step(j++, std::true_type{});
            for (std::int64_t const full_end = std::min(end, cols); j >= last_lane && j < full_end; ++j)
                step(j, std::false_type{});
        }
    }

    for (int r = 0; r < R; ++r) {
        hn::Store(h[r], d, h_of[r]);
        hn::Store(e[r], d, e_of[r]);
    }
    std::int64_t const back = strip.base - cols * scheme.extend;
    for (int row = 0; row < rows; ++row) {
        strip.left_h[row] = h_of[row % R][last_lane - row / R] + back;
        strip.left_e[row] = e_of[row % R][last_lane - row / R] + back - scheme.extend;
    }
    if constexpr (goal == Goal::best) {
        alignas(64) T best_of[lanes], step_of[lanes];
        hn::Store(best, d, best_of);
        hn::Store(best_step, d, step_of);
        strip.best = *std::max_element(best_of, best_of + last_lane + 1) + base;
        strip.best_col = strip.cols;
        for (int p = 0; p <= last_lane; ++p)
            if (best_of[p] + base == strip.best)
                strip.best_col = std::min(strip.best_col, static_cast<std::uint64_t>(step_of[p] - (last_lane - p)));
    }
}

template <class T, int R, bool matrix>
void choose(ScoreStrip & strip)
{
    return strip.trace ? run<T, R, matrix, Goal::trace>(strip) : run<T, R, matrix, Goal::best>(strip);
}

template <int R>
void choose16(ScoreStrip & strip)
{
    return strip.scheme->letters > 0 ? choose<std::int16_t, R, true>(strip) : choose<std::int16_t, R, false>(strip);
}

} // namespace

void score_strip(ScoreStrip & strip, int width, int rows_per_lane)
{
    switch (width) {
    case 16:
        return rows_per_lane == 16 ? choose16<16>(strip) : choose16<4>(strip);
    case 32:
        return choose<std::int32_t, 4, true>(strip);
    default:
        return choose<std::int64_t, 4, true>(strip);
    }
}

} // namespace nwgpu::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
