// SPDX-License-Identifier: BSD-3-Clause
// Where two long sequences go together, about: words that both have, once each, in a row that goes up in both.  A guess
// that proofs begin with; what it says is never an answer.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/go_on.hpp"
#include "base/team.hpp"
#include "model/batch.hpp"
#include "model/scoring.hpp"

namespace nwgpu::path {

struct CommonWord {
    static constexpr std::uint64_t letters = 20;
    std::uint64_t i = 0, j = 0; // letters of the query and of the target before it
};

// Of words in the order of i: the row whose i and j go up that is worth most, where letters between two words count
// half of the best, and the rest of the longer stretch a gap.  Empty if `go_on`, which is asked now and then, says no.
// With a team, which then asks: rows of many words are joined where they fit, about as good a guess.
std::vector<CommonWord> best_row(
    std::span<CommonWord const> words, Scoring const & scoring, GoOn const & go_on = [] { return true; },
    Team * team = nullptr);

// That of all words which both sequences have once or, of long sequences, of one in 128, chosen by their letters.  May
// be empty.  O(m + n) time; threads of the team, if there is one, look for words.
std::vector<CommonWord> common_words(PairView const & pair, Scoring const & scoring, Team * team);
// Of memory that it takes, at most.
std::uint64_t common_words_bytes(std::uint64_t m, std::uint64_t n);

} // namespace nwgpu::path
