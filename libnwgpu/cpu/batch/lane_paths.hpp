// SPDX-License-Identifier: BSD-3-Clause
// Paths of pairs whose score and end are known, one pair per lane.  From its end a path with that score reaches few
// diagonals (docs/proofs.md, lemma 39), so each pair is cut down to what lies behind the first of them, and is a pair
// without free ends in a narrow band.  For pairs whose matrices have more trace bits than the caches hold
// (lane_batch.hpp).
#pragma once

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

// Workspace and work of one thread.
class LanePaths {
public:
    // Whether this scheme and mode are for it.
    static bool takes(Scheme const & scheme, Mode const & mode);
    // Upper bound of what it allocates for pairs of no more letters than this, but for their CIGARs.
    static std::uint64_t workspace(std::uint64_t longest);

    LanePaths(Scheme const & scheme, KernelTable const & kernels, Request const & request);

    // A pair waits for others, or is answered with them; false: alone it is quicker.
    bool add(Piece const & piece, std::uint32_t which, std::int64_t score, AlignedSpan const & ends,
             AnswerWriter & writer);
    // Those that wait, from all calls for this piece so far; also after one that has lacked memory.
    std::span<std::uint32_t const> waiting() const { return {waiting_, count_}; }
    void align_waiting(Piece const & piece, AnswerWriter & writer);
    void forget_waiting() { count_ = 0; }

private:
    static constexpr std::size_t max_lanes = LaneLetters::most_lanes;

    struct Shape { // of a group
        std::uint64_t rows = 0, cols = 0;
        path::Band band{0, 0};
    };
    struct Located {
        std::int64_t score;
        std::uint64_t query_begin, target_begin; // of what is left of the pair
    };

    std::uint64_t trace_bytes(Shape const & shape) const;
    void walk(std::size_t lane);
    std::uint64_t lanes() const { return static_cast<std::uint64_t>(kernels_.lanes); }

    Scheme const & scheme_;
    KernelTable const & kernels_;
    Request const & request_;
    Mode const begins_; // the free ones of the mode
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
