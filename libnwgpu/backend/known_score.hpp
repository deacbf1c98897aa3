// SPDX-License-Identifier: BSD-3-Clause
// A score that a local alignment of two long sequences is known to have before any is looked for: cells that cannot
// lead to as much need not be computed (docs/proofs.md, lemma 19).
#pragma once

#include "backend/monitor.hpp"

namespace nwgpu {

// Of pair p of the piece, by the words that its sequences have in common (path/common_words.hpp): what `engine` finds
// between them, globally, one after the other, and the best stretch of these.  0: none is known.  Takes O(m + n) time
// where the sequences are similar and few cells in all cases, and some bytes per letter of the host's memory.  Throws
// Error cancelled.
std::int64_t known_score(Piece const & piece, std::uint64_t p, Backend & engine, Monitor & monitor);

} // namespace nwgpu
