// SPDX-License-Identifier: BSD-3-Clause
// Score and end of an alignment that is not local, by the tie rule.
#pragma once

#include <cstdint>

#include "model/result.hpp"
#include "model/scoring.hpp"

namespace nwgpu::path {

// H of a cell on the border that is reached by one gap.
inline std::int64_t gap_score(GapCost gap, std::uint64_t length)
{
    return length == 0 ? 0 : -gap.open - static_cast<std::int64_t>(length) * gap.extend;
}

// The best of the candidates, and the first or last among equals: they must be shown in column-major order.
class BestEnd {
public:
    explicit BestEnd(PairResult & result, Ties ties = Ties::first) : result_{result}, last_{ties != Ties::first}
    {
        result_.score = INT64_MIN;
    }
    void consider(std::int64_t score, std::uint64_t i, std::uint64_t j)
    {
        if (last_ ? score < result_.score : score <= result_.score)
            return;
        result_.score = score;
        result_.span.query_end = i;
        result_.span.target_end = j;
    }

private:
    PairResult & result_;
    bool last_;
};

} // namespace nwgpu::path
