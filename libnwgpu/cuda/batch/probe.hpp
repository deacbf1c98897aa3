// SPDX-License-Identifier: BSD-3-Clause
// How similar the pairs of a piece are, from the first letters of a few of them: which bands to try first.  And whether
// there are enough long ones that each has a part of the device for itself.
#pragma once

#include "backend/backend.hpp"
#include "base/team.hpp"
#include "cuda/batch/batch_scheme.hpp"
#include "cuda/batch/couples.hpp"

namespace nwgpu::cuda::batch {

// The half-width that a band needs for each row of a global pair, with uniform column scores (BandRule, but for the two
// gaps that a path outside has to open).  Nothing depends on it but time.  `team`: null for one thread.
double width_per_row(Piece const & piece, BatchScheme const & scheme, Team * team);

// What a call asks of batches, with these guesses.  None where no pair suits.  `forced_warps`: BatchWork;
// `least_cells`: find_couples(); `shared_bytes`: of a block of the device.
std::optional<BatchWork> work_for(Piece const & piece, int forced_warps, Team * team,
                                  std::uint64_t least_cells = least_couple_cells,
                                  std::uint64_t shared_bytes = TargetStrips::usual_shared);

} // namespace nwgpu::cuda::batch
