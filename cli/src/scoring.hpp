// SPDX-License-Identifier: BSD-3-Clause
// From the scoring options and the alphabet of the input to an nwgpu_scoring; the defaults live here.
#pragma once

#include "alphabet.hpp"
#include "options.hpp"

#include <nwgpu/nwgpu.hpp>

#include <optional>
#include <string>

namespace cli {

class Scoring {
public:
    // `detected` is used unless --dna or --protein was given.  Throws Failure for an unknown or faulty matrix.
    Scoring(ScoringOptions const & options, AlphabetKind detected);
    Scoring(Scoring const &) = delete; // values() points into this object
    Scoring & operator=(Scoring const &) = delete;

    nwgpu_scoring const & values() const { return values_; }
    Alphabet const & alphabet() const { return alphabet_; }
    std::string const & matrix_name() const { return matrix_name_; } // "" for match/mismatch
    // The score of one query letter against one target letter.
    std::int32_t pair_score(std::uint8_t query, std::uint8_t target) const;
    // "DNA, match 2, mismatch 4, gap of k: 4 + k*2"
    std::string describe() const;

private:
    void use_matrix(std::string const & name);
    void use_letters(ScoringOptions const & options);

    nwgpu_scoring values_ = NWGPU_SCORING_INIT;
    Alphabet alphabet_;
    std::string matrix_name_;
    std::optional<nwgpu::Matrix> matrix_; // nothing for match/mismatch
};

} // namespace cli
