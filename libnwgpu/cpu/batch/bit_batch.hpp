// SPDX-License-Identifier: BSD-3-Clause
// Many pairs of unit costs and few differences: one pair per lane of a vector, in a band of 16, 32 or 64 diagonals
// around its ends, a word of bits per column (bit_lanes.hpp).  The bits of all cells are kept and answer the tie rule's
// questions; an answer counts if its distance is so low that no better path leaves the band (docs/proofs.md, lemma 32).
// Pairs with a higher one are computed again in the next wider band, and are left to others after the widest.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "backend/monitor.hpp"
#include "base/aligned_buffer.hpp"
#include "cpu/batch/bit_lanes.hpp"
#include "cpu/furthest/penalties.hpp"
#include "cpu/kernels/kernels.hpp"
#include "model/answers.hpp"
#include "model/batch.hpp"
#include "model/cigar.hpp"
#include "model/mode.hpp"
#include "model/result.hpp"

namespace nwgpu::cpu {

// What a thread keeps from piece to piece, and from call to call.
struct BitMemory {
    AlignedBuffer<std::uint64_t> letters;
    AlignedBuffer<std::uint8_t> state, steps;
};

// Work of one thread.
class BitBatch {
public:
    // Of a sequence: bits of so many columns stay within the caches.
    static constexpr std::uint64_t most_letters = 2048;
    // Upper bound of what a thread allocates for pairs of no more letters than this, but for their CIGARs.
    static std::uint64_t workspace(std::uint64_t longest);

    // Fewer pairs are left to others: so many take as long as all lanes.
    static std::size_t least_lanes(KernelTable const & kernels, int width)
    {
        return std::max<std::size_t>(2, lanes(kernels, width) / 8);
    }

    // The penalties are unit costs.  `forced`: however few pairs there are for the lanes, and however distant.
    BitBatch(KernelTable const & kernels, Penalties const & penalties, Request const & request, bool forced,
             BitMemory & memory) :
        kernels_{kernels}, penalties_{penalties}, request_{request}, forced_{forced}, memory_{memory}
    {}

    // Of a batch, with no empty sequences: puts the answers of some, and leaves the others at the begin of `pairs`, in
    // ascending order.  Returns how many those are.  Where it throws std::bad_alloc, `pairs` are as they were, and some
    // have answers.
    std::size_t align(Batch const & batch, std::span<std::uint64_t> pairs, AnswerWriter & writer, Monitor & monitor);

private:
    struct Lane {
        std::uint64_t index; // of the batch
        PairView pair;
        std::int64_t offset; // bit 0 of column j is row j - offset
    };

    int first_width(Batch const & batch, std::span<std::uint64_t const> pairs) const;
    bool learn_letters(Batch const & batch, std::span<std::uint64_t const> pairs);
    std::size_t fill(Batch const & batch, std::span<std::uint64_t const> pairs);
    bool load(PairView const & pair, std::int64_t offset, std::size_t lane);
    void compute(AnswerWriter & writer, Monitor & monitor);
    template <class T>
    bool answer(Lane const & lane, std::size_t at);
    void put_answers(AnswerWriter & writer, Monitor & monitor);
    static std::size_t lanes(KernelTable const & kernels, int width)
    {
        return static_cast<std::size_t>(kernels.lanes) * 8 / static_cast<std::size_t>(width);
    }
    std::size_t lanes() const { return lanes(kernels_, width_); }

    KernelTable const & kernels_;
    Penalties const & penalties_;
    Request const & request_;
    bool const forced_;
    BitMemory & memory_;

    LetterBits letters_;
    int width_ = 0;
    std::vector<Lane> group_;
    std::vector<std::uint64_t> next_, others_; // pairs for the next width, and for other ways
    BitLanes job_;
    CigarBuilder cigar_;
    PairResult answer_;
};

} // namespace nwgpu::cpu
