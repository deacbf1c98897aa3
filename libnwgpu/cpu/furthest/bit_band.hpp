// SPDX-License-Identifier: BSD-3-Clause
// Unit costs, many differences in few letters: a band of the matrix, 64 cells of a column at a time, as bits that tell
// differences of neighbours (bit_group.hpp).  After Myers (1999, doi:10.1145/316542.316550) and Hyyro (2003).  The bits
// of all cells are kept and answer the tie rule's questions (docs/proofs.md, lemma 31).
//
//                target
//       ┌──┬──────────
//       │  │██            a group of words of 64 rows, over the columns in which the band meets one of them; above and
//  query│  │████          to the left of it, where nothing is computed, each cell costs one more than the one before
//       │  └──████
//       │     ████
#pragma once

#include <cstdint>
#include <vector>

#include "base/aligned_buffer.hpp"
#include "cpu/furthest/bit_walk.hpp"
#include "cpu/kernels/kernels.hpp"
#include "model/batch.hpp"
#include "model/cigar.hpp"
#include "model/mode.hpp"

namespace nwgpu::cpu {

class BitBand {
public:
    // Different ones of the query.
    static constexpr int most_letters = 7;

    // Steps of the kernel for a pair, in the band of the diagonals that a path of cost `most` can visit; it is not
    // below what the gap costs that the lengths need.
    static std::uint64_t steps(std::uint64_t m, std::uint64_t n, std::int64_t most, int lanes_of_8_bits);
    static std::uint64_t bytes_for(std::uint64_t m, std::uint64_t n, std::int64_t most, int lanes_of_8_bits);

    // False if the query has too many different letters.  Neither sequence is empty.
    bool compute(PairView const & pair, std::int64_t most, KernelTable const & kernels);
    // From the end to row 0 or column 0: i and j.  Returns what the path costs: the distance, if that is `most` at
    // most; else no less than the distance, and the path may be another one.
    std::int64_t walk(CigarStyle style, CigarBuilder & cigar, std::uint64_t & i, std::uint64_t & j) const;

    // For walk_bits().
    bool inside(std::int64_t i, std::int64_t j) const { return low_ <= j - i && j - i <= high_; }
    bool is(CellBit bit, std::int64_t i, std::int64_t j) const;

    std::uint64_t bytes() const { return memory_.bytes() + target_.bytes(); }

private:
    std::uint64_t const * cells(std::int64_t i, std::int64_t j) const;
    bool number_letters();

    PairView pair_;
    int lanes_ = 0;
    std::int64_t low_ = 0, high_ = 0;    // diagonals
    AlignedBuffer<std::uint8_t> memory_; // what follows
    std::uint64_t * rows_ = nullptr;     // [3][words]: bits of the query's letters
    std::uint64_t * steps_ = nullptr;    // of all groups, one behind the other
    std::int64_t steps_per_group_ = 0;   // at most
    AlignedBuffer<std::uint8_t> target_; // numbers of the letters, backwards
};

} // namespace nwgpu::cpu
