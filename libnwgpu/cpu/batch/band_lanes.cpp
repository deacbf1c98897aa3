// SPDX-License-Identifier: BSD-3-Clause
// Bands of blocks, one pair per lane (band_lanes.hpp), by the recurrence of batch_global.cpp.
#include "cpu/kernels/isas.hpp" // must come first

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/batch/band_lanes.cpp"
#include <hwy/foreach_target.h> // must come before highway.h

#include <algorithm>
#include <cstring>

#include <hwy/highway.h>

#include "cpu/batch/band_lanes.hpp"
#include "cpu/kernels/batch_lanes-inl.hpp"
#include "cpu/kernels/kernels.hpp"
#include "cpu/kernels/simd-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace nwgpu::cpu::HWY_NAMESPACE {
namespace {

class BandLanesRun {
public:
    explicit BandLanesRun(BandLanes const & job) :
        job_{job},
        block_{job.block()},
        open_{static_cast<std::uint8_t>(job.scheme->open)},
        zero_{static_cast<std::uint8_t>(job.scheme->lanes.zero)},
        hs_{job.state},
        es_{hs_ + job.rows * lanes},
        corners_{es_ + job.rows * lanes}
    {}

    void run()
    {
        begin();
        std::uint64_t col = 0;
        for (std::uint64_t const end : distinct(job_.cols_of, lanes)) {
            while (col < end) {
                if (col > 0 && col % block_ == 0)
                    next_block_column(col / block_);
                if (col % batch_columns == 0 && end - col >= batch_columns) {
                    tiles<batch_columns>(col);
                    col += batch_columns;
                } else {
                    tiles<1>(col++);
                }
            }
            for (std::size_t lane = 0; lane < lanes; ++lane)
                if (job_.cols_of[lane] == static_cast<std::int32_t>(end))
                    job_.score[lane] = score(lane, end);
        }
    }

private:
    static constexpr hn::ScalableTag<std::uint8_t> d{};
    using V = hn::VFromD<decltype(d)>;
    static constexpr std::size_t lanes = hn::MaxLanes(d), plane_bytes = (lanes + 7) / 8,
                                 cell_bytes = BandLanes::planes * plane_bytes;

    std::uint64_t first_of(std::uint64_t block_column) const
    {
        return block_column - std::min(block_column, job_.before);
    }
    // Behind the last row of a block column.
    std::uint64_t end_row(std::uint64_t block_column) const
    {
        return std::min(job_.rows, (block_column + job_.behind + 1) * block_);
    }

    // Column 0 is a gap that is opened at the corner.
    void begin()
    {
        std::uint64_t const end = end_row(0);
        for (std::uint64_t row = 0; row < end; ++row)
            fill_row(row, row < block_ ? zero_ - open_ : zero_);
        for (std::uint64_t k = 0; (k + 1) * block_ < end; ++k)
            std::memset(corners_ + k * lanes, k == 0 ? zero_ - open_ : zero_, lanes);
        std::fill_n(base_, lanes, 0);
    }

    void fill_row(std::uint64_t row, int h)
    {
        std::memset(hs_ + row * lanes, h, lanes);
        std::memset(es_ + row * lanes, h - open_, lanes);
    }

    // Rows that come into the band have a gap from the cell above them; and the highest one may leave it.
    void next_block_column(std::uint64_t k)
    {
        std::uint64_t const above = end_row(k - 1), end = end_row(k);
        if (above < end) {
            std::memcpy(corners_ + (above / block_ - 1) * lanes, hs_ + (above - 1) * lanes, lanes);
            for (std::uint64_t row = above; row < end; ++row)
                fill_row(row, zero_ - open_);
        }
        std::uint64_t const first = first_of(k);
        for (std::size_t lane = 0; lane < lanes; ++lane)
            base_[lane] = first == 0 ? -open_ : base_[lane] + hs_[(first * block_ - 1) * lanes + lane] - zero_;
    }

    // With the drift, less it: H of the lane's last cell, of which `col` is the column behind it.
    std::int32_t score(std::size_t lane, std::uint64_t col) const
    {
        auto const rows = static_cast<std::uint64_t>(job_.rows_of[lane]), last = rows - 1;
        std::int32_t score =
            base_[lane] - static_cast<std::int32_t>(job_.scheme->extend) * static_cast<std::int32_t>(rows + col);
        for (std::uint64_t k = first_of((col - 1) / block_); k < last / block_; ++k)
            score += corners_[k * lanes + lane] - zero_;
        return score + hs_[last * lanes + lane] - zero_;
    }

    template <int C>
    void tiles(std::uint64_t col)
    {
        if (col > 0 && col % block_ == 0)
            tile<C, true>(col);
        else
            tile<C, false>(col);
    }

    // C columns behind `col`, as in batch_global.cpp.  `rebase`: these are the first columns of a block, and what lies
    // left of them is relative to the blocks there.
    template <int C, bool rebase>
    void tile(std::uint64_t col)
    {
        auto const all = [&](std::int64_t value) HWY_ATTR { return hn::Set(d, static_cast<std::uint8_t>(value)); };
        ScoreScheme const & scheme = *job_.scheme;
        V const open = all(open_), zero = all(zero_);
        V const match = all(scheme.match + 2 * scheme.extend), mismatch = all(scheme.mismatch + 2 * scheme.extend);
        std::uint64_t const k = col / block_, first = first_of(k), end = end_row(k);
        // Rows with trace bits.
        std::uint64_t const line = job_.line_row(col),
                            kept_begin = job_.trace ? line - std::min(line, job_.kept_above) : 0,
                            behind = line + job_.kept_rows,
                            kept_end = job_.trace ? behind - std::min(behind, job_.kept_above) : 0;

        V letter[C], h[C], f[C];
        NWGPU_UNROLL
        for (int c = 0; c < C; ++c) {
            letter[c] = hn::Load(d, job_.target + (col + c) * lanes);
            h[c] = all(first == 0 && k > 0 ? zero_ : zero_ - open_); // a gap from the block's corner, or before it
            f[c] = hn::Sub(h[c], open);
        }
        V corner = col % block_ == 0 ? zero : h[0]; // H above and left of the next row
        V left_shift = hn::Zero(d);                 // from the block on the left to this one
        if constexpr (rebase) {
            if (first > 0)
                left_shift = hn::Sub(hn::Load(d, hs_ + (first * block_ - 1) * lanes),
                                     hn::Load(d, corners_ + (first - 1) * lanes));
            else
                left_shift = all(k == 1 ? -open_ : 0);
        }
        V old_corner = zero; // `corner`, relative to the block on the left

        auto const rows = [&]<bool traced>(std::uint64_t row, std::uint64_t stop) HWY_ATTR {
            std::uint8_t * trace = nullptr;
            if constexpr (traced)
                trace = job_.trace + job_.kept_at(row, col, plane_bytes);
            for (; row < stop; ++row) {
                V const query = hn::Load(d, job_.query + row * lanes);
                V left = hn::Load(d, hs_ + row * lanes), e = hn::Load(d, es_ + row * lanes);
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
                    h[c] = hn::Max(hn::Max(from_diagonal, f[c]), e);
                    V const opened = hn::Sub(h[c], open);
                    if constexpr (traced) {
                        std::uint8_t * const bits = trace + c * cell_bytes;
                        hn::StoreMaskBits(d, hn::Eq(h[c], from_diagonal), bits + plane_diagonal * plane_bytes);
                        hn::StoreMaskBits(d, hn::Eq(h[c], f[c]), bits + plane_vertical * plane_bytes);
                        hn::StoreMaskBits(d, hn::Gt(opened, e), bits + plane_e_opens * plane_bytes);
                        hn::StoreMaskBits(d, hn::Gt(opened, f[c]), bits + plane_f_opens * plane_bytes);
                    }
                    e = hn::Max(e, opened);
                    f[c] = hn::Max(f[c], opened);
                }
                hn::Store(h[C - 1], d, hs_ + row * lanes);
                hn::Store(e, d, es_ + row * lanes);
                if constexpr (traced)
                    trace += batch_columns * cell_bytes;
            }
        };

        for (std::uint64_t row = first * block_; row < end; row += block_) {
            if (row > first * block_) {
                // This corner, as seen from the block above.
                std::uint8_t * const from_above = corners_ + (row / block_ - 1) * lanes;
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
            }
            std::uint64_t const stop = std::min(end, row + block_);
            for (std::uint64_t at = row, next; at < stop; at = next) {
                bool const traced = at >= kept_begin && at < kept_end;
                next = std::min(stop, traced ? kept_end : at < kept_begin ? kept_begin : stop);
                if (traced)
                    rows.template operator()<true>(at, next);
                else
                    rows.template operator()<false>(at, next);
            }
        }
    }

    BandLanes const & job_;
    std::uint64_t const block_;
    int const open_, zero_;
    std::uint8_t *const hs_, *const es_, *const corners_;
    alignas(64) std::int32_t base_[lanes]; // H' at the corner of the first block
};

} // namespace

void band_lanes(BandLanes const & job) { BandLanesRun{job}.run(); }

} // namespace nwgpu::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
