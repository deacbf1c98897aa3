// SPDX-License-Identifier: BSD-3-Clause
// From the scoring options and the alphabet of the input to an nwgpu_scoring; the defaults live here.
#pragma once

#include "alphabet.hpp"
#include "options.hpp"

#include <nwgpu/nwgpu.hpp>

#include <optional>
#include <string>
#include <vector>

namespace cli {

class Scoring {
public:
    // `detected` is used unless --dna, --protein or the matrix says something else.  Throws Failure for an unknown or
    // faulty matrix, and for one that is not of the alphabet.
    Scoring(ScoringOptions const & options, AlphabetKind detected);
    Scoring(Scoring const &) = delete; // values() points into this object
    Scoring & operator=(Scoring const &) = delete;

    // Of any letters.
    nwgpu_scoring const & values() const { return values_; }
    // The same scores, in the form that engines are quickest with, for sequences without ambiguous letters.
    nwgpu_scoring const & unambiguous() const { return unambiguous_; }
    Alphabet const & alphabet() const { return alphabet_; }
    std::string const & matrix_name() const { return matrix_name_; } // "" for match/mismatch
    // So many of our points are one of the matrix.
    std::int32_t scale() const { return scale_; }
    // The score of one query letter against one target letter.
    std::int32_t pair_score(std::uint8_t query, std::uint8_t target) const;
    // The best score of two letters: the unit in which mapping quality counts.
    std::int32_t best_pair() const;
    // "DNA, match 2, mismatch 4, gap of k: 4 + k*2"
    std::string describe() const;

private:
    void use_matrix(ScoringOptions const & options, std::string const & name);
    void use_letters(ScoringOptions const & options);
    void use_ambiguous(std::string const & given);

    nwgpu_scoring values_ = NWGPU_SCORING_INIT, unambiguous_ = NWGPU_SCORING_INIT;
    Alphabet alphabet_;
    std::string matrix_name_, ambiguous_;
    std::int32_t scale_ = 1;
    std::vector<std::int32_t> matrix_; // empty: letters match or mismatch
};

} // namespace cli
