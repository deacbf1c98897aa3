// SPDX-License-Identifier: BSD-3-Clause
// On which diagonals words of the query are equal to the target.
#pragma once

#include <cstdint>
#include <vector>

#include "backend/monitor.hpp"
#include "base/team.hpp"
#include "model/batch.hpp"
#include "path/band.hpp"

namespace nwgpu::cpu {

// The query is cut into words, end to end; letters that are left at its end belong to none.
struct WordPlaces {
    static constexpr std::uint8_t most = 6; // places of a word that are noted; one with more may be anywhere
    static constexpr std::uint64_t places_per_word = 2;

    struct Place {
        std::uint32_t word;
        std::int64_t diagonal;
    };
    std::uint64_t letters = 0;       // of a word
    std::vector<Place> all;          // in the order of the target
    std::vector<std::uint8_t> count; // of each word; `most`: perhaps more
    bool too_many = false;           // on average: not all were looked for
};

// On diagonals of a band, of words so long that few of them are somewhere in it by chance.  O(m + n) time.  `monitor`:
// of a caller who may stop it, and has some of the places then; null: nobody does.  `team`: whose threads take parts of
// a long target; null: this thread does all.
WordPlaces find_places(PairView const & pair, path::Band const & band, Monitor * monitor = nullptr,
                       Team * team = nullptr);
// Of words of 32 letters, of which there are few.
WordPlaces find_long_places(PairView const & pair, path::Band const & band, Monitor * monitor, Team * team = nullptr);
// Upper bound of what that allocates for a query of m letters, with so many threads.
std::uint64_t word_places_bytes(std::uint64_t m, int threads = 1);

} // namespace nwgpu::cpu
