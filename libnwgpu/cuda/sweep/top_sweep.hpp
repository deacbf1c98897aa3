// SPDX-License-Identifier: BSD-3-Clause
// The device's part of finding the K best local alignments: the whole matrix is swept, every cell, with boundaries kept
// around tiles; then all tiles are swept from them, at once and apart from each other, for the best score of each.
// What comes after crosses few tiles, and is the host's (checkpoint/swept_matrix.hpp).
#pragma once

#include "cuda/plan/top_plan.hpp"
#include "cuda/sweep/launch_batch.hpp"

namespace nwgpu::cuda {

// Throws Error cancelled, and those of the device.
template <class S>
checkpoint::SweptMatrix sweep_top(Sweeper<S> const & sweeper, DevicePair const & pair, TopPlan const & plan,
                                  Monitor & monitor);

} // namespace nwgpu::cuda
