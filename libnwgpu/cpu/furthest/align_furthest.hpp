// SPDX-License-Identifier: BSD-3-Clause
// A global pair by furthest-reaching points: time in proportion to the differences (docs/proofs.md, lemmas 23 and 24).
#pragma once

#include <optional>

#include "backend/monitor.hpp"
#include "cpu/furthest/furthest_plan.hpp"
#include "cpu/kernels/kernels.hpp"
#include "model/batch.hpp"
#include "model/mode.hpp"
#include "model/result.hpp"

namespace nwgpu::cpu {

// Nothing if the sequences are not as similar as the plan asks for.  Neither is empty; the scheme is uniform.  The
// score is too_low_score where it is known to be below request.min_score.
std::optional<PairResult> align_furthest(PairView const & pair, Penalties const & penalties,
                                         KernelTable const & kernels, Request const & request,
                                         FurthestPlan const & plan, Monitor & monitor);

} // namespace nwgpu::cpu
