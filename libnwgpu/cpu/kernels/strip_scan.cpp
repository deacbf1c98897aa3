// SPDX-License-Identifier: BSD-3-Clause
// The 8-bit kernel for high strips with a matrix (kernels.hpp has the recurrence of scores).
// Called by ScoreField and DiffField (field.hpp) through the table of kernel_table.hpp.
//
// All lanes compute the same column, so that a row's column scores are one load from the profile; on the wavefront of
// the other kernels every lane has to look up a letter of its own.  What a lane needs of F in the lanes above is found
// by a prefix maximum when all t of a column are known ("scan": Khajeh-Saeed et al. 2010,
// doi:10.1016/j.jcp.2010.02.009; Daily 2016, doi:10.1186/s12859-016-0930-z), and H = max(t, F) in the pass for the next
// column.
//
// The rows of a lane are in groups of up to 16 (LocalRange), with a base for each, which follows the H of the group's
// first row as in strip_local.cpp.  Values drift upwards by `extend` per column and per row of a group
// (docs/proofs.md, lemma 10).
#include "cpu/kernels/isas.hpp" // must come first

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/kernels/strip_scan.cpp"
#include <hwy/foreach_target.h> // must come before highway.h

#include <bit>

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include "cpu/kernels/kernels.hpp"
#include "cpu/kernels/scan_state-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace nwgpu::cpu::HWY_NAMESPACE {
namespace {

// What goes from row to row.
struct Rows {
    V f, diagonal;
    V gap;    // F and what it costs to open it, from this lane's t alone
    V last_t; // of this column
    V floor;
    U best; // above the floor
};

class ScanStrip : ScanState {
public:
    explicit ScanStrip(ScoreStrip & strip) : ScanState{strip} {}

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
        if constexpr (floored)
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
            if (group.seeking) // above the floor, also where it is too low to matter
                rows<true, true>(part, scores, next_scores, state);
            else if (group.floored)
                rows<true, false>(part, scores, next_scores, state);
            else
                rows<false, false>(part, scores, next_scores, state);
            if (part.end == last_row_ + 1 && j > 0)
                leave_bottom(j - 1, state.diagonal, state.f, drift - scheme_.extend);
            if (group.seeking && part.end == group.end) {
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
};

} // namespace

void strip_scan(ScoreStrip & strip) { ScanStrip{strip}.run(); }

} // namespace nwgpu::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
