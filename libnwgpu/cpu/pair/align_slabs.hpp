// SPDX-License-Identifier: BSD-3-Clause
// One pair with checkpoints: the matrix is swept slab by slab (checkpoint/slab.hpp), and the path is found from the
// last slab to the first, whatever engine wrote them.
#pragma once

#include "backend/monitor.hpp"
#include "backend/row_share.hpp"
#include "checkpoint/folder.hpp"
#include "cpu/pair/pair_plan.hpp"
#include "model/result.hpp"

namespace nwgpu::cpu {

// Both sequences have letters; the plan is that of a sweep by strips.  Throws Error checkpoint.
PairResult align_slabs(PairView const & pair, Scheme const & scheme, KernelTable const & kernels,
                       Request const & request, PairPlan const & plan, Monitor & monitor);

// RowEngine::walk_saved(), with a plan of the same kind.
WalkedRows walk_saved(PairView const & pair, Scheme const & scheme, KernelTable const & kernels,
                      Request const & request, PairPlan const & plan, checkpoint::Folder & folder,
                      path::Cursor const & from, Monitor & monitor);

} // namespace nwgpu::cpu
