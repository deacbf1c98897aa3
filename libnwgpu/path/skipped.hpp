// SPDX-License-Identifier: BSD-3-Clause
// Boundaries of local sweeps that skip cells (docs/proofs.md, lemma 19): scores of 0 stand for those of skipped cells.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "model/scoring.hpp"
#include "path/kept.hpp"

namespace nwgpu::path {

constexpr int skip_limit = 500; // a score of 0 stands for none above

// How much a score falls at most from a cell to the next one of its row or column, and how much it rises.
struct MostSteps {
    std::int64_t fall = 0, rise = 0;
    static MostSteps of(Scoring const & scoring)
    {
        GapCost const gap = scoring.gap();
        return {gap.open + gap.extend, std::max<std::int64_t>(0, scoring.max_score()) + gap.open + gap.extend};
    }
};

// A line of neighbouring cells, from left to right or from the top down.  Beside the edge of skipped cells its scores
// jump, which differences of 8 bits do not hold.  So zeros are raised to what their neighbours prove: no more than the
// scores that they stand for (lemma 19).
class SkippedLine {
public:
    using Cell = Entry<std::int64_t>;
    SkippedLine(std::span<Cell> line, MostSteps const & steps) : line_{line}, steps_{steps}, is_zero_(line.size())
    {
        for (std::size_t k = 0; k < line.size(); ++k)
            is_zero_[k] = line[k].h == 0;
    }
    // `before`: the cell before the line, which may stand for a skipped one, too.  Call this first.
    void raise_backwards(std::int64_t & before)
    {
        bool const before_is_zero = before == 0;
        for (std::size_t k = line_.size(); k-- > 0;) {
            std::int64_t const least = line_[k].h - steps_.rise;
            if (least <= 0 || line_[k].h > skip_limit)
                continue;
            if (k > 0 && is_zero_[k - 1])
                raise(line_[k - 1], least);
            else if (k == 0 && before_is_zero)
                before = std::max(before, least);
        }
    }
    void raise_onwards(std::int64_t before)
    {
        for (std::size_t k = 0; k < line_.size(); before = line_[k++].h)
            if (is_zero_[k] && before <= skip_limit)
                raise(line_[k], before - steps_.fall);
    }

private:
    void raise(Cell & cell, std::int64_t least) const
    {
        if (cell.h < least)
            cell = {least, least - steps_.fall};
    }

    std::span<Cell> const line_;
    MostSteps const steps_;
    std::vector<bool> is_zero_;
};

} // namespace nwgpu::path
