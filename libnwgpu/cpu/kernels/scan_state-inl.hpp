// SPDX-License-Identifier: BSD-3-Clause
// What strip_scan.cpp works on: the rows of all lanes, their bases, the profile, and how all this comes from a strip
// and goes back.  Included once per instruction set, inside foreach_target.
#if defined(NWGPU_CPU_SCAN_STATE_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef NWGPU_CPU_SCAN_STATE_INL_HPP
#undef NWGPU_CPU_SCAN_STATE_INL_HPP
#else
#define NWGPU_CPU_SCAN_STATE_INL_HPP
#endif

#include <algorithm>
#include <bit>
#include <cstring>

#include <hwy/highway.h>

#include "cpu/kernels/kernels.hpp"
#include "cpu/kernels/lane_numbers-inl.hpp"
#include "cpu/kernels/profile-inl.hpp"
#include "cpu/kernels/simd-inl.hpp"

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
    HWY_INLINE Group() {}   // as LaneNumbers
    int begin = 0, end = 0; // rows of a lane
    Numbers base;
    V floor;
    bool floored = false; // whether any score can be as low
    V best;               // the lane's, or the strip's up to the last change of base
    V best_step;          // columns since then up to the lane's best; 0: none
    bool seeking = false; // whether any score can be better
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

class ScanState {
protected:
    explicit ScanState(ScoreStrip & strip) :
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
    }

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
    // drift, is 0; docs/proofs.md, lemma 10, says why no end is found there.
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
            return row < rows_ ? strip_.left_h[row] : std::max(strip_.floor, last - (row + 1 - rows_) * scheme_.extend);
        };
        for (int row = rows_; row < lanes * lane_rows_; ++row) {
            h_by_row[row] = static_cast<std::uint8_t>(h_at(row));
            e_by_row[row] = static_cast<std::uint8_t>(h_at(row) - scheme_.open);
        }
        alignas(64) std::int16_t base_of[lanes];
        alignas(64) std::int8_t above_of[lanes];
        for (int g = 0; g < groups_; ++g) {
            Group & group = group_[g];
            for (int lane = 0; lane < lanes; ++lane) {
                int const p = position(lane), first = lane * lane_rows_ + group.begin;
                std::int64_t const base = h_at(first) - scheme_.scan.reference;
                base_of[Numbers::place(p)] = static_cast<std::int16_t>(base - strip_.base);
                if (g == 0)
                    above_of[p] =
                        static_cast<std::int8_t>((lane == 0 ? strip_.corner : h_at(first - 1)) - base - scheme_.extend);
            }
            group.base = Numbers::load(base_of);
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
        // No score of the lanes lies below this, so a lower floor can be replaced by it.
        std::int64_t const lowest =
            strip_.corner - 2 * scheme_.open - (lanes * lane_rows_ + cols_ + 2) * scheme_.extend;
        floor_ = std::max(strip_.floor, lowest);
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
            group.best = strip_.floor == 0 ? wide_best.less(group.base) : all(INT8_MAX);
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
    Mask top_lane_; // where the first lane is
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
} // namespace nwgpu::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif // toggle
