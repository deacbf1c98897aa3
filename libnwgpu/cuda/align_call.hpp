// SPDX-License-Identifier: BSD-3-Clause
// One call of the engine: which pairs are computed together, and on what plan.  Largest first.
#pragma once

#include "cuda/batch/batch_aligner.hpp"
#include "cuda/device/device.hpp"
#include "cuda/engine.hpp"

namespace nwgpu::cuda {

// The device is current.
void align(Device & device, batch::BatchAligner & batches, EngineOptions const & options, Piece const & piece,
           Monitor & monitor, Answers & answers);
// The same for the pair of a piece (one), if it takes much less time than all cells: in a proven band, or as most of
// them are skipped.  Returns whether the pair has its answer.
bool align_if_similar(Device & device, EngineOptions const & options, Piece const & piece, Monitor & monitor,
                      Answers & answers);

} // namespace nwgpu::cuda
