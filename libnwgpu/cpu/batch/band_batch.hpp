// SPDX-License-Identifier: BSD-3-Clause
// Many global pairs of some differences: one pair per lane of a vector, in a band of diagonals around their ends that
// their scores prove wide enough (band_lanes.hpp; docs/proofs.md, lemmas 17 and 33).  Pairs whose band is not wide
// enough have the width that the score of its best path asks for in a second turn; those that are too different, too
// few for the lanes, or whose path leaves the diagonals that trace bits are kept of, are left to others.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "backend/monitor.hpp"
#include "base/aligned_buffer.hpp"
#include "cpu/batch/band_lanes.hpp"
#include "cpu/furthest/penalties.hpp"
#include "cpu/kernels/kernels.hpp"
#include "cpu/kernels/scheme.hpp"
#include "model/answers.hpp"
#include "model/batch.hpp"
#include "model/cigar.hpp"
#include "model/mode.hpp"
#include "model/result.hpp"

namespace nwgpu::cpu {

// What a thread keeps from piece to piece, and from call to call.
struct BandMemory {
    AlignedBuffer<std::uint8_t> query, target, state, trace;

    std::size_t bytes() const { return query.bytes() + target.bytes() + state.bytes() + trace.bytes(); }
};

// Work of one thread.
class BandBatch {
public:
    static constexpr std::uint64_t most_letters = 4096; // of a sequence
    static constexpr std::size_t most_lanes = 64;
    // Upper bound of what a thread allocates for pairs of no more letters than this, but for their CIGARs.
    static std::uint64_t workspace(std::uint64_t longest);
    // Whether lanes have kernels for these scores.
    static bool takes(Scheme const & scheme);
    // Fewer pairs are left to others.
    static std::size_t least_lanes(KernelTable const & kernels)
    {
        return std::max<std::size_t>(2, static_cast<std::size_t>(kernels.lanes) / 3);
    }

    // Of a scheme that it takes.  `forced`: however few pairs there are for the lanes, and however different.
    BandBatch(Scheme const & scheme, KernelTable const & kernels, Request const & request, bool forced,
              BandMemory & memory) :
        scheme_{scheme},
        penalties_{Penalties::of(scheme.scoring())},
        kernels_{kernels},
        request_{request},
        forced_{forced},
        memory_{memory}
    {}

    // Of a batch, with no empty sequences: puts the answers of some, and leaves the others at the begin of `pairs`, in
    // ascending order.  Returns how many those are.  Where it throws std::bad_alloc, `pairs` are as they were, and some
    // have answers.
    std::size_t align(Batch const & batch, std::span<std::uint64_t> pairs, AnswerWriter & writer, Monitor & monitor);

private:
    struct Open { // a pair that its band has not proven
        std::uint64_t index;
        std::uint64_t half_width; // that would
    };

    std::uint64_t first_half_width(Batch const & batch, std::span<std::uint64_t const> pairs) const;
    bool suits(std::uint64_t half_width, std::uint64_t usual, std::size_t pairs, std::uint64_t columns) const;
    std::uint64_t kept_for(std::uint64_t half_width) const;
    void first_turn(Batch const & batch, std::span<std::uint64_t const> pairs, std::uint64_t half_width,
                    AnswerWriter & writer, Monitor & monitor);
    void second_turn(Batch const & batch, AnswerWriter & writer, Monitor & monitor);
    std::size_t fill(Batch const & batch, std::span<std::uint64_t const> pairs, std::uint64_t half_width);
    void compute(AnswerWriter & writer, Monitor & monitor);
    void load_letters();
    bool walk(std::size_t lane);
    std::size_t lanes() const { return static_cast<std::size_t>(kernels_.lanes); }
    std::size_t least() const { return forced_ ? 1 : least_lanes(kernels_); }

    Scheme const & scheme_;
    Penalties const penalties_;
    KernelTable const & kernels_;
    Request const & request_;
    bool const forced_;
    BandMemory & memory_;

    std::uint64_t kept_factor_ = 1;
    std::size_t count_ = 0; // of the group
    std::uint64_t index_[most_lanes];
    PairView pairs_[most_lanes];
    alignas(64) std::int32_t rows_of_[most_lanes], cols_of_[most_lanes], score_[most_lanes];
    BandLanes job_;
    std::vector<std::uint64_t> needed_; // half-widths of the group
    std::vector<Open> open_;
    std::vector<std::uint64_t> others_;
    CigarBuilder cigar_;
    PairResult answer_;
};

} // namespace nwgpu::cpu
