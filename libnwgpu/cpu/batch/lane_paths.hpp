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
#include "cpu/batch/located_pairs.hpp"
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
    std::uint32_t which[3 * LaneLetters::most_lanes]; // of a group, of those that wait, and of those that are located
    std::size_t count = 0;

    void add(std::uint32_t pair) { which[count++] = pair; }
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
              LocatedPairs & located, LonePairs & alone);

    // The pair is added to those that are located.
    void add(Piece const & piece, std::uint32_t which, std::int64_t score, AlignedSpan const & ends);
    // Of a group of those that are located, if there are enough of them; false: there are not.
    bool align_some(Piece const & piece, LocatedPairs::Wanted wanted, AnswerWriter & writer);
    // After a call that has lacked memory: those of its pairs go alone that have no answer.
    void give_up();

private:
    static constexpr std::size_t max_lanes = LaneLetters::most_lanes;
    using Shape = PathShape;

    std::uint64_t trace_bytes(Shape const & shape) const;
    path::Band kept_of(PairView const & pair, std::int64_t score, path::Band const & band) const;
    std::span<LocatedPair const> next_group(Shape & shape) const;
    void align(Piece const & piece, std::span<LocatedPair const> pairs, Shape const & shape, AnswerWriter & writer);
    void describe(std::span<LocatedPair const> pairs, Shape const & shape);
    bool walk(LocatedPair const & located, std::size_t lane);
    std::uint64_t lanes() const { return static_cast<std::uint64_t>(kernels_.lanes); }

    Scheme const & scheme_;
    KernelTable const & kernels_;
    Request const & request_;
    Mode const begins_; // the free ones of the mode
    bool const forced_;
    LocatedPairs & located_;
    LonePairs & alone_;
    LocatedPair taken_[max_lanes];
    std::size_t done_ = 0, count_ = 0; // of them
    AlignedBuffer<std::uint8_t> query_, target_, trace_, state_;
    BatchGlobalGroup group_;
    alignas(64) std::int32_t rows_of_[max_lanes], cols_of_[max_lanes];
    alignas(64) std::int32_t score_[max_lanes], end_row_[max_lanes], end_col_[max_lanes];
    CigarBuilder cigar_;
    PairResult answer_;
};

} // namespace nwgpu::cpu
