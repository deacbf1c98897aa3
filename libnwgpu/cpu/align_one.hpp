// SPDX-License-Identifier: BSD-3-Clause
// One pair, in the way that its plan and the request ask for, by as many threads as the plan says.
#pragma once

#include "backend/monitor.hpp"
#include "cpu/furthest/align_furthest.hpp"
#include "cpu/pair/pair_plan.hpp"
#include "model/result.hpp"

namespace nwgpu::cpu {

// Neither sequence is empty.  Throws Error cancelled, and those of a checkpoint; std::bad_alloc.
PairResult align_one(PairView const & pair, Scheme const & scheme, KernelTable const & kernels, Request const & request,
                     PairPlan const & plan, FurthestMemory & memory, Monitor & monitor);

} // namespace nwgpu::cpu
