// SPDX-License-Identifier: BSD-3-Clause
// Aligns one pair strip by strip: sweep, end, path.
#pragma once

#include <optional>

#include "backend/monitor.hpp"
#include "cpu/pair/pair_plan.hpp"
#include "model/result.hpp"

namespace nwgpu::cpu {

// Neither sequence is empty.
PairResult align_strips(PairView const & pair, Scheme const & scheme, KernelTable const & kernels,
                        Request const & request, PairPlan const & plan, Monitor & monitor);
// Nothing where no proven band saves much.
std::optional<PairResult> align_in_band(PairView const & pair, Scheme const & scheme, KernelTable const & kernels,
                                        Request const & request, PairPlan const & plan, Monitor & monitor);

// The global score of a path in the band of so many diagonals on either side, where the plan has differences.
std::int64_t score_in_band(PairView const & pair, Scheme const & scheme, KernelTable const & kernels,
                           PairPlan const & plan, std::uint64_t half_width, Monitor & monitor);

} // namespace nwgpu::cpu
