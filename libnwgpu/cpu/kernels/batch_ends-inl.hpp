// SPDX-License-Identifier: BSD-3-Clause
// Where the alignment of each lane ends, for batch_global: scores along the last row and the last column of each lane,
// and the first best of those cells at which its alignment may end.  Included once per instruction set, inside
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

#include "cpu/kernels/kernels.hpp"
#include "cpu/kernels/lane_groups.hpp"

HWY_BEFORE_NAMESPACE();
namespace nwgpu::cpu::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Scores of the top or left border: a gap, or free.
struct LaneBorder {
    std::int32_t open, extend;
    std::uint64_t block;
    bool free;

    LaneBorder(ScoreScheme const & scheme, bool is_free) :
        open{static_cast<std::int32_t>(scheme.open)},
        extend{static_cast<std::int32_t>(scheme.extend)},
        block{static_cast<std::uint64_t>(scheme.lanes.block)},
        free{is_free}
    {}
    // With its drift.
    std::int32_t operator[](std::uint64_t k) const
    {
        return free ? static_cast<std::int32_t>(k) * extend : k == 0 ? 0 : -open;
    }
    // The same at the corner of the block of cell k.
    std::int32_t corner(std::uint64_t k) const { return (*this)[k / block * block]; }
};

// H' of the last column so far, relative to the corners of its blocks, and E' of the next one.
struct LaneState {
    static constexpr std::size_t lanes = hn::MaxLanes(hn::ScalableTag<std::uint8_t>{});

    explicit LaneState(BatchGlobalGroup const & group) :
        hs{group.state}, es{hs + group.rows * lanes}, corners{es + group.rows * lanes}
    {}
    std::uint8_t * h(std::uint64_t row) const { return hs + row * lanes; }
    std::uint8_t * e(std::uint64_t row) const { return es + row * lanes; }
    // Of a block that is not in the first row of blocks: H' at its corner, relative to that of the block above.
    std::uint8_t * corner(std::uint64_t block_row) const { return corners + (block_row - 1) * lanes; }

    std::uint8_t *const hs, *const es, *const corners;
    std::uint64_t first_block = 0;             // in the band
    alignas(64) std::int32_t base[lanes] = {}; // H' at its corner
};

// Cells must be shown in column-major order: each column's cell of the last row, and a lane's last column when it is
// there.
class LaneEnds {
public:
    LaneEnds(BatchGlobalGroup const & group, LaneState const & state) :
        group_{group},
        state_{state},
        top_{*group.scheme, group.free_top},
        open_extend_{hn::Set(d, top_.open + top_.extend)},
        zero_{group.scheme->lanes.zero}
    {
        LaneBorder const left{*group.scheme, group.free_left};
        for (int lane = 0; lane < lanes; ++lane) {
            std::int32_t const rows = group.rows_of[lane];
            bottom_[lane] = left[static_cast<std::uint64_t>(rows)] - rows * left.extend;
            group.score[lane] = group.free_bottom ? bottom_[lane] : std::numeric_limits<std::int32_t>::min();
            group.end_row[lane] = rows;
            group.end_col[lane] = 0;
        }
    }

    // The state has rows begin .. end of column `col`, which have come into the band behind it.
    void enter(std::uint64_t begin, std::uint64_t end, std::uint64_t col)
    {
        if (group_.free_bottom)
            for (int lane = 0; lane < lanes; ++lane)
                if (auto const rows = static_cast<std::uint64_t>(group_.rows_of[lane]); begin < rows && rows <= end)
                    bottom_[lane] = last_row(lane, col);
    }

    // H(row, c) - H(row, c - 1) + open + extend in `count` columns behind `col`, [count][lanes].
    void bottom(std::uint64_t row, std::uint64_t col, int count, std::uint8_t const * differences)
    {
        for (int lane = 0; lane < lanes; lane += step) {
            auto const here = hn::Eq(hn::Load(d, group_.rows_of + lane), set(row));
            if (hn::AllFalse(d, here))
                continue;
            auto const cols = hn::Load(d, group_.cols_of + lane), before = hn::Load(d, bottom_ + lane);
            auto score = before;
            for (int c = 0; c < count; ++c) {
                score = hn::Sub(hn::Add(score, bytes(differences + c * lanes + lane)), open_extend_);
                consider(lane, hn::And(here, hn::Gt(cols, set(col + c + 1))), score, row, col + c + 1);
            }
            hn::Store(hn::IfThenElse(here, score, before), d, bottom_ + lane);
        }
    }

    // The state of the kernel is that of column `col`, the last one of some lanes.
    void right(std::uint64_t col)
    {
        if (!group_.free_right) {
            for (int lane = 0; lane < lanes; ++lane)
                if (group_.cols_of[lane] == static_cast<std::int32_t>(col))
                    corner(lane, col);
            return;
        }
        for (int lane = 0; lane < lanes; lane += step) {
            auto const here = hn::Eq(hn::Load(d, group_.cols_of + lane), set(col));
            if (hn::AllFalse(d, here))
                continue;
            auto const rows = hn::Load(d, group_.rows_of + lane), zero = hn::Set(d, zero_);
            auto const drift = [&](std::uint64_t row) { return hn::Set(d, drift_at(row, col)); };
            consider(lane, here, hn::Sub(hn::Set(d, top_[col]), drift(0)), 0, col);
            auto base = hn::Sub(hn::Load(d, state_.base + lane), zero);
            std::uint64_t const first = state_.first_block * top_.block, end = group_.band_end(col);
            for (std::uint64_t row = first; row < end; ++row) {
                if (row > first && row % top_.block == 0)
                    base = hn::Add(base, hn::Sub(bytes(state_.corner(row / top_.block) + lane), zero));
                auto const score = hn::Sub(hn::Add(base, bytes(state_.h(row) + lane)), drift(row + 1));
                consider(lane, hn::And(here, hn::Gt(rows, set(row))), score, row + 1, col);
            }
        }
    }

private:
    static constexpr hn::ScalableTag<std::int32_t> d{};
    using V = hn::VFromD<decltype(d)>;
    static constexpr int lanes = hn::MaxLanes(hn::ScalableTag<std::uint8_t>{}), step = hn::MaxLanes(d);

    static HWY_INLINE V set(std::uint64_t value) { return hn::Set(d, static_cast<std::int32_t>(value)); }
    static HWY_INLINE V bytes(std::uint8_t const * from)
    {
        hn::Rebind<std::uint8_t, decltype(d)> const d8;
        return hn::PromoteTo(d, hn::LoadU(d8, from));
    }

    std::int32_t drift_at(std::uint64_t row, std::uint64_t col) const
    {
        return top_.extend * static_cast<std::int32_t>(row + col);
    }

    // H of the lane's last row in this column.
    std::int32_t last_row(int lane, std::uint64_t col) const
    {
        auto const rows = static_cast<std::uint64_t>(group_.rows_of[lane]), last = rows - 1;
        std::int32_t score = state_.base[lane] - drift_at(rows, col);
        for (std::uint64_t k = state_.first_block; k < last / top_.block; ++k)
            score += state_.corner(k + 1)[lane] - zero_;
        return score + state_.h(last)[lane] - zero_;
    }

    // Of its last column.
    void corner(int lane, std::uint64_t col) const
    {
        if (std::int32_t const score = last_row(lane, col); score > group_.score[lane]) {
            group_.score[lane] = score;
            group_.end_row[lane] = group_.rows_of[lane];
            group_.end_col[lane] = group_.cols_of[lane];
        }
    }

    template <class M>
    HWY_INLINE void consider(int lane, M candidates, V score, std::uint64_t row, std::uint64_t col) const
    {
        auto const better = hn::And(candidates, hn::Gt(score, hn::Load(d, group_.score + lane)));
        auto const replace = [&](V value, std::int32_t * where)
                                 HWY_ATTR { hn::Store(hn::IfThenElse(better, value, hn::Load(d, where)), d, where); };
        replace(score, group_.score + lane);
        replace(set(row), group_.end_row + lane);
        replace(set(col), group_.end_col + lane);
    }

    BatchGlobalGroup const & group_;
    LaneState const & state_;
    LaneBorder const top_;
    V open_extend_;
    std::int32_t zero_;
    alignas(64) std::int32_t bottom_[lanes]; // H of the last row, in the column shown last
};

} // namespace nwgpu::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif // toggle
