// SPDX-License-Identifier: BSD-3-Clause
// Local pairs with few rows and many columns have few strips, which would leave most of a GPU idle.  Their target is
// cut into overlapping parts that are swept at once (path/overlap.hpp); the end and the path are found in the first
// part that has the best score.
#pragma once

#include <cstdint>
#include <optional>

#include "cuda/plan/plan.hpp"

namespace nwgpu::cuda {

struct ColumnParts {
    std::uint64_t count = 0, overlap = 0;
    SweepPlan sweep; // of all parts
    PairPlan path;   // of one part, for its end and path; unused for a score alone
    std::uint64_t bytes = 0;
    double seconds = 0; // of both
};

// Nothing where `whole`, the plan of the whole matrix, is as good.  `overlap`: the most columns that a path spans.
std::optional<ColumnParts> plan_column_parts(PairPlan const & whole, PairFacts const & pair, std::uint64_t overlap,
                                             DeviceFacts const & device);

} // namespace nwgpu::cuda
