// SPDX-License-Identifier: BSD-3-Clause
// Cuts a piece into chunks, and says where the letters of each pair lie.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/team.hpp"
#include "cuda/batch/chunk.hpp"
#include "cuda/batch/job.hpp"

namespace nwgpu::cuda::batch {

constexpr std::uint64_t first_pairs = 1 << 14; // of the first chunk, if there are more

// Some pairs of a piece.
struct Chunk {
    static constexpr std::uint64_t block_pairs = 256;
    // That a thread of the host takes at a time, of so many pairs.
    static std::uint64_t blocks_of_thread(std::uint64_t pairs, Team const & team)
    {
        return std::clamp<std::uint64_t>(pairs / (4 * block_pairs * static_cast<std::uint64_t>(team.size())), 1, 4);
    }
    std::uint64_t blocks_of_thread(Team const & team) const { return blocks_of_thread(count(), team); }

    std::uint64_t first = 0, last = 0; // positions in the piece
    bool fits = true;                  // else: the next pairs that stay together, and exceed the limits
    Sums sums;                         // where it fits
    std::vector<LettersBefore> before; // each block of pairs: letters of the pairs that suit

    std::uint64_t count() const { return last - first; }
};

// From the queue of the piece, if it has one: then others may cut it, too.
class Cutter {
public:
    // All of them live longer than this.
    Cutter(Piece const & piece, BatchWork const & work, Team & team) :
        piece_{piece}, work_{work}, team_{team}, all_{piece.pairs.size()}, queue_{piece.queue ? *piece.queue : own_}
    {}

    std::uint64_t left() const { return queue_.left(); }
    bool done() const { return left() == 0; }
    // Whether it is this cutter's turn.
    bool may_cut() { return queue_.may_take(); }
    // When the chunk has its answers, or has none to come.
    void end(Chunk const & chunk) { queue_.done(chunk.count()); }
    // As many of the next pairs as the limits allow, `most` at most; none where there are no more.  `pairs` has room
    // for `most`.  They get their lengths, where they suit, and the low 32 bits of the offsets of their letters in the
    // sequences of the batch.
    Chunk next(Limits const & limits, std::uint64_t most, ChunkPair * pairs);
    // The same, of pairs that are not taken.
    Chunk look(Limits const & limits, std::uint64_t most, ChunkPair * pairs);
    // All that are left, as positions.
    Chunk rest();

private:
    Chunk cut(std::uint64_t first, Limits const & limits, std::uint64_t most, ChunkPair * pairs) const;
    std::uint64_t most_from(std::uint64_t first, std::uint64_t most) const;

    Piece const & piece_;
    BatchWork const & work_;
    Team & team_;
    PairQueue all_;
    PairQueue::Taker own_{all_, 0};
    PairQueue::Taker & queue_;
};

} // namespace nwgpu::cuda::batch
