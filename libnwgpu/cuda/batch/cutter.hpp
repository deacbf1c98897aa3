// SPDX-License-Identifier: BSD-3-Clause
// Cuts a piece into chunks, and says where the letters of each pair lie.
#pragma once

#include <cstdint>
#include <vector>

#include "base/team.hpp"
#include "cuda/batch/chunk.hpp"
#include "cuda/batch/job.hpp"

namespace nwgpu::cuda::batch {

// Some pairs of a piece.
struct Chunk {
    static constexpr std::uint64_t block_pairs = 256; // that a thread of the host takes at a time

    std::uint64_t first = 0, last = 0; // positions in the piece
    Sums sums;
    std::vector<LettersBefore> before; // each block of pairs: letters of the pairs that suit

    std::uint64_t count() const { return last - first; }
};

class Cutter {
public:
    // All of them live longer than this.
    Cutter(Piece const & piece, BatchWork const & work, Team & team) : piece_{piece}, work_{work}, team_{team} {}

    bool done() const { return left() == 0; }
    std::uint64_t left() const { return piece_.pairs.size() - next_; }
    // As many of the next pairs as the limits allow, `most` at most; none where the first one is too large for them.
    // `pairs` has room for `most`.  They get their lengths, where they suit, and the low 32 bits of the offsets of
    // their letters in the sequences of the batch.
    Chunk next(Limits const & limits, std::uint64_t most, ChunkPair * pairs);
    // Pairs, from the next one on, of which all or none are left out; how many they are.
    std::uint64_t together() const { return work_.pairs_together(next_); }
    // The next pair, which is left out.
    std::uint64_t skip() { return piece_.pairs[next_++]; }
    // The next chunk begins where this one does.
    void put_back(Chunk const & chunk) { next_ = chunk.first; }

private:
    std::uint64_t most_of_next(std::uint64_t most) const;

    Piece const & piece_;
    BatchWork const & work_;
    Team & team_;
    std::uint64_t next_ = 0;
};

} // namespace nwgpu::cuda::batch
