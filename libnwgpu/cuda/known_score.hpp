// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

#include "backend/monitor.hpp"
#include "cuda/options.hpp"
#include "path/band.hpp"

namespace nwgpu::cuda {

// What a sweep of pair p that skips cells begins with (backend/known_score.hpp); 0: nothing is known, to look for it
// would take as long as the sweep, or there is no memory for it.  Throws Error cancelled.
std::int64_t known_score(EngineOptions const & options, Piece const & piece, std::uint64_t p, Monitor & monitor);
// The band of a global pair, as far as such a score tells: for predictions alone.  Nothing where none is looked for, or
// found.
std::optional<path::Band> expected_band(EngineOptions const & options, Piece const & piece, std::uint64_t p,
                                        Monitor & monitor);
// What a known score takes of the host's memory, at most; 0 where it is not looked for.
std::uint64_t known_score_bytes(EngineOptions const & options, Piece const & piece, std::uint64_t p);

} // namespace nwgpu::cuda
