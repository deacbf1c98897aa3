// SPDX-License-Identifier: BSD-3-Clause
// The 8-bit local kernel for high strips with a matrix (kernels.hpp has the recurrence of scores).
// Called by ScoreField (field.hpp) through the table of kernel_table.hpp.
//
// All lanes compute the same column, so that a row's column scores are one load from the profile; on the wavefront of
// the other kernels every lane has to look up a letter of its own.  What a lane needs of F in the lanes above is found
// by a prefix maximum when all t of a column are known ("scan": Khajeh-Saeed et al. 2010,
// doi:10.1016/j.jcp.2010.02.009; Daily 2016, doi:10.1186/s12859-016-0930-z), and H = max(t, F) in the pass for the next
// column.
//
// The rows of a lane are in groups of up to 16 (LocalRange), with a base for each, which follows the H of the group's
// first row as in local_strip.cpp.  Values drift upwards by `extend` per column and per row of a group
// (docs/exactness.md).
#include "cpu/targets.hpp" // must come first

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/scan_strip.cpp"
#include <hwy/foreach_target.h> // must come before highway.h

#include <algorithm>
#include <bit>
#include <cstring>

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include "cpu/kernels.hpp"
#include "cpu/profile-inl.hpp"
#include "cpu/scan-inl.hpp"
#include "cpu/simd-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace nwgpu::cpu::HWY_NAMESPACE {
namespace {

constexpr int lanes = hn::MaxLanes(hn::ScalableTag<std::int8_t>{});
constexpr hn::CappedTag<std::int8_t, lanes> d{};
constexpr hn::CappedTag<std::uint8_t, lanes> du{};
using V = hn::VFromD<decltype(d)>;
using U = hn::VFromD<decltype(du)>;
using Mask = decltype(hn::Eq(hn::Zero(d), hn::Zero(d)));
using Numbers = LaneNumbers<lanes>;

HWY_INLINE V all(std::int64_t value) { return hn::Set(d, static_cast<std::int8_t>(value)); }

constexpr int most_groups = most_scan_rows / 8;
constexpr int most_rows = lanes * most_scan_rows;

// Lane k is at position lanes - 1 - k, so that lanes_down() goes from a lane to the next.
constexpr int position(int lane) { return lanes - 1 - lane; }

// What the lanes have for one group of their rows; values are relative to the bases.
struct Group {
    int begin = 0, end = 0; // rows of a lane
    Numbers base;
    V floor;
    bool floored = false; // whether any score can be as low
    V best;               // the lane's, or the strip's up to the last change of base
    V best_step;          // columns since then up to the lane's best; 0: none
    bool seeking = false; // whether any score can be better
    V never;              // those of lanes whose rows all lie beyond the last one cannot
    // What makes a value of the group above one of this, for the first one of the lane above; and in two parts, for
    // values that may leave 8 bits on the way.
    V into, into_half, into_rest;
};

// Rows of a lane between two places where there is more to do than their cells: where a group begins, and behind the
// strip's last row.
struct Part {
    int group = 0, begin = 0, end = 0;
};

// What comes into the first row of each lane: F of a column, and H of the row above in it.
struct Above {
    V f, diagonal;
};

// What goes from row to row.
struct Rows {
    V f, diagonal;
    V gap;    // F and what it costs to open it, from this lane's t alone
    V last_t; // of this column
    V floor;
    U best; // above the floor
};

class ScanStrip {
public:
    explicit ScanStrip(ScoreStrip & strip) :
        strip_{strip},
        scheme_{*strip.scheme},
        cols_{static_cast<std::int64_t>(strip.cols)},
        rows_{static_cast<int>(strip.rows)}
    {
        int const least = (rows_ + lanes - 1) / lanes;
        groups_ = (least + scheme_.scan.rows - 1) / scheme_.scan.rows;
        rows_in_group_ = (least + groups_ - 1) / groups_;
        lane_rows_ = groups_ * rows_in_group_;
        last_lane_ = (rows_ - 1) / lane_rows_;
        last_row_ = (rows_ - 1) % lane_rows_;
        last_group_ = last_row_ / rows_in_group_;
        for (int g = 0; g < groups_; ++g) {
            group_[g].begin = g * rows_in_group_;
            group_[g].end = (g + 1) * rows_in_group_;
        }
        for (int row = 0; row < lane_rows_; row = parts_[part_count_++].end) {
            int const g = row / rows_in_group_;
            parts_[part_count_] = {g, row, row <= last_row_ ? std::min(group_[g].end, last_row_ + 1) : group_[g].end};
        }
        alignas(64) std::int8_t lane_at[lanes];
        alignas(64) std::int16_t drift_of[lanes];
        for (int lane = 0; lane < lanes; ++lane) {
            int const p = position(lane);
            lane_at[p] = static_cast<std::int8_t>(lane);
            drift_of[Numbers::place(p)] = static_cast<std::int16_t>(lane * lane_rows_ * scheme_.extend + 32768);
        }
        lane_drift_ = Numbers::load(drift_of);
        top_lane_ = hn::Eq(hn::Load(d, lane_at), all(0));
        bottom_lane_ = hn::Eq(hn::Load(d, lane_at), all(last_lane_));
    }

    void run()
    {
        build_profile();
        Above above = load();
        for (std::int64_t j = 0; j < cols_; ++j) {
            above = column(j, above);
            if (since_ == scheme_.scan.interval || j + 1 == cols_)
                above = finish(j, above);
        }
        save();
    }

private:
    std::uint8_t * scores_of(std::size_t letter) const { return profile_ + letter * row_bytes(); }
    std::size_t row_bytes() const { return std::bit_ceil(static_cast<std::size_t>(lane_rows_) * lanes); }
    // What the rows of a group drift by.
    std::int64_t group_drift() const { return rows_in_group_ * scheme_.extend; }

    // Bytes of the strip's rows, 16 readable ones behind them, as vectors of a group's rows.
    void to_lanes(std::uint8_t const * by_row, int group, U * HWY_RESTRICT out) const
    {
        transpose_slices<16>(
            du, [&](int p) { return by_row + position(p) * lane_rows_ + group_[group].begin; }, out);
    }

    // Scores in the order [letter][row of lane][lane].  Rows beyond the last one have a letter whose score, with its
    // drift, is 0, so that no H of theirs is higher than all others.
    void build_profile()
    {
        // Rows of the profile lie like t_ and e_ modulo the size of a page: a load waits for an earlier store whose
        // address has the same lower bits, and here that is the row's own, which comes later.
        auto const excess = reinterpret_cast<std::uintptr_t>(t_) - reinterpret_cast<std::uintptr_t>(strip_.profile);
        profile_ = reinterpret_cast<std::uint8_t *>(strip_.profile) + excess % scan_page;
        int const letters = scheme_.scan_table.letters;
        std::uint8_t * const codes = scores_of(static_cast<std::size_t>(letters)); // behind the profile
        std::uint8_t by_row[most_rows + 16];
        std::memcpy(by_row, strip_.query, strip_.rows);
        std::memset(by_row + rows_, letters, static_cast<std::size_t>(most_rows + 16 - rows_));
        for (int g = 0; g < groups_; ++g) {
            U in_group[16];
            to_lanes(by_row, g, in_group);
            for (int r = 0; r < rows_in_group_; ++r)
                hn::Store(in_group[r], du, codes + (group_[g].begin + r) * lanes);
        }
        look_up_scores(codes, static_cast<std::uint64_t>(lane_rows_) * lanes, scheme_.scan_table,
                       [&](int letter) { return scores_of(static_cast<std::size_t>(letter)); });
    }

    // The left boundary; rows beyond the last one have what an insertion leaves of the last row's H.
    Above load()
    {
        std::uint8_t h_by_row[most_rows + 16], e_by_row[most_rows + 16]; // the lower bits
        for (int row = 0; row < rows_; ++row) {
            h_by_row[row] = static_cast<std::uint8_t>(strip_.left_h[row]);
            e_by_row[row] = static_cast<std::uint8_t>(strip_.left_e[row] + scheme_.extend);
        }
        std::int64_t const last = strip_.left_h[rows_ - 1] - scheme_.open;
        auto const h_at = [&](int row) {
            return row < rows_ ? strip_.left_h[row]
                               : std::max<std::int64_t>(0, last - (row + 1 - rows_) * scheme_.extend);
        };
        for (int row = rows_; row < lanes * lane_rows_; ++row) {
            h_by_row[row] = static_cast<std::uint8_t>(h_at(row));
            e_by_row[row] = static_cast<std::uint8_t>(h_at(row) - scheme_.open);
        }
        alignas(64) std::int16_t base_of[lanes];
        alignas(64) std::int8_t above_of[lanes], never_of[lanes];
        for (int g = 0; g < groups_; ++g) {
            Group & group = group_[g];
            for (int lane = 0; lane < lanes; ++lane) {
                int const p = position(lane), first = lane * lane_rows_ + group.begin;
                std::int64_t const base = h_at(first) - scheme_.scan.reference;
                base_of[Numbers::place(p)] = static_cast<std::int16_t>(base - strip_.base);
                never_of[p] = lane > last_lane_ || (lane == last_lane_ && g > last_group_) ? INT8_MAX : INT8_MIN;
                if (g == 0)
                    above_of[p] =
                        static_cast<std::int8_t>((lane == 0 ? strip_.corner : h_at(first - 1)) - base - scheme_.extend);
            }
            group.base = Numbers::load(base_of);
            group.never = hn::Load(d, never_of);
            U h[16], e[16];
            to_lanes(h_by_row, g, h);
            to_lanes(e_by_row, g, e);
            V to_base = hn::Sub(all(-strip_.base), group.base.narrow());
            for (int r = group.begin; r < group.end; ++r) {
                hn::Store(hn::Add(hn::BitCast(d, h[r - group.begin]), to_base), d, t_ + r * lanes);
                hn::Store(hn::Add(hn::BitCast(d, e[r - group.begin]), to_base), d, e_ + r * lanes);
                to_base = hn::Add(to_base, all(scheme_.extend));
            }
        }
        // No score of the strip lies below this, so a lower floor can be replaced by it.
        std::int64_t const lowest = strip_.corner - 2 * scheme_.open - (rows_ + cols_ + 2) * scheme_.extend;
        floor_ = std::max<std::int64_t>(0, lowest);
        best_ = floor_ - 1;
        use_bases();
        return {all(INT8_MIN), hn::Load(d, above_of)};
    }

    void use_bases()
    {
        Numbers const wide_floor = Numbers::all(floor_ - strip_.base), wide_best = Numbers::all(best_ - strip_.base),
                      drift = Numbers::all(group_drift());
        Numbers above = group_[groups_ - 1].base.down().minus(drift);
        comparable_ = above.plus(lane_drift_).minus(Numbers::all(scheme_.open));
        first_row_ = group_[0].base.plus(lane_drift_);
        for (int g = 0; g < groups_; ++g) {
            Group & group = group_[g];
            group.floor = wide_floor.less(group.base);
            group.floored = !hn::AllTrue(d, hn::Eq(group.floor, all(INT8_MIN)));
            group.best = hn::Max(wide_best.less(group.base), group.never);
            group.best_step = hn::Zero(d);
            group.seeking = !hn::AllTrue(d, hn::Eq(group.best, all(INT8_MAX)));
            Numbers const into = above.minus(group.base), half = into.half();
            group.into = into.narrow();
            group.into_half = half.narrow();
            group.into_rest = into.minus(half).narrow();
            above = group.base.minus(drift);
        }
        since_ = 0;
        first_base_ = strip_.base + base_of(group_[0], 0);
        bottom_base_ = strip_.base + base_of(group_[last_group_], last_lane_);
    }
    static std::int64_t base_of(Group const & group, int lane)
    {
        alignas(64) std::int16_t of[lanes];
        group.base.store(of);
        return of[Numbers::place(position(lane))];
    }

    // H and F of column j below the strip's last row.
    void leave_bottom(std::int64_t j, V h, V f, std::int64_t drift)
    {
        alignas(64) std::int8_t h_of[lanes], f_of[lanes];
        hn::Store(h, d, h_of);
        hn::Store(f, d, f_of);
        std::int64_t const base = bottom_base_ - drift - (last_row_ - group_[last_group_].begin) * scheme_.extend;
        strip_.top_h[j] = h_of[position(last_lane_)] + base;
        strip_.top_f[j] = f_of[position(last_lane_)] + base - scheme_.extend;
    }

    // One row: H of the last column and t of this one.
    template <bool floored, bool seeking>
    HWY_INLINE void row(std::size_t i, std::uint8_t const * scores, std::uint8_t const * next_scores, V open, V extend,
                        Rows & in)
    {
        V const last_t = hn::Load(d, t_ + i), from_t = hn::SaturatedSub(last_t, open);
        V const from_left = hn::Max(hn::Load(d, e_ + i), from_t), h = hn::Max(last_t, in.f);
        V t = hn::Max(hn::Add(in.diagonal, hn::BitCast(d, hn::Load(du, scores + i))), from_left);
        if constexpr (floored)
            t = hn::Max(t, in.floor);
        in.f = hn::Max(in.f, from_t);
        in.diagonal = h;
        hn::Store(t, d, t_ + i);
        hn::Store(from_left, d, e_ + i);
        in.gap = hn::Max(in.gap, t);
        in.last_t = t;
        if constexpr (seeking)
            in.best = hn::Max(in.best, hn::BitCast(du, hn::Sub(t, in.floor)));
        if constexpr (floored || seeking)
            in.floor = hn::Add(in.floor, extend);
        hwy::Prefetch(next_scores + i);
    }
    template <bool floored, bool seeking>
    HWY_INLINE void rows(Part const & part, std::uint8_t const * scores, std::uint8_t const * next_scores, Rows & state)
    {
        V const open = all(scheme_.open), extend = all(scheme_.extend);
        Rows in = state;
        std::size_t const begin = static_cast<std::size_t>(part.begin) * lanes,
                          end = static_cast<std::size_t>(part.end) * lanes;
        if (end - begin == 16 * lanes) {
            NWGPU_UNROLL
            for (std::size_t r = 0; r < 16; ++r)
                row<floored, seeking>(begin + r * lanes, scores, next_scores, open, extend, in);
        } else {
            HWY_UNROLL(4)
            for (std::size_t i = begin; i < end; i += lanes)
                row<floored, seeking>(i, scores, next_scores, open, extend, in);
        }
        state = in;
    }

    // From what comes into the lanes in column j - 1 to what comes into them in column j.
    HWY_INLINE Above column(std::int64_t j, Above const & above)
    {
        std::int64_t const drift = ++since_ * scheme_.extend;
        V const drifted = all(drift), lowest = all(INT8_MIN);
        std::uint8_t const * const scores = scores_of(strip_.target[j]);
        std::uint8_t const * const next_scores = scores_of(strip_.target[j + 1 < cols_ ? j + 1 : j]);
        Rows state{above.f, above.diagonal, lowest, lowest, lowest, hn::Zero(du)};
        U best_of_bottom = hn::Zero(du);
        for (int i = 0; i < part_count_; ++i) {
            Part const & part = parts_[i];
            Group & group = group_[part.group];
            if (part.begin == group.begin) {
                if (part.group > 0) {
                    state.f = hn::Add(state.f, group.into);
                    state.diagonal = hn::Add(state.diagonal, group.into);
                    state.gap = hn::SaturatedAdd(hn::SaturatedAdd(state.gap, group.into_half), group.into_rest);
                }
                state.floor = hn::Add(group.floor, drifted);
                state.best = hn::Zero(du);
            }
            if (group.floored)
                group.seeking ? rows<true, true>(part, scores, next_scores, state)
                              : rows<true, false>(part, scores, next_scores, state);
            else
                group.seeking ? rows<false, true>(part, scores, next_scores, state)
                              : rows<false, false>(part, scores, next_scores, state);
            if (part.end == last_row_ + 1) {
                best_of_bottom = state.best;
                if (j > 0)
                    leave_bottom(j - 1, state.diagonal, state.f, drift - scheme_.extend);
            }
            if (group.seeking && part.end == group.end) {
                if (part.group == last_group_)
                    state.best = hn::IfThenElse(hn::RebindMask(du, bottom_lane_), best_of_bottom, state.best);
                V const undrifted = hn::Add(hn::BitCast(d, state.best), group.floor);
                auto const better = hn::Gt(undrifted, group.best);
                group.best = hn::IfThenElse(better, undrifted, group.best);
                group.best_step = hn::IfThenElse(better, all(since_), group.best_step);
            }
        }

        // F that is opened in a lane's last row is no more than that row's t; so H above a lane is what the lane
        // above has for t, or the F that comes in, less its last step.
        Group const & first = group_[0];
        V const top_h = all(strip_.top_h[j] - first_base_ + drift - scheme_.extend);
        V const t_above =
            hn::SaturatedAdd(hn::SaturatedAdd(lanes_down(d, state.last_t), first.into_half), first.into_rest);
        Numbers f = Numbers::of(lanes_down(d, state.gap)).plus(comparable_);
        auto const top_f = static_cast<std::int16_t>(strip_.top_f[j] - strip_.base + drift + 32768);
        f.high = hn::IfThenElse(hn::Eq(hn::Iota(Numbers::d16, 0), hn::Set(Numbers::d16, lanes / 2 - 1)),
                                hn::Set(Numbers::d16, top_f), f.high);
        V const into_lanes = f.maximum_from_behind().minus(first_row_).narrow();
        return {into_lanes, hn::Max(hn::IfThenElse(top_lane_, top_h, t_above), into_lanes)};
    }

    // The strip's best score, from what a group has found up to column j.
    void take_best(Group const & group, std::int64_t j)
    {
        auto const found = hn::Ne(group.best_step, hn::Zero(d));
        if (hn::AllFalse(d, found))
            return;
        alignas(64) std::int8_t best_of[lanes], step_of[lanes];
        alignas(64) std::int16_t base_of[lanes];
        hn::Store(group.best, d, best_of);
        hn::Store(group.best_step, d, step_of);
        group.base.store(base_of);
        std::uint64_t which = 0;
        hn::StoreMaskBits(d, found, reinterpret_cast<std::uint8_t *>(&which)); // of little-endian bytes
        for (; which != 0; which &= which - 1) {
            int const p = std::countr_zero(which);
            std::int64_t const score = strip_.base + base_of[Numbers::place(p)] + best_of[p],
                               col = j - since_ + step_of[p];
            if (score > best_ || (score == best_ && col < best_col_)) {
                best_ = score;
                best_col_ = col;
            }
        }
    }

    // H in place of t, E opened from it, and bases anew, after column j.
    HWY_NOINLINE Above finish(std::int64_t j, Above above)
    {
        std::int64_t const drift = since_ * scheme_.extend;
        V const open = all(scheme_.open), drifted = all(drift), middle = all(scheme_.scan.middle);
        Numbers const wide_middle = Numbers::all(scheme_.scan.middle);
        V f = above.f;
        for (int g = 0; g < groups_; ++g) {
            Group & group = group_[g];
            if (g > 0)
                f = hn::Add(f, group.into);
            V const first_h = hn::Max(hn::Load(d, t_ + group.begin * lanes), f);
            V const shift = hn::Sub(first_h, all(scheme_.scan.reference));
            for (int r = group.begin; r < group.end; ++r) {
                std::int8_t *const t = t_ + r * lanes, *const e = e_ + r * lanes;
                V const last_t = hn::Load(d, t), h = hn::Max(last_t, f);
                V const from_left = hn::Max(hn::Load(d, e), hn::Sub(h, open));
                hn::Store(hn::Sub(h, shift), d, t);
                hn::Store(hn::Sub(from_left, shift), d, e);
                f = hn::Max(f, hn::SaturatedSub(last_t, open));
                if (r == last_row_ && j + 1 == cols_)
                    leave_bottom(j, h, f, drift);
            }
            if (group.seeking)
                take_best(group, j);
            if (g == 0)
                above = {hn::Sub(above.f, shift), hn::Sub(above.diagonal, shift)};
            // Not yet in use: the next group's `into` is from the base before.
            group.base = group.base.plus(Numbers::of(hn::Sub(hn::Sub(shift, drifted), middle))).plus(wide_middle);
        }
        use_bases();
        return above;
    }

    // The right boundary.
    void save()
    {
        for (int g = 0; g < groups_; ++g) {
            Group const & group = group_[g];
            alignas(64) std::int16_t base_of[lanes];
            group.base.store(base_of);
            std::int8_t h_of[lanes][16], e_of[lanes][16];
            from_lanes(t_ + group.begin * lanes, h_of);
            from_lanes(e_ + group.begin * lanes, e_of);
            for (int lane = 0; lane <= last_lane_; ++lane) {
                int const p = position(lane), first = lane * lane_rows_ + group.begin;
                std::int64_t base = strip_.base + base_of[Numbers::place(p)];
                for (int r = 0; r < std::min(rows_in_group_, rows_ - first); ++r) {
                    strip_.left_h[first + r] = h_of[p][r] + base;
                    base -= scheme_.extend;
                    strip_.left_e[first + r] = e_of[p][r] + base;
                }
            }
        }
        strip_.best = best_;
        strip_.best_col = static_cast<std::uint64_t>(best_col_);
    }
    void from_lanes(std::int8_t const * rows, std::int8_t (*by_lane)[16]) const
    {
        U bytes[16];
        for (int r = 0; r < 16; ++r)
            bytes[r] = hn::BitCast(du, hn::Load(d, rows + r % rows_in_group_ * lanes));
        store_slices(du, bytes, [&](int p) { return reinterpret_cast<std::uint8_t *>(by_lane[p]); });
    }

    ScoreStrip & strip_;
    ScoreScheme const & scheme_;
    std::int64_t const cols_;
    int const rows_;
    int groups_, rows_in_group_, lane_rows_; // of a lane
    int last_lane_, last_row_, last_group_;  // where the strip's last row is
    Group group_[most_groups];
    Part parts_[most_groups + 1];
    int part_count_ = 0;
    Mask top_lane_, bottom_lane_; // the first lane and the last one
    std::uint8_t * profile_ = nullptr;
    std::int64_t floor_ = 0, best_ = 0, best_col_ = 0;
    std::int64_t since_ = 0;                        // columns since the last change of base
    std::int64_t first_base_ = 0, bottom_base_ = 0; // of the strip's first row and of its last one
    // Of lane k: k lanes' rows, extended, so that F of all lanes is comparable, as unsigned numbers; what makes F of
    // the lane above that, and what makes such an F one of a lane's first row.
    Numbers lane_drift_, comparable_, first_row_;
    alignas(64) std::int8_t t_[scan_page], e_[scan_page]; // t of a column and E of the next one, [row of lane][lane]
};

} // namespace

void scan_strip(ScoreStrip & strip) { ScanStrip{strip}.run(); }

} // namespace nwgpu::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
