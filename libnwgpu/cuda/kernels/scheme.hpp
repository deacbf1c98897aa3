// SPDX-License-Identifier: BSD-3-Clause
// The scoring scheme as the kernels want it: letters renumbered to those that occur, a table of column scores, and the
// proof of how many rows a packed strip may have (docs/proofs.md, lemma 14).
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <vector>

#include "cuda/kernels/used_sequences.hpp"
#include "model/batch.hpp"
#include "model/scoring.hpp"

namespace nwgpu::cuda {

using LetterMap = std::array<std::uint8_t, 256>; // code -> index in the score table

struct ScoreTable {
    LetterMap query_map{}, target_map{};
    std::uint32_t query_letters = 0, target_letters = 0;
    std::vector<std::int32_t> scores; // [query_letters][target_letters], low ones clamped (docs/proofs.md, lemma 1)

    ScoreTable(Batch const & batch, Scoring const & scoring) : ScoreTable{batch.queries, batch.targets, scoring} {}
    ScoreTable(UsedSequences const & queries, UsedSequences const & targets, Scoring const & scoring);
    ScoreTable(PairView const & pair, Scoring const & scoring);

private:
    using Present = std::bitset<256>; // codes
    ScoreTable(Present const & queries, Present const & targets, Scoring const & scoring);
};

// The most pairs of rows per lane that 16 bits allow, 0 for none.
int most_packed_rows(Scoring const & scoring, bool local);

} // namespace nwgpu::cuda
