// SPDX-License-Identifier: BSD-3-Clause
// The oracle: the plain O(mn) recurrence with the tie rule written out, and a verifier that re-scores a CIGAR from
// the two sequences alone.  Slow, quadratic in memory, and what everything else is tested against.
#pragma once

#include <span>

#include "model/batch.hpp"
#include "model/mode.hpp"
#include "model/result.hpp"
#include "model/scoring.hpp"

namespace nwgpu::reference {

// Always computes everything (output level cigar).
PairResult align(PairView const & pair, Scoring const & scoring, Mode const & mode,
                 CigarStyle style = CigarStyle::eqx);

// Score of the path that `runs` describes over all of `pair`.  Throws Error invalid_argument when the runs do not
// cover exactly both sequences, when = or X does not hold, or when an operation is none of M I D = X.
std::int64_t cigar_score(PairView const & pair, Scoring const & scoring, std::span<std::uint32_t const> runs);

} // namespace nwgpu::reference
