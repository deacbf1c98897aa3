// SPDX-License-Identifier: BSD-3-Clause
#include "published/cudalign/special_rows.hpp"

#include <algorithm>

#include "cpu/kernels/kernel_table.hpp"
#include "cpu/pair/path_finder.hpp"
#include "published/parts/stored_matrix.hpp"

namespace nwgpu::published {

namespace {

using Field = cpu::ScoreField;
using Border = cpu::Border<Field::Cell>;

constexpr std::size_t trace_bytes = 4 << 20;
constexpr std::uint64_t cuts = 32; // of what is cut in its turn

class RowWalker {
public:
    RowWalker(Task const & task, SpecialRows const & rows, PairResult const & end) :
        task_{task},
        rows_{rows},
        scheme_{task.scoring},
        field_{scheme_, cpu::kernel_table({}), local(), std::max(32, scheme_.score_width(cpu::kernel_table({}).lanes))},
        finder_{field_, task.pair,   task.request.style, local(), cpu::Band{}, task.monitor.team().size(),
                cuts,   trace_bytes, task.monitor},
        result_{end}
    {
        finder_.cursor = {end.span.query_end, end.span.target_end};
    }

    PairResult walk()
    {
        path::Cursor const & cursor = finder_.cursor;
        std::int64_t score = result_.score; // of the path up to the cursor, at least
        while (!cursor.stopped && cursor.i > 0 && cursor.j > 0) {
            std::uint64_t const row = (cursor.i - 1) / rows_.apart * rows_.apart;
            walk_band(row, first_column(row, score));
            if (!cursor.stopped && cursor.i > row && cursor.j > 0)
                throw Error{Status::internal, "a path has left its special rows"};
            score = at(row, cursor.j).h - task_.open();
        }
        path::finish(task_.request.mode, cursor, finder_.cigar, result_);
        return result_;
    }

private:
    bool local() const { return task_.request.mode.local; }

    // H and F of a cell of row 0 or of a special row.
    BusEntry at(std::uint64_t row, std::uint64_t col) const
    {
        Affine const affine = affine_of(task_);
        if (col == 0)
            return {affine.border(static_cast<std::int64_t>(row)), minus_infinity};
        if (row == 0)
            return {affine.border(static_cast<std::int64_t>(col)), minus_infinity};
        return rows_.entries[(row / rows_.apart - 1) * rows_.width + col - 1];
    }

    // A path from column c of `row` to the cursor gains no more than its rows can be worth, and pays for the letters by
    // which it has more columns than rows; so does one that begins on the way.
    std::uint64_t first_column(std::uint64_t row, std::int64_t score) const
    {
        std::uint64_t const height = finder_.cursor.i - row, col = finder_.cursor.j;
        std::int64_t const gain =
            static_cast<std::int64_t>(height) * std::max<std::int64_t>(0, task_.scoring.max_score());
        for (std::uint64_t c = 0; c + height < col; ++c) {
            std::int64_t const from = std::max<std::int64_t>(at(row, c).h, affine_of(task_).floor);
            if (from + gain - task_.open() - static_cast<std::int64_t>(col - c - height) * task_.extend() >= score)
                return c - std::min<std::uint64_t>(c, 1);
        }
        return col - std::min(col, height + 1);
    }

    void walk_band(std::uint64_t row, std::uint64_t col)
    {
        cpu::Region const region{row, finder_.cursor.i, col, finder_.cursor.j};
        Border top(region.cols()), left(region.rows());
        for (std::uint64_t k = 0; k < region.cols(); ++k) {
            auto const [h, f] = at(row, col + k + 1);
            top.first[k] = h;
            top.second[k] = std::max<std::int64_t>(f, std::int64_t{h} - task_.open()) - task_.extend();
        }
        std::int64_t const corner = at(row, col).h;
        // Column 0, or what a gap down from the corner is worth: less than the cells may have, and enough.
        field_.gap_line(left.line(), region.rows(), col == 0 && local(),
                        col == 0 ? -static_cast<std::int64_t>(row) * task_.extend() : corner);
        if (col > 0 && local())
            for (std::uint64_t k = 0; k < region.rows(); ++k) {
                left.first[k] = std::max<std::int64_t>(left.first[k], 0);
                left.second[k] = left.first[k] - task_.open() - task_.extend();
            }
        finder_.walk_region(region, top, left, corner);
    }

    Task const & task_;
    SpecialRows const & rows_;
    cpu::Scheme const scheme_;
    Field const field_;
    cpu::PathFinder<Field> finder_;
    PairResult result_;
};

} // namespace

PairResult walk_special_rows(Task const & task, SpecialRows const & rows, PairResult const & end)
{
    if (task.request.mode.local && end.score == 0) {
        PairResult empty = end;
        empty.span = {0, 0, 0, 0};
        return empty;
    }
    return RowWalker{task, rows, end}.walk();
}

} // namespace nwgpu::published
