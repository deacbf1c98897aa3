// SPDX-License-Identifier: BSD-3-Clause
// A narrower band than a score alone proves: beside the diagonals on which most words of a sequence lie, hardly any of
// them is equal to the other sequence, so a path cannot be there for long (docs/proofs.md, lemma 40).
#pragma once

#include <cstdint>
#include <optional>

#include "model/batch.hpp"
#include "model/mode.hpp"
#include "model/result.hpp"
#include "model/scoring.hpp"
#include "path/band.hpp"

namespace nwgpu::cpu {

// Of global pairs, or such with free ends of one sequence alone: the diagonals between which all paths lie that score
// `score` or more, where `wide` is known to have them; nothing where words do not tell, or memory ends.  O(m + n) time.
std::optional<path::Band> word_band(PairView const & pair, Mode const & mode, Scoring const & scoring,
                                    std::int64_t score, path::Band const & wide);
// What is left of a pair with free ends if paths are to stay in a band.
struct BandCut {
    PairView pair;
    std::uint64_t query_before = 0, target_before = 0; // letters that are cut off
    path::Band band{};                                 // of what is left
};
// The band is one of word_band(): letters of the sequence whose ends are free are cut off.
BandCut cut_to_band(PairView const & pair, path::Band const & band);
// The answer for what is left, as one for the pair.
PairResult moved(BandCut const & cut, PairResult answer);
// Of memory that word_band() takes, at most.
std::uint64_t word_band_bytes(std::uint64_t m, std::uint64_t n);

} // namespace nwgpu::cpu
