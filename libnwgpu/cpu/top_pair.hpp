// SPDX-License-Identifier: BSD-3-Clause
// The K best local alignments of one pair, no two of which align the same two letters (docs/exactness.md).
#pragma once

#include "cpu/monitor.hpp"
#include "cpu/pair_plan.hpp"
#include "model/result.hpp"

namespace nwgpu::cpu {

// The best, and up to request.top - 1 others in PairResult::more.  Neither sequence is empty.
PairResult align_top(PairView const & pair, Scheme const & scheme, KernelTable const & kernels, Request const & request,
                     PairPlan const & plan, Monitor & monitor);

} // namespace nwgpu::cpu
