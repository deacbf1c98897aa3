// SPDX-License-Identifier: BSD-3-Clause
// The scores of all columns of two letters as a table of 32-bit numbers, as every paper has it.
#pragma once

#include <algorithm>
#include <vector>

#include "model/scoring.hpp"
#include "published/parts/recurrence.hpp"

namespace nwgpu::published {

class ColumnScores {
public:
    explicit ColumnScores(Scoring const & scoring) :
        size_{scoring.is_uniform() ? 256u : static_cast<unsigned>(scoring.size())}, scores_(std::size_t{size_} * size_)
    {
        std::int64_t const lowest = lowest_useful_score(scoring);
        for (unsigned query = 0; query < size_; ++query)
            for (unsigned target = 0; target < size_; ++target) {
                std::int64_t const score =
                    scoring.score(static_cast<std::uint8_t>(query), static_cast<std::uint8_t>(target));
                scores_[std::size_t{query} * size_ + target] = static_cast<Score>(std::max(score, lowest));
            }
    }
    // Of one query letter, by target letter.
    Score const * row(std::uint8_t query) const { return scores_.data() + std::size_t{query} * size_; }

private:
    unsigned size_;
    std::vector<Score> scores_;
};

} // namespace nwgpu::published
