// SPDX-License-Identifier: BSD-3-Clause
// Which score width a scoring scheme allows, proven from its bounds, and the scheme as the kernels want it.
// Proofs of the bounds: docs/proofs.md, lemmas 1 to 3 and 8 to 13.
#pragma once

#include <cstdint>
#include <vector>

#include "cpu/kernels/kernels.hpp"
#include "model/scoring.hpp"

namespace nwgpu::cpu {

class Scheme {
public:
    explicit Scheme(Scoring const & scoring);
    Scheme(Scheme const &) = delete; // the kernel schemes point into it

    // What one allocates, itself included.
    static std::uint64_t bytes(Scoring const & scoring);

    // 8-bit differences are exact: all that is compared lies in -128 .. 127.
    bool fits_diff() const { return fits_diff_; }
    // 8 bits hold all scores of a local strip, relative to the bases of its lanes.
    bool fits_local(int lanes8) const;
    // The narrowest of 16, 32 and 64 bits in which a full strip can be wide enough to be worth it.
    int score_width(int lanes8) const;
    // The widest strip of `rows` rows whose scores stay within `width` bits of its corner's; with 8 bits, whose bases
    // stay within 16.
    std::uint64_t max_cols(int width, std::uint64_t rows) const;
    // The same for the scan kernel of strips with a matrix, 0 if it does not fit; and by how much the base of
    // such a strip is above its corner.
    std::uint64_t max_scan_cols(std::uint64_t rows) const;
    std::int64_t scan_base(std::uint64_t rows) const;

    Scoring const & scoring() const { return scoring_; }
    bool small_codes() const { return small_codes_; } // uniform, and all codes are below most_small_codes
    DiffScheme const & diff() const { return diff_; }
    ScoreScheme const & score() const { return score_; }
    // Uniform schemes only: the same, divided by the greatest common divisor of all costs, which is unit().  Scores and
    // ties are the same in smaller numbers.
    ScoreScheme const & reduced() const { return reduced_; }
    std::int64_t unit() const { return unit_; }

private:
    LocalRange local_range() const;
    LocalRange scan_range() const;
    LaneRange lane_range() const; // of reduced_

    Scoring const scoring_;
    bool fits_diff_ = false;
    bool fits_profile16_ = false; // column scores fit 8 bits
    DiffScheme diff_;
    ScoreScheme score_, reduced_;
    std::int64_t unit_ = 1;
    std::vector<std::int8_t> diff_table_, score_table_, scan_table_;
    std::vector<std::int32_t> score_matrix_;
    bool small_codes_ = false;
};

} // namespace nwgpu::cpu
