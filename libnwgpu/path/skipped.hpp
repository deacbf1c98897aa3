// SPDX-License-Identifier: BSD-3-Clause
// Boundaries of local sweeps that skip cells (docs/proofs.md, lemma 19).  Scores of 0 stand for those of skipped cells;
// so that scores do not jump from cell to cell, which engines with differences do not hold, they are raised to what
// other cells of the boundary prove.  From a cell a gap leads on to the cells behind it, with `extend` a letter; and
// where its path is cut short, so that it ends in one of the cells before it, a gap of the other sequence takes the
// letters that were aligned, each with `most + extend`.
//
//         4 5 6 h h h h 6 5 5 4     what becomes of zeros beside four cells, `extend` being less than `most + extend`
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "model/scoring.hpp"
#include "path/kept.hpp"

namespace nwgpu::path {

struct MostSteps {
    std::int64_t open = 0, extend = 0, most = 0; // the last one: what a column scores
    static MostSteps of(Scoring const & scoring)
    {
        return {scoring.gap().open, scoring.gap().extend, std::max<std::int64_t>(0, scoring.max_score())};
    }
    // How much a score falls at most from a cell to the next one of its row or column, and how much it rises.
    constexpr std::int64_t fall() const { return open + extend; }
    constexpr std::int64_t rise() const { return most + open + extend; }
};

// A line of neighbouring cells, from left to right or from the top down, any of which may have been skipped.
class SkippedLine {
public:
    using Cell = Entry<std::int64_t>;
    SkippedLine(std::span<Cell> line, MostSteps const & steps) : line_{line}, steps_{steps} {}

    // Returns the gap that leaves the cell before the line, away from the line.
    std::int64_t raise_backwards()
    {
        std::int64_t gap = least;
        for (std::size_t k = line_.size(); k-- > 0;) {
            gap = std::max(gap, line_[k].gap);
            line_[k] = {std::max(line_[k].h, gap + steps_.extend), gap};
            gap -= steps_.most + steps_.extend;
        }
        return gap;
    }
    // `gap`: that comes along the line to its first cell.
    void raise_onwards(std::int64_t gap)
    {
        for (Cell & cell : line_) {
            if (gap > cell.h)
                cell = {gap, std::max(cell.gap, gap - steps_.fall())};
            gap = std::max(gap - steps_.extend, cell.h - steps_.fall());
        }
    }
    static constexpr std::int64_t least = INT64_MIN / 2; // of a line without cells

private:
    std::span<Cell> const line_;
    MostSteps const steps_;
};

// The same where all that is known is the computed cells of the line, [begin, end), not empty, and the first and the
// last one: calls put(k, cell) for those of the cells [from, to) beside them that are above 0.
template <class Put>
void raise_beside(std::uint64_t begin, std::uint64_t end, Entry<std::int64_t> const & first,
                  Entry<std::int64_t> const & last, MostSteps const & steps, std::uint64_t from, std::uint64_t to,
                  Put const & put)
{
    for (std::uint64_t k = std::min(begin, to); k-- > from;) {
        std::int64_t const gap = first.gap - static_cast<std::int64_t>(begin - k) * (steps.most + steps.extend);
        if (gap + steps.extend <= 0)
            break;
        put(k, Entry<std::int64_t>{gap + steps.extend, gap});
    }
    for (std::uint64_t k = std::max(end, from); k < to; ++k) {
        std::int64_t const h = last.h - steps.open - static_cast<std::int64_t>(k + 1 - end) * steps.extend;
        if (h <= 0)
            break;
        put(k, Entry<std::int64_t>{h, h - steps.fall()});
    }
}

} // namespace nwgpu::path
