// SPDX-License-Identifier: BSD-3-Clause
// A score that a local alignment of two long sequences is known to have before any is looked for: cells that cannot
// lead to as much need not be computed (docs/proofs.md, lemma 19).
#pragma once

#include "backend/monitor.hpp"

namespace nwgpu {

// Of pair p of the piece, by the words that its sequences have in common (path/common_words.hpp): what `engine` finds
// between them, globally, one after the other, and the best stretch of these.  0: none is known.  Takes O(m + n) time
// where the sequences are similar, and in all cases no more cells than 1500 per letter.  Throws Error cancelled, and
// what the engine throws; cancellation is not asked for while words are looked for.
std::int64_t known_score(Piece const & piece, std::uint64_t p, Backend & engine, Monitor & monitor);
// Of memory that it takes, at most, with an engine of so many threads.
std::uint64_t known_score_bytes(std::uint64_t m, std::uint64_t n, int threads);

// A sweep that began with more than the best score has skipped what it looked for.  `known`: 0 if nothing is.
inline void check_known_score(std::int64_t best, std::int64_t known)
{
    if (known > 0 && best < known) // those of extensions may be negative
        throw Error{Status::internal, "the best score found is less than one that was known before"};
}

} // namespace nwgpu
