// SPDX-License-Identifier: BSD-3-Clause
// The K best local alignments of one pair, no two of which align the same two letters (docs/exactness.md).
#pragma once

#include "backend/monitor.hpp"
#include "checkpoint/swept_matrix.hpp"
#include "cpu/pair/pair_plan.hpp"
#include "model/result.hpp"

namespace nwgpu::cpu {

// The best, and up to request.top - 1 others in PairResult::more.  Neither sequence is empty.  `swept`: null, or the
// matrix as another engine has swept it; then the plan is plan_swept()'s, and its boundaries become those of the last
// alignment.
PairResult align_top(PairView const & pair, Scheme const & scheme, KernelTable const & kernels, Request const & request,
                     PairPlan const & plan, Monitor & monitor, checkpoint::SweptMatrix * swept = nullptr);

} // namespace nwgpu::cpu
