// SPDX-License-Identifier: BSD-3-Clause
// The kernel for many pairs with global or free ends, one per lane, in 8 bits, all of the matrix or a band of it
// (lane_groups.hpp has the recurrence; what comes into the band are gaps along its edges, docs/proofs.md, lemma 33).
// Called by lane_batch.cpp and band_group.cpp through the table of kernel_table.hpp.
#include "cpu/kernels/isas.hpp" // must come first

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/kernels/batch_global.cpp"
#include <hwy/foreach_target.h> // must come before highway.h

#include <algorithm>
#include <cstring>
#include <vector>

#include <hwy/highway.h>

#include "cpu/kernels/batch_ends-inl.hpp"
#include "cpu/kernels/batch_lanes-inl.hpp"
#include "cpu/kernels/kernels.hpp"
#include "cpu/kernels/lane_groups.hpp"
#include "cpu/kernels/simd-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace nwgpu::cpu::HWY_NAMESPACE {
namespace {

template <bool linear, bool traced>
class GlobalRun {
public:
    explicit GlobalRun(BatchGlobalGroup const & group) :
        group_{group},
        block_{group.block()},
        open_{static_cast<std::uint8_t>(group.scheme->open)},
        zero_{static_cast<std::uint8_t>(group.scheme->lanes.zero)},
        top_{*group.scheme, group.free_top},
        row_ends_{group.free_bottom ? distinct(group.rows_of, lanes) : std::vector<std::uint64_t>{group.rows}},
        state_{group}
    {}

    void run()
    {
        std::uint64_t col = 0;
        for (std::uint64_t const end : distinct(group_.cols_of, lanes)) {
            while (col < end)
                if (col % batch_columns == 0 && end - col >= batch_columns) {
                    tiles<batch_columns>(col);
                    col += batch_columns;
                } else {
                    tiles<1>(col++);
                }
            ends_.right(col);
        }
    }

private:
    static constexpr hn::ScalableTag<std::uint8_t> d{};
    using V = hn::VFromD<decltype(d)>;
    static constexpr std::size_t lanes = hn::MaxLanes(d), plane_bytes = (lanes + 7) / 8,
                                 cell_bytes = BatchGlobalGroup::planes * plane_bytes;

    static HWY_INLINE V all(std::int64_t value) { return hn::Set(d, static_cast<std::uint8_t>(value)); }

    template <int C>
    void tiles(std::uint64_t col)
    {
        std::uint64_t const end = group_.band_end(col + C);
        if (col == 0)
            border(end);
        else if (rows_ < end)
            enter(col, end);
        rows_ = end;
        if (col == 0 || col % block_ != 0) {
            tile<C, false>(col);
        } else {
            next_block_column(col);
            tile<C, true>(col);
        }
    }

    // Rows up to this one, from column 0.
    void border(std::uint64_t end)
    {
        LaneBorder const left{*group_.scheme, group_.free_left};
        for (std::uint64_t row = 0; row < end; ++row) {
            if (row > 0 && row % block_ == 0)
                std::memset(state_.corner(row / block_), zero_ + left[row] - left.corner(row - 1), lanes);
            fill_row(row, zero_ + left[row + 1] - left.corner(row));
        }
    }

    void fill_row(std::uint64_t row, int h)
    {
        std::memset(state_.h(row), h, lanes);
        std::memset(state_.e(row), h - open_, lanes);
    }

    // Rows up to this one come into the band: a gap from the cell above them, or along the block's edges.  Only the
    // first of them may be that of a block (LaneGroup::set_band).
    void enter(std::uint64_t col, std::uint64_t end)
    {
        if (rows_ % block_ == 0) {
            std::memcpy(state_.corner(rows_ / block_), state_.h(rows_ - 1), lanes);
            fill_row(rows_, zero_ - open_);
        } else {
            V const h = hn::Max(hn::Sub(hn::Load(d, state_.h(rows_ - 1)), all(open_)), all(zero_ - 2 * open_));
            hn::Store(h, d, state_.h(rows_));
            hn::Store(hn::Sub(h, all(open_)), d, state_.e(rows_));
        }
        for (std::uint64_t row = rows_ + 1; row < end; ++row) {
            std::memcpy(state_.h(row), state_.h(rows_), lanes);
            std::memcpy(state_.e(row), state_.e(rows_), lanes);
        }
        if (std::ranges::any_of(row_ends_, [&](std::uint64_t row_end) { return rows_ < row_end && row_end <= end; }))
            ends_.enter(rows_, end, col);
    }

    // The first block of a column may leave the band.
    void next_block_column(std::uint64_t col)
    {
        state_.first_block = group_.band_begin(col) / block_;
        if (state_.first_block == 0)
            std::fill_n(state_.base, lanes, top_[col]);
        else
            for (std::size_t lane = 0; lane < lanes; ++lane)
                state_.base[lane] += state_.h(state_.first_block * block_ - 1)[lane] - zero_;
    }

    // C columns behind `col`: H and F of each column run down the rows, H and E of each row through the columns.
    // `rebase`: these are the first columns of a block, and what lies left of them is relative to the blocks there.
    template <int C, bool rebase>
    void tile(std::uint64_t col)
    {
        ScoreScheme const & scheme = *group_.scheme;
        V const open = all(open_), zero = all(zero_);
        V const match = all(scheme.match + 2 * scheme.extend), mismatch = all(scheme.mismatch + 2 * scheme.extend);
        std::uint64_t const first_block = state_.first_block, first = first_block * block_;
        // Above the band: a gap from the block's corner.
        std::int64_t const base = zero_ - top_.corner(col);
        V letter[C], h[C], f[C];
        NWGPU_UNROLL
        for (int c = 0; c < C; ++c) {
            letter[c] = hn::Load(d, group_.target + (col + c) * lanes);
            h[c] = all(first == 0 ? base + top_[col + c + 1] : zero_ - open_);
            f[c] = hn::Sub(h[c], open);
        }
        // H above and left of the next row; the same relative to the block on the left, and the shift from there.
        V corner = all(first == 0 ? base + top_[col] : zero_ - (col % block_ == 0 ? 0 : open_)), old_corner = corner,
          left_shift = hn::Zero(d);
        if constexpr (rebase)
            left_shift = first == 0
                             ? all(top_[col] - top_[col - block_])
                             : hn::Sub(hn::Load(d, state_.h(first - 1)), hn::Load(d, state_.corner(first_block)));
        // Rows with trace bits.
        std::uint64_t const line = group_.line_row(col), behind = line + group_.kept_rows,
                            kept_begin = line - std::min(line, group_.kept_above),
                            kept_end = behind - std::min(behind, group_.kept_above);

        auto const rows = [&]<bool kept>(std::uint64_t row, std::uint64_t stop) HWY_ATTR {
            std::uint8_t const * query_letters = group_.query + row * lanes;
            std::uint8_t *hs = state_.h(row), *es = state_.e(row), *trace = nullptr;
            if constexpr (kept)
                trace = group_.trace + group_.kept_at(row, col, cell_bytes);
            for (; row < stop; ++row, query_letters += lanes, hs += lanes, es += lanes) {
                V const query = hn::Load(d, query_letters);
                V left = hn::Load(d, hs), e = left;
                if constexpr (!linear)
                    e = hn::Load(d, es);
                if constexpr (rebase) {
                    old_corner = left;
                    left = hn::Sub(left, left_shift);
                    e = hn::Sub(e, left_shift);
                }
                V diagonal = corner;
                corner = left;
                NWGPU_UNROLL
                for (int c = 0; c < C; ++c) {
                    V const from_diagonal =
                        hn::Add(diagonal, hn::IfThenElse(hn::Eq(query, letter[c]), match, mismatch));
                    diagonal = h[c];
                    V const from_above = linear ? h[c] : f[c];
                    h[c] = hn::Max(hn::Max(from_diagonal, from_above), e);
                    V const opened = linear ? h[c] : hn::Sub(h[c], open);
                    if constexpr (kept) {
                        std::uint8_t * const bits = trace + c * cell_bytes;
                        hn::StoreMaskBits(d, hn::Eq(h[c], from_diagonal), bits + plane_diagonal * plane_bytes);
                        hn::StoreMaskBits(d, hn::Eq(h[c], from_above), bits + plane_vertical * plane_bytes);
                        hn::StoreMaskBits(d, hn::Gt(opened, e), bits + plane_e_opens * plane_bytes);
                        hn::StoreMaskBits(d, hn::Gt(opened, from_above), bits + plane_f_opens * plane_bytes);
                    }
                    e = linear ? opened : hn::Max(e, opened);
                    f[c] = linear ? opened : hn::Max(from_above, opened);
                }
                hn::Store(h[C - 1], d, hs);
                if constexpr (!linear)
                    hn::Store(e, d, es);
                if constexpr (kept)
                    trace += batch_columns * cell_bytes;
            }
        };
        auto const next_block = [&](std::uint64_t row) HWY_ATTR {
            // This corner, as seen from the block above.
            std::uint8_t * const from_above = state_.corner(row / block_);
            V seen = hn::Load(d, from_above);
            if constexpr (rebase) {
                left_shift = hn::Sub(old_corner, seen);
                seen = corner;
                hn::Store(seen, d, from_above);
            }
            V const shift = hn::Sub(seen, zero);
            corner = hn::Sub(corner, shift);
            NWGPU_UNROLL
            for (int c = 0; c < C; ++c) {
                h[c] = hn::Sub(h[c], shift);
                f[c] = hn::Sub(f[c], shift);
            }
        };

        std::uint64_t row = first, block_end = first + block_;
        for (std::uint64_t const row_end : row_ends_) {
            for (std::uint64_t const end = std::min(row_end, rows_); row < end;) {
                if (row == block_end) {
                    next_block(row);
                    block_end += block_;
                }
                std::uint64_t stop = std::min(end, block_end);
                if constexpr (traced) {
                    if (row < kept_begin || row >= kept_end) {
                        stop = row < kept_begin ? std::min(stop, kept_begin) : stop;
                        rows.template operator()<false>(row, stop);
                    } else {
                        stop = std::min(stop, kept_end);
                        rows.template operator()<true>(row, stop);
                    }
                } else {
                    rows.template operator()<false>(row, stop);
                }
                row = stop;
            }
            if (group_.free_bottom && first < row_end && row_end <= rows_) {
                alignas(64) std::uint8_t v_of[C][lanes];
                NWGPU_UNROLL
                for (int c = 0; c < C; ++c)
                    hn::Store(hn::Add(hn::Sub(h[c], c == 0 ? corner : h[c - 1]), open), d, v_of[c]);
                ends_.bottom(row_end, col, C, v_of[0]);
            }
        }
    }

    BatchGlobalGroup const & group_;
    std::uint64_t const block_;
    int const open_, zero_;
    LaneBorder const top_;
    std::vector<std::uint64_t> const row_ends_;
    LaneState state_;
    LaneEnds ends_{group_, state_};
    std::uint64_t rows_ = 0; // that are in the band, or were
};

} // namespace

void batch_global(BatchGlobalGroup const & group)
{
    if (group.trace)
        GlobalRun<false, true>{group}.run();
    else if (group.scheme->open == 0)
        GlobalRun<true, false>{group}.run();
    else
        GlobalRun<false, false>{group}.run();
}

} // namespace nwgpu::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
