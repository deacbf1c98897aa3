// SPDX-License-Identifier: BSD-3-Clause
// On which diagonals words of the query are equal to the target.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "backend/monitor.hpp"
#include "base/team.hpp"
#include "cpu/furthest/word_lists.hpp"
#include "model/batch.hpp"
#include "path/band.hpp"

namespace nwgpu::cpu {

// Words of the query: end to end, so that letters may be left at its end, or at given places.
struct WordPlaces {
    static constexpr std::uint8_t most = 6; // places of a word that are noted; one with more may be anywhere
    static constexpr std::uint64_t places_per_word = 2;

    struct Place {
        std::uint32_t word;
        std::int64_t diagonal;
    };
    std::uint64_t letters = 0;         // of a word
    std::vector<Place> all;            // in the order of the target; of words at given places, in the order of these
    std::vector<std::uint8_t> count;   // of each word; `most`: perhaps more
    bool too_many = false;             // on average, or of pieces of few words: not all were looked for
    std::vector<std::uint64_t> begins; // of words that do not lie end to end, in the query

    // Letters before a word.
    std::uint64_t begin(std::uint64_t word) const { return begins.empty() ? word * letters : begins[word]; }
    // The word that begins behind so many letters.
    std::uint64_t find(std::uint64_t i) const
    {
        return begins.empty() ? i / letters
                              : static_cast<std::uint64_t>(std::ranges::lower_bound(begins, i) - begins.begin());
    }
};

// On diagonals of a band, of words so long that few of them are somewhere in it by chance.  O(m + n) time.  `monitor`:
// of a caller who may stop it, and has some of the places then; null: nobody does.  `team`: whose threads take parts of
// a long target; null: this thread does all.
WordPlaces find_places(PairView const & pair, path::Band const & band, Monitor * monitor = nullptr,
                       Team * team = nullptr);
// Of words of 32 letters, of which there are few.
WordPlaces find_long_places(PairView const & pair, path::Band const & band, Monitor * monitor, Team * team = nullptr);
// Upper bound of what these two allocate for a query of m letters, with so many threads.
std::uint64_t word_places_bytes(std::uint64_t m, int threads = 1);

// On all diagonals, of few words: hardly any of the query is looked at.
class FewWords {
public:
    enum class Length { for_tests = 8, usual = 32 }; // letters

    // The pair's sequences live longer than this.  O(n) time, little of it.
    FewWords(PairView const & pair, Length letters);

    // Of words that begin behind so many letters of the query, in that order.  O(1) time for each.  If there are too
    // many places, nothing is found from then on.
    WordPlaces find(std::vector<std::uint64_t> begins);

    // What is allocated for a target of n letters, and words of 32, at most.
    static std::uint64_t bytes(std::uint64_t n) { return WordLists::bytes_for(n / 16); }

private:
    template <int letters>
    void take();
    template <int letters>
    void find(WordPlaces & places);

    PairView const pair_;
    Length const letters_;
    WordLists pieces_; // of the target
};
} // namespace nwgpu::cpu
