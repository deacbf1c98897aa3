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

} // namespace nwgpu::cpu
