// SPDX-License-Identifier: BSD-3-Clause
// Paper C, 4.1: simple kernel offload.  Diagonals lie one after another in memory (swat.cuh), one launch computes one,
// its cells dealt to all threads of the launch; the maximum is found by all threads.
//
//     . . 0      launch i + j = d with the threads 0, 1, ... of all blocks
//     . 1 .
//     2 . .
#pragma once

#include "published/swat/swat.cuh"

namespace nwgpu::published {

PairResult swat_offload(GpuTask const & task) { return swat_by_launches(task, false); }

} // namespace nwgpu::published
