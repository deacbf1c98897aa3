// SPDX-License-Identifier: BSD-3-Clause
// How similar the pairs of a piece are, from the first letters of a few of them: which bands to try first.
#pragma once

#include "backend/backend.hpp"
#include "base/team.hpp"
#include "cuda/batch/scheme.hpp"

namespace nwgpu::cuda::batch {

// The half-width that a band needs for each row of a global pair, with uniform column scores (BandRule, but for the two
// gaps that a path outside has to open).  Nothing depends on it but time.  `team`: null for one thread.
double width_per_row(Piece const & piece, Scheme const & scheme, Team * team);

} // namespace nwgpu::cuda::batch
