// SPDX-License-Identifier: BSD-3-Clause
// The scoring scheme as a validated value: letters -> codes -> scores, and the gap costs.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace nwgpu {

constexpr std::uint8_t invalid_code = 255;
constexpr std::int64_t max_cost = std::int64_t{1} << 30;
constexpr int max_matrix_size = 128;

// A gap of k letters costs open + k * extend; both >= 0.  A value of its own, so that other gap models
// (different costs for insertions and deletions, two-piece) can join.
struct GapCost {
    std::int64_t open = 0;
    std::int64_t extend = 0;
    bool operator==(GapCost const &) const = default;
};

using LetterCodes = std::array<std::uint8_t, 256>; // byte -> code, or invalid_code

class Scoring {
public:
    // Equal codes score `match` (>= 0), different ones -mismatch (a cost, >= 0).  Without codes every byte is
    // its own code, 255 included.  Throws Error invalid_argument / too_large.
    static Scoring uniform(std::int64_t match, std::int64_t mismatch, GapCost gap, LetterCodes const * codes = nullptr);
    // size x size scores, row = query letter; 1 <= size <= 128; codes < size or invalid_code.
    static Scoring matrix(std::vector<std::int32_t> scores, int size, LetterCodes const & codes, GapCost gap);

    // Score of a column of two aligned letters, given by their codes.
    std::int64_t score(std::uint8_t query, std::uint8_t target) const
    {
        if (size_ == 0)
            return query == target ? match_ : -mismatch_;
        return scores_[static_cast<std::size_t>(query) * size_ + target];
    }

    bool is_uniform() const { return size_ == 0; }
    std::int64_t match() const { return match_; }       // uniform only
    std::int64_t mismatch() const { return mismatch_; } // uniform only, a cost
    int size() const { return size_; }                  // letters of the matrix, 0 if uniform
    std::vector<std::int32_t> const & scores() const { return scores_; }
    GapCost gap() const { return gap_; }
    LetterCodes const & codes() const { return codes_; }
    bool any_byte() const { return any_byte_; }                   // no letter is invalid
    bool letters_are_codes() const { return letters_are_codes_; } // all bytes are their own codes

    std::int64_t max_score() const { return max_score_; } // the best and the worst score of any column
    std::int64_t min_score() const { return min_score_; }
    // The best score that a query (target) letter can have with any partner.
    std::int64_t best_of_query(std::uint8_t code) const { return size_ == 0 ? match_ : best_query_[code]; }
    std::int64_t best_of_target(std::uint8_t code) const { return size_ == 0 ? match_ : best_target_[code]; }

    bool operator==(Scoring const &) const = default;

private:
    Scoring() = default;
    std::int64_t match_ = 0, mismatch_ = 0;
    int size_ = 0;
    std::vector<std::int32_t> scores_;
    std::vector<std::int32_t> best_query_, best_target_;
    GapCost gap_;
    LetterCodes codes_{};
    bool any_byte_ = false, letters_are_codes_ = false;
    std::int64_t max_score_ = 0, min_score_ = 0;
};

// A diagonal step never pays less than an insertion beside a deletion: a lower column score can be replaced by this
// without changing any H, E, F or trace bit (docs/proofs.md, lemma 1).
std::int64_t lowest_useful_score(Scoring const & scoring);

} // namespace nwgpu
