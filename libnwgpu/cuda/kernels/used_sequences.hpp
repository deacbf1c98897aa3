// SPDX-License-Identifier: BSD-3-Clause
// Which sequences of a side go to a device for pairs that are not computed many at a time: in a call of very many pairs
// these are few.  Pure.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "backend/backend.hpp"
#include "model/batch.hpp"

namespace nwgpu::cuda {

// All sequences of a side, as they lie, or those of some pairs, one behind the other.  The side lives longer.
class UsedSequences {
public:
    UsedSequences(CodedSequences const & all) : sequences_{&all} {}
    // Those of these pairs of a piece, unless they have a large part of all letters, or host memory is limited.
    UsedSequences(Piece const & piece, std::span<std::uint64_t const> pairs, std::uint64_t Pair::*side);

    CodedSequences const & sequences() const { return *sequences_; }
    bool are_all() const { return some_.empty(); }
    std::uint64_t bytes() const; // letters
    // Where the letters of one of them are among those of all of them.
    std::uint64_t offset(std::uint64_t sequence) const;
    // The letters one behind the other, as codes.  `room`: bytes() bytes.
    void gather(std::uint8_t * room) const;
    // visit(codes, length) of each.
    template <class Visit>
    void for_each(Visit const & visit) const
    {
        std::uint64_t const count = are_all() ? sequences_->count() : some_.size();
        for (std::uint64_t k = 0; k < count; ++k) {
            std::uint64_t const sequence = are_all() ? k : some_[k].sequence;
            visit(sequences_->codes(sequence), sequences_->length(sequence));
        }
    }

private:
    struct Place {
        std::uint64_t sequence, offset;
    };

    CodedSequences const * sequences_;
    std::vector<Place> some_; // ascending; none: all
};

} // namespace nwgpu::cuda
