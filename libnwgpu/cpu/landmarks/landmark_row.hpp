// SPDX-License-Identifier: BSD-3-Clause
// Words of a sequence that all best paths are proven to cross, in a row from begin to end (docs/proofs.md, lemma 43).
// What lies between two of them is a small global pair of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "backend/monitor.hpp"
#include "base/team.hpp"
#include "base/uninitialized.hpp"
#include "cpu/furthest/one_diagonal.hpp"
#include "cpu/pair/word_places.hpp"
#include "model/batch.hpp"
#include "model/cigar.hpp"
#include "model/scoring.hpp"
#include "path/band.hpp"
#include "path/common_words.hpp"

namespace nwgpu::cpu {

// A rectangle of the matrix, from one corner, which a path comes to, to the other.
struct Box {
    std::uint64_t i = 0, j = 0, i_end = 0, j_end = 0; // letters before both corners

    std::uint64_t rows() const { return i_end - i; }
    std::uint64_t cols() const { return j_end - j; }
    bool is_gap() const { return rows() == 0 || cols() == 0; } // or nothing
    bool is_within(std::uint64_t letters) const { return rows() <= letters && cols() <= letters; }
};

// Of boxes first to last - 1.
inline std::int64_t sum_of(std::span<std::int64_t const> losses, std::size_t first, std::size_t last)
{
    auto const some = losses.subspan(first, last - first);
    return std::accumulate(some.begin(), some.end(), std::int64_t{0});
}

class LandmarkRow {
public:
    // The query of the pair has no free end.  The pair lives longer than this.  `team`: whose threads share the work;
    // null: none do.
    LandmarkRow(PairView const & pair, Scoring const & scoring, Team * team);

    // Looks for words that occur once on the diagonals of a band, in a row; all best paths are in the band.  `words`:
    // long ones, which are few, are enough where hardly a letter in 60 has changed.  False: there are too few.  O(m +
    // n) time.
    enum class Kind { shortest, long_ones };
    bool find(path::Band const & band, Monitor & monitor, Kind words = Kind::shortest);
    // The same of words that were found on all diagonals.
    bool take(WordPlaces const & places, Monitor & monitor);

    // Whether a global pair is so long, and begins with so many long words, that these are the ones to look for.
    static bool begins_with_long_words(PairView const & pair, Scoring const & scoring, Monitor & monitor);

    // Between words that follow each other, and before the first and behind the last: one more than there are words.
    std::size_t boxes() const { return row_.size() + 1; }
    Box box(std::size_t k) const { return between(k, k); }
    // From the first one to the last one, with the words between them.
    Box between(std::size_t first, std::size_t last) const;

    // Keeps the words that a path crosses.  Returns what it loses in each box.  `runs`: of the path, in the style eqx,
    // with i letters of the query before them.
    std::vector<std::int64_t> follow(std::span<std::uint32_t const> runs, std::uint64_t i, CigarOp inner_gap);

    // What a path through all words loses in each box: whether all best paths cross word k, the one behind box k.
    struct Ends {
        bool free_begin = false, free_end = false; // of the target
        bool clips = false;                        // letters of the query at its ends
    };
    // False: the caller has stopped.
    bool prove(std::span<std::int64_t const> losses, Ends const & ends, Monitor & monitor);
    bool is_crossed(std::size_t k) const { return crossed_[k] != 0; }

    std::uint64_t letters() const { return letters_; } // of a word
    // Upper bound of what is allocated for a query of m letters, with so many threads.
    static std::uint64_t bytes(std::uint64_t m, int threads);

private:
    struct Word {
        std::uint64_t i, j;    // letters before it
        std::int64_t lost = 0; // words before it that the band does not have

        std::int64_t diagonal() const { return static_cast<std::int64_t>(j) - static_cast<std::int64_t>(i); }
    };

    // What a path loses at least between two words: so much for each word that it does not cross, and for each diagonal
    // that the second one is further up; all of it `scale` times.
    struct Bound {
        std::int64_t scale, word, diagonal;
    };
    bool take(WordPlaces const & places, std::uint64_t least, Monitor & monitor);
    void set_row(std::span<path::CommonWord const> best, WordPlaces const & places, Monitor & monitor);
    void prove_by(Bound const & bound, std::span<std::int64_t const> losses_before, Ends const & ends,
                  Monitor & monitor);
    std::int64_t end_diagonal(bool is_begin, Bound const & bound, Ends const & ends) const;

    PairView const pair_;
    Losses const losses_;
    Scoring const & scoring_;
    Team * const team_;
    std::uint64_t letters_ = 0;
    Array<Word> row_;
    std::int64_t lost_ = 0; // of all words
    Array<std::uint8_t> crossed_;
};

} // namespace nwgpu::cpu
