// SPDX-License-Identifier: BSD-3-Clause
// How high the score of a pair can be, from its lengths alone.
#pragma once

#include <algorithm>
#include <cstdint>

#include "model/mode.hpp"
#include "model/scoring.hpp"
#include "path/end.hpp"

namespace nwgpu::path {

// No path has more aligned columns than the shorter sequence has letters, and one between two ends that are not free
// has the other letters of the longer one in gaps.
inline std::int64_t most_score(std::uint64_t m, std::uint64_t n, Scoring const & scoring, Mode const & mode)
{
    std::int64_t const columns =
        std::max<std::int64_t>(0, scoring.max_score()) * static_cast<std::int64_t>(std::min(m, n));
    bool const free = mode.may_be_empty() || (m > n ? mode.free_query_begin || mode.free_query_end
                                                    : mode.free_target_begin || mode.free_target_end);
    return free || m == n ? columns : columns + gap_score(scoring.gap(), std::max(m, n) - std::min(m, n));
}

} // namespace nwgpu::path
