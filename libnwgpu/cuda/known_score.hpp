// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "backend/monitor.hpp"
#include "cuda/options.hpp"

namespace nwgpu::cuda {

// What a sweep of pair p that skips cells begins with (backend/known_score.hpp); 0: nothing is known, to look for it
// would take as long as the sweep, or there is no memory for it.  Throws Error cancelled.
std::int64_t known_score(EngineOptions const & options, Piece const & piece, std::uint64_t p, Monitor & monitor);
// What that takes of the host's memory, at most; 0 where it is not looked for.
std::uint64_t known_score_bytes(EngineOptions const & options, Piece const & piece, std::uint64_t p);

} // namespace nwgpu::cuda
