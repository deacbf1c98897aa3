// SPDX-License-Identifier: BSD-3-Clause
// A pair computed by antidiagonals, by one thread: bands, and ties other than the usual ones.  All trace bits where
// they fit; else some antidiagonals are kept, and from each of them the cone that the path can reach is computed again,
// in the same way.  So memory grows with m + n.
#pragma once

#include "backend/monitor.hpp"
#include "cpu/pair/pair_plan.hpp"
#include "model/result.hpp"

namespace nwgpu::cpu {

// Neither sequence is empty.
bool needs_antidiagonals(Mode const & mode);

// The band holds a path.
PairResult align_antidiagonals(PairView const & pair, Scoring const & scoring, KernelTable const & kernels,
                               Request const & request, PairPlan const & plan, Monitor & monitor);

} // namespace nwgpu::cpu
