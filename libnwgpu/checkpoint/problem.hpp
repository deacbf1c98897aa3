// SPDX-License-Identifier: BSD-3-Clause
// What a checkpoint belongs to: the numbers that tell problems apart, and what a slab of a problem can look like.
#pragma once

#include <cstdint>
#include <string>

#include "checkpoint/slab.hpp"

namespace nwgpu::checkpoint {

// Plain data: written to files as it is.  Letters count as their codes: what has the same codes and scores has the same
// answer, whatever the letters were.
struct Identity {
    std::uint64_t query_length = 0, target_length = 0;  // letters
    std::uint64_t sequences = 0, scoring = 0, mode = 0; // fingerprints: of both in their order, all costs, all fields
};

class Problem {
public:
    Problem(PairView const & pair, Scoring const & scoring, Mode const & mode);

    Identity const & identity() const { return identity_; }

    // Both give a text that goes on after "the checkpoint is"; empty if nothing speaks against it.

    // How another problem differs from this one.
    std::string why_foreign(Identity const & other) const;
    // Why a slab of this problem cannot look like this.  `above`: the one before it, which has passed; null: none.
    // After that no sum or product of these numbers wraps, and entries are looked up within the arrays.
    std::string why_damaged(SlabShape const & shape, SlabSizes const & sizes, SlabShape const * above) const;

private:
    bool band_is_possible(path::Band const & band) const;
    bool best_is_possible(SlabShape const & shape) const;

    Identity identity_;
    std::uint64_t m_, n_;
    Mode mode_;
    GapCost gap_;
    std::int64_t max_score_;
    bool keeps_in_32_bits_;
};

} // namespace nwgpu::checkpoint
