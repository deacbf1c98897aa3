// SPDX-License-Identifier: BSD-3-Clause
// One call of the engine: which pairs are computed together, and on what plan.  Largest first.
#pragma once

#include "cuda/batch/batch.hpp"
#include "cuda/device/device.hpp"
#include "cuda/engine.hpp"

namespace nwgpu::cuda {

// The device is current.
void align(Device & device, batch::Aligner & batches, EngineOptions const & options, Piece const & piece,
           Monitor & monitor, Answers & answers);
// The same for the pair of a piece (one) if a band is proven for it in which it takes less time; returns whether it has
// its answer.
bool align_in_band(Device & device, EngineOptions const & options, Piece const & piece, Monitor & monitor,
                   Answers & answers);

} // namespace nwgpu::cuda
