// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "backend/monitor.hpp"
#include "cuda/options.hpp"

namespace nwgpu::cuda {

// What a sweep of pair p that skips cells begins with (backend/known_score.hpp); 0: nothing is known, or to look for it
// would take as long as the sweep.  Throws Error cancelled.
std::int64_t known_score(EngineOptions const & options, Piece const & piece, std::uint64_t p, Monitor & monitor);

} // namespace nwgpu::cuda
