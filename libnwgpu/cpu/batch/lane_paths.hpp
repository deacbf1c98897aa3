// SPDX-License-Identifier: BSD-3-Clause
// Paths of pairs whose score and end are known, one pair per lane.  From its end a path with that score reaches few
// diagonals (docs/proofs.md, lemma 39), so each pair is cut down to what lies behind the first of them, and is a pair
// without free ends in a narrow band.  For pairs whose matrices have more trace bits than the caches hold
// (lane_batch.hpp).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "backend/backend.hpp"
#include "base/aligned_buffer.hpp"
#include "cpu/batch/lane_letters.hpp"
#include "cpu/kernels/kernels.hpp"
#include "cpu/kernels/lane_groups.hpp"
#include "cpu/kernels/scheme.hpp"
#include "model/answers.hpp"
#include "model/cigar.hpp"
#include "model/mode.hpp"
#include "model/result.hpp"
#include "path/band.hpp"

namespace nwgpu::cpu {

// Pairs of a piece that are to go alone.
struct LonePairs {
    // All of a group and of two that wait; after a lack of memory, those that wait twice.
    std::uint32_t which[5 * LaneLetters::most_lanes];
    std::size_t count = 0;

    void add(std::span<std::uint32_t const> pairs)
    {
        std::ranges::copy(pairs, which + count);
        count += pairs.size();
    }
};

// Workspace and work of one thread.
class LanePaths {
public:
    // Whether this scheme and mode are for it.
    static bool takes(Scheme const & scheme, Mode const & mode);
    // Upper bound of what it allocates for pairs of no more letters than this, but for their CIGARs.
    static std::uint64_t workspace(std::uint64_t longest);

    // Pairs that are quicker alone are added to those; forced: unless memory is lacking.
    LanePaths(Scheme const & scheme, KernelTable const & kernels, Request const & request, bool forced,
              LonePairs & alone);

    // The pair waits for others, or they are answered.
    void add(Piece const & piece, std::uint32_t which, std::int64_t score, AlignedSpan const & ends,
             AnswerWriter & writer);
    // Those that wait, from all calls for this piece so far.
    void align_waiting(Piece const & piece, AnswerWriter & writer);
    // Of a call that has lacked memory.
    void give_up_waiting();

private:
    static constexpr std::size_t max_lanes = LaneLetters::most_lanes;

    struct Shape { // of a group
        std::uint64_t rows = 0, cols = 0;
        path::Band band{0, 0};
        path::Band kept{0, 0}; // diagonals with trace bits
    };
    struct Located {
        std::int64_t score;
        std::uint64_t query_begin, target_begin; // of what is left of the pair
    };

    std::uint64_t trace_bytes(Shape const & shape) const;
    path::Band kept_of(PairView const & pair, std::int64_t score, path::Band const & band) const;
    void describe(BatchGlobalGroup & group);
    bool walk(std::size_t lane);
    std::uint64_t lanes() const { return static_cast<std::uint64_t>(kernels_.lanes); }

    Scheme const & scheme_;
    KernelTable const & kernels_;
    Request const & request_;
    Mode const begins_; // the free ones of the mode
    bool const forced_;
    LonePairs & alone_;
    std::size_t count_ = 0;
    std::uint32_t waiting_[max_lanes];
    Located located_[max_lanes];
    PairView pairs_[max_lanes]; // what is left of them
    Shape shape_;
    AlignedBuffer<std::uint8_t> query_, target_, trace_, state_;
    BatchGlobalGroup group_;
    alignas(64) std::int32_t rows_of_[max_lanes], cols_of_[max_lanes];
    alignas(64) std::int32_t score_[max_lanes], end_row_[max_lanes], end_col_[max_lanes];
    CigarBuilder cigar_;
    PairResult answer_;
};

} // namespace nwgpu::cpu
