// SPDX-License-Identifier: BSD-3-Clause
// What the letters of one sequence can score at most in an alignment with another one: not all that equal letters
// would, since some of its words do not occur there (docs/proofs.md, lemma 35).
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "cpu/furthest/seed_bound.hpp"
#include "model/batch.hpp"
#include "model/scoring.hpp"

namespace nwgpu::cpu {

class MostOfLetters {
public:
    // Of memory that one takes while it is made, at most.
    static std::uint64_t bytes(std::uint64_t m, std::uint64_t n);
    // Of the query of `pair`; for its target, the pair the other way round.  O(m + n) time.
    MostOfLetters(PairView const & pair, Scoring const & scoring);

    // What a path gets at most of the letters from this one on, wherever it begins, or goes on from, and ends.  No less
    // for more letters.
    std::int64_t most_from(std::uint64_t letter) const
    {
        // What holds from the begin of the letter's word on holds from the letter on, too.
        std::uint64_t const word = letter <= first_ ? 0 : (letter - first_) >> word_bits,
                            begin = first_ + (word << word_bits);
        std::int64_t const most = bound(letter, begin < letter ? word + 1 : word);
        return begin < letter ? std::min(most, bound(begin, word)) : most;
    }

private:
    static constexpr int word_bits = SeedBound::usual_bits;

    std::int64_t bound(std::uint64_t letter, std::uint64_t word) const
    {
        std::int64_t const lost = word < lost_from_.size() ? lost_from_[word] - not_counted : 0;
        return match_ * static_cast<std::int64_t>(count_ - letter) - cost_ * std::max<std::int64_t>(0, lost);
    }
    // Words are looked for in the last letters alone, where a sequence is so many times as long as the other one.
    static constexpr std::uint64_t most_ratio = 4;
    static std::uint64_t first_of(std::uint64_t m, std::uint64_t n)
    {
        return (m - std::min(m, most_ratio * n)) >> word_bits << word_bits;
    }
    // Words in which a path begins and ends, or a gap goes on that began before.
    static constexpr std::int64_t not_counted = 3;

    std::uint64_t count_, first_;         // letters, and before the first word
    std::int64_t match_, cost_ = 0;       // of a letter; what a lost word takes from that at least
    std::vector<std::int32_t> lost_from_; // words from this one on; empty: none is known to be lost
};

} // namespace nwgpu::cpu
