// SPDX-License-Identifier: BSD-3-Clause
// Where the alignment of each lane ends, for lane_diff: scores summed up along the last row and the last column of each
// lane, and the first best of those cells at which its alignment may end.  Included once per instruction set, inside
// foreach_target.
#if defined(NWGPU_CPU_LANE_ENDS_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef NWGPU_CPU_LANE_ENDS_INL_HPP
#undef NWGPU_CPU_LANE_ENDS_INL_HPP
#else
#define NWGPU_CPU_LANE_ENDS_INL_HPP
#endif

#include <cstdint>
#include <limits>

#include <hwy/highway.h>

#include "cpu/kernels.hpp"

HWY_BEFORE_NAMESPACE();
namespace nwgpu::cpu::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Cells must be shown in column-major order: each column's cell of the last row, and a lane's last column when it is
// there.
class LaneEnds {
public:
    explicit LaneEnds(LaneDiffGroup const & group) : group_{group}, bias_{hn::Set(d, group.scheme->open_extend)}
    {
        for (int lane = 0; lane < lanes; ++lane) {
            int const rows = group.rows_of[lane];
            bottom_[lane] = border(rows, group.free_left);
            group.score[lane] = group.free_bottom ? bottom_[lane] : std::numeric_limits<std::int32_t>::min();
            group.end_row[lane] = rows;
            group.end_col[lane] = 0;
        }
    }

    // v of row `row` in `count` columns behind `col`, [count][lanes].
    void bottom(std::uint64_t row, std::uint64_t col, int count, std::uint8_t const * v)
    {
        for (int lane = 0; lane < lanes; lane += step) {
            auto const here = hn::Eq(hn::Load(d, group_.rows_of + lane), set(row));
            if (hn::AllFalse(d, here))
                continue;
            auto const cols = hn::Load(d, group_.cols_of + lane), before = hn::Load(d, bottom_ + lane);
            auto score = before;
            for (int c = 0; c < count; ++c) {
                score = next(score, v + c * lanes + lane);
                consider(lane, hn::And(here, hn::Gt(cols, set(col + c + 1))), score, row, col + c + 1);
            }
            hn::Store(hn::IfThenElse(here, score, before), d, bottom_ + lane);
        }
    }

    // u of column `col`, [rows][lanes]: the last one of some lanes.
    void right(std::uint64_t col, std::uint8_t const * u)
    {
        for (int lane = 0; lane < lanes; lane += step) {
            auto const here = hn::Eq(hn::Load(d, group_.cols_of + lane), set(col));
            if (hn::AllFalse(d, here))
                continue;
            auto const rows = hn::Load(d, group_.rows_of + lane);
            auto score = hn::Set(d, border(static_cast<std::int32_t>(col), group_.free_top)), corner = score;
            for (std::uint64_t row = 0; row < group_.rows; ++row) {
                if (group_.free_right)
                    consider(lane, hn::And(here, hn::Gt(rows, set(row))), score, row, col);
                score = next(score, u + row * lanes + lane);
                corner = hn::IfThenElse(hn::Eq(rows, set(row + 1)), score, corner);
            }
            auto const better = hn::And(here, hn::Gt(corner, hn::Load(d, group_.score + lane)));
            replace(better, corner, group_.score + lane);
            replace(better, rows, group_.end_row + lane);
            replace(better, set(col), group_.end_col + lane);
        }
    }

private:
    static constexpr hn::ScalableTag<std::int32_t> d{};
    using V = hn::VFromD<decltype(d)>;
    static constexpr int lanes = hn::MaxLanes(hn::ScalableTag<std::uint8_t>{}), step = hn::MaxLanes(d);

    static HWY_INLINE V set(std::uint64_t value) { return hn::Set(d, static_cast<std::int32_t>(value)); }

    std::int32_t border(std::int32_t length, bool free) const
    {
        int const open = group_.scheme->open;
        return free ? 0 : -open - length * (group_.scheme->open_extend - open);
    }

    HWY_INLINE V next(V score, std::uint8_t const * difference) const
    {
        hn::Rebind<std::uint8_t, decltype(d)> const d8;
        return hn::Sub(hn::Add(score, hn::PromoteTo(d, hn::LoadU(d8, difference))), bias_);
    }

    template <class M>
    static HWY_INLINE void replace(M better, V value, std::int32_t * where)
    {
        hn::Store(hn::IfThenElse(better, value, hn::Load(d, where)), d, where);
    }

    template <class M>
    HWY_INLINE void consider(int lane, M candidates, V score, std::uint64_t row, std::uint64_t col) const
    {
        auto const better = hn::And(candidates, hn::Gt(score, hn::Load(d, group_.score + lane)));
        replace(better, score, group_.score + lane);
        replace(better, set(row), group_.end_row + lane);
        replace(better, set(col), group_.end_col + lane);
    }

    LaneDiffGroup const & group_;
    V bias_;
    alignas(64) std::int32_t bottom_[lanes]; // H of the last row, in the column shown last
};

} // namespace nwgpu::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif // toggle
