// SPDX-License-Identifier: BSD-3-Clause
// Local scores where some cells are used up: their letters may not be aligned with each other.  The kernels compute
// what holds no such cell; the columns around them are computed here, one cell after the other.
#pragma once

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "cpu/pair/field.hpp"
#include "cpu/pair/pair_plan.hpp"
#include "cpu/top/used_cells.hpp"

namespace nwgpu::cpu {

class MaskedField : public ScoreField {
    using Base = ScoreField;

public:
    MaskedField(Base const & field, Scoring const & scoring, UsedCells const & used) :
        Base{field}, scoring_{scoring}, used_{used}
    {}

    MaskedField traced() const { return {Base::traced(), scoring_, used_}; }

    TileBest tile(PairView const & pair, Rect const & rect, BoundaryView<Cell> top, BoundaryView<Cell> left,
                  std::int64_t corner, std::int8_t * profile, std::uint8_t * trace) const
    {
        std::uint64_t const end = rect.col + rect.cols;
        if (used_.empty() || (trace && next_used(rect, rect.col, end) == end))
            return Base::tile(pair, rect, top, left, corner, profile, trace);
        if (trace) // the kernel's bits of neighbouring parts would lie in the same bytes: all of it is computed here
            std::memset(trace, 0, trace_layout(*this, rect.rows).bytes(rect.cols));
        TileBest best;
        for (std::uint64_t col = rect.col; col < end;) {
            std::uint64_t const used_from = trace ? col : next_used(rect, col, end);
            bool const clean = used_from > col;
            std::uint64_t const stop = clean ? used_from : std::min(end, (col / box + 1) * box);
            std::uint64_t const skipped = col - rect.col;
            Rect const part{rect.row, rect.rows, col, stop - col};
            std::int64_t const next_corner = top.first[stop - 1 - rect.col];
            TileBest const of_part = clean ? Base::tile(pair, part, top + skipped, left, corner, profile, nullptr)
                                           : box_columns(pair, part, top + skipped, left, corner, profile,
                                                         {trace, trace_layout(*this, rect.rows), skipped});
            if (of_part.before(best))
                best = of_part;
            corner = next_corner;
            col = stop;
        }
        return best;
    }

private:
    static constexpr std::uint64_t box = UsedCells::box_cols, row_step = 64;

    // The first column from `col` on in whose box cells of these rows are used; or `end`.
    std::uint64_t next_used(Rect const & rect, std::uint64_t col, std::uint64_t end) const
    {
        while (col < end && !used_.any(rect.row, rect.rows, col / box))
            col = (col / box + 1) * box;
        return std::min(col, end);
    }

    // Where the bits of some columns of a tile go; no words: nowhere.
    struct Trace {
        std::uint8_t * words;
        TraceLayout layout;
        std::uint64_t col;

        void set(bool bit, std::uint64_t row, std::uint64_t c, TracePlane plane) const
        {
            if (bit)
                layout.set(words, row, col + c, plane);
        }
    };

    // Columns of one box, all rows: those near used cells are computed here, others by the kernel unless traced.
    TileBest box_columns(PairView const & pair, Rect const & rect, BoundaryView<Cell> top, BoundaryView<Cell> left,
                         std::int64_t corner, std::int8_t * profile, Trace const & trace) const
    {
        std::vector<std::uint64_t> mask(rect.rows);
        used_.fill(rect.row, rect.rows, rect.col / box, mask.data());
        auto const is_used = [&](std::uint64_t row) { // any of the `row_step` rows from here on
            auto const begin = mask.begin() + static_cast<std::ptrdiff_t>(row);
            auto const end = mask.begin() + static_cast<std::ptrdiff_t>(std::min(row + row_step, rect.rows));
            return trace.words || std::any_of(begin, end, [](std::uint64_t cells) { return cells != 0; });
        };
        TileBest best;
        for (std::uint64_t row = 0, stop = 0; row < rect.rows; row = stop) {
            bool const here = is_used(row);
            for (stop = row; stop < rect.rows && is_used(stop) == here;)
                stop = std::min(stop + row_step, rect.rows);
            Rect const part{rect.row + row, stop - row, rect.col, rect.cols};
            std::int64_t const next_corner = left.first[stop - 1];
            TileBest const of_part = here ? masked(pair, part, top, left + row, corner, mask.data() + row, trace)
                                          : Base::tile(pair, part, top, left + row, corner, profile, nullptr);
            if (of_part.before(best))
                best = of_part;
            corner = next_corner;
        }
        return best;
    }

    // One cell after the other; bit c of mask[r] forbids the cell of row r in the box's column c.  A traced part has
    // all rows of its tile.
    TileBest masked(PairView const & pair, Rect const & rect, BoundaryView<Cell> top, BoundaryView<Cell> left,
                    std::int64_t corner, std::uint64_t const * mask, Trace const & trace) const
    {
        constexpr std::int64_t never = INT64_MIN / 4;
        auto const [open, extend] = scoring_.gap();
        TileBest best{0, rect.col};
        for (std::uint64_t c = 0; c < rect.cols; ++c) {
            std::uint64_t const place = (rect.col + c) % box;
            std::uint8_t const letter = pair.target[rect.col + c];
            std::int64_t diagonal = corner, f = top.second[c], h = 0, highest = 0;
            corner = top.first[c];
            for (std::uint64_t r = 0; r < rect.rows; ++r) {
                std::int64_t const aligned =
                    mask[r] >> place & 1 ? never : diagonal + scoring_.score(pair.query[rect.row + r], letter);
                std::int64_t const e = left.second[r];
                diagonal = left.first[r];
                h = std::max({aligned, e, f, std::int64_t{0}});
                std::int64_t const opened = h - open - extend;
                if (trace.words) {
                    trace.set(h == aligned, r, c, plane_diagonal);
                    trace.set(h == f, r, c, plane_vertical);
                    trace.set(h == e, r, c, plane_horizontal);
                    trace.set(opened > e - extend, r, c, plane_e_opens);
                    trace.set(opened > f - extend, r, c, plane_f_opens);
                }
                left.first[r] = h;
                left.second[r] = std::max(e - extend, opened);
                f = std::max(f - extend, opened);
                highest = std::max(highest, h);
            }
            top.first[c] = h;
            top.second[c] = f;
            if (highest > best.score)
                best = {highest, rect.col + c};
        }
        return best;
    }

    Scoring const & scoring_;
    UsedCells const & used_;
};

inline std::uint64_t narrowest_block(MaskedField const & field)
{
    return std::min(field.max_cols(), narrowest_masked_block);
}

} // namespace nwgpu::cpu
