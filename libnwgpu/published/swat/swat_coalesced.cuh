// SPDX-License-Identifier: BSD-3-Clause
// Paper C, 4.2: coalesced kernel offload.  As swat_offload.cuh, but every diagonal begins at a multiple of 64 bytes
// (swat.cuh), so that the writes of a warp are whole memory transactions.
//
//     d0 . . . | d1 d1 . . | d2 d2 d2 . | ...     16 scores between bars
#pragma once

#include "published/swat/swat.cuh"

namespace nwgpu::published {

PairResult swat_coalesced(GpuTask const & task) { return swat_by_launches(task, true); }

} // namespace nwgpu::published
