// SPDX-License-Identifier: BSD-3-Clause
// Many short pairs: one pair per SIMD lane, groups of pairs of similar lengths.  Called by work.cpp, one group per
// thread at a time.  A group is computed in a band of diagonals, where that is quicker (lane_losses.hpp); pairs that it
// does not prove wait for others of their kind, for a second turn in as wide a band as their scores ask for.  Where
// paths are asked for and trace bits would leave the caches, scores and ends come first, and paths are
// lane_paths.hpp's.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "backend/backend.hpp"
#include "base/aligned_buffer.hpp"
#include "cpu/batch/lane_letters.hpp"
#include "cpu/batch/lane_losses.hpp"
#include "cpu/batch/lane_paths.hpp"
#include "cpu/kernels/kernels.hpp"
#include "cpu/kernels/lane_groups.hpp"
#include "cpu/kernels/scheme.hpp"
#include "model/batch.hpp"
#include "model/cigar.hpp"
#include "model/mode.hpp"
#include "model/result.hpp"

namespace nwgpu::cpu {

// Which pairs may share a group, and how many (docs/proofs.md, lemmas 11, 12 and 27).
class LaneRules {
public:
    // Longer pairs keep all lanes busy alone.
    static constexpr std::uint64_t usual_letters = 2048, max_letters = 4095;
    static constexpr std::size_t max_lanes = LaneLetters::most_lanes;

    // most_trace: bytes of a group's trace bits, about what the caches hold if it is 0.  long_ones: also pairs of more
    // letters than usual, or of more trace bits, which lanes may hand back, to go alone.
    LaneRules(Scheme const & scheme, KernelTable const & kernels, Request const & request, std::uint64_t most_trace,
              bool long_ones);

    bool takes(PairView const & pair) const;
    // Of a group whose longest sequences are these: bits of a lane, number of lanes, and whether its trace bits stay
    // within the caches, if there are any.
    int width(std::uint64_t rows, std::uint64_t cols) const;
    int lanes(std::uint64_t rows, std::uint64_t cols) const { return lanes8_ * 8 / width(rows, cols); }
    bool fits(std::uint64_t rows, std::uint64_t cols) const;
    bool has_paths_later() const { return paths_; } // of groups that do not fit
    // Whether a pair of m x n letters may be one more beside so many others, if the longest sequences of all are these:
    // it is at least 70 % of them in both directions.
    bool may_join(std::uint64_t m, std::uint64_t n, std::size_t others, std::uint64_t rows, std::uint64_t cols) const
    {
        return others < static_cast<std::size_t>(lanes(rows, cols)) && 10 * m >= 7 * rows && 10 * n >= 7 * cols &&
               (fits(rows, cols) || !fits(m, n));
    }
    // Upper bound of what a LaneBatch allocates for groups whose sequences are no longer than this.
    std::uint64_t workspace(std::uint64_t longest) const;
    // What stands for 0 in a lane of a path that begins anywhere, so that all lower values fit.
    std::int64_t local_floor(int width) const;
    // Of a cell: local alignments stop where none of its ways attains the score, which takes a bit more.
    std::uint64_t planes() const
    {
        return request_.mode.begins_anywhere() ? BatchLocalGroup::planes : BatchGlobalGroup::planes;
    }

private:
    std::int64_t top_score(std::uint64_t rows, std::uint64_t cols) const
    {
        return static_cast<std::int64_t>(std::min(rows, cols)) * scheme_.reduced().match;
    }
    bool fits_extend(int width, std::uint64_t rows) const;

    Scheme const & scheme_;
    Request const & request_;
    std::uint64_t const most_trace_;
    int lanes8_ = 0; // 0: this scheme or mode has no lane kernel
    bool const long_ones_;
    bool paths_ = false; // of pairs whose trace bits do not fit
};

// Workspace and work of one thread.
class LaneBatch {
public:
    enum class Bands { never, where_quicker, always };

    LaneBatch(Scheme const & scheme, KernelTable const & kernels, Request const & request, LaneRules const & rules,
              LaneLosses & losses, LocatedPairs & located, Bands bands);

    // At most LaneRules::lanes() pairs, each of them taken by the rules, as indices of piece.pairs.  Puts their
    // answers, but for those that then wait, and those that are to go alone.
    void align(Piece const & piece, std::span<std::uint32_t const> which, AnswerWriter & writer);
    void align_waiting(Piece const & piece, AnswerWriter & writer);
    // Some of those whose paths come later, of all threads; false: there are none, or others see to them.
    bool align_located(Piece const & piece, LocatedPairs::Wanted wanted, AnswerWriter & writer)
    {
        return paths_.align_some(piece, wanted, writer);
    }
    // Those to go alone, from all calls since they were forgotten, of which there are few.
    std::span<std::uint32_t const> alone() const { return {alone_.which, alone_.count}; }
    void forget_alone() { alone_.count = 0; }
    // After a call that has lacked memory: of its pairs, and of those that wait, all go alone that have no answer.
    void give_up();

private:
    static constexpr std::size_t max_lanes = LaneRules::max_lanes;

    struct Open { // a pair that its band does not prove
        std::uint32_t which;
        std::int64_t score; // at least
    };

    void begin(Piece const & piece, std::span<std::uint32_t const> which);
    std::int64_t most_score(std::size_t lane) const;
    path::Band band_of(std::size_t lane, std::int64_t score) const;
    template <class ScoreOf>
    path::Band band_of_all(ScoreOf const & score_of) const;
    path::Band expected_band() const;
    bool is_slow_in_16_bits() const;
    void compute(path::Band const & band);
    void put(Piece const & piece, std::uint32_t which, std::size_t lane, AnswerWriter & writer);
    void wait(Piece const & piece, Open const & pair, AnswerWriter & writer);
    void give_up_group();
    void forget_waiting() { waiting_count_ = waiting_done_ = waiting_rows_ = waiting_cols_ = 0; }
    void load_letters();
    void describe(LaneGroup & group, path::Band const & band);
    void align_global(path::Band const & band);
    void align_local(path::Band const & band);
    void align_extend(path::Band const & band);
    bool locate(std::size_t lane);
    void walk(std::size_t lane);

    Scheme const & scheme_;
    KernelTable const & kernels_;
    Request const & request_;
    LaneRules const & rules_;
    LaneLosses & losses_;
    Bands const bands_;
    std::uint64_t groups_ = 0; // so far
    int width_ = 8;
    std::uint64_t lanes_ = 0, rows_ = 0, cols_ = 0;
    std::size_t count_ = 0;
    PairView pairs_[max_lanes];            // of the group
    std::span<std::uint32_t const> group_; // what of it has no answer, and is not open
    Open open_[max_lanes], waiting_[max_lanes];
    std::size_t open_count_ = 0, waiting_count_ = 0, waiting_done_ = 0;
    std::uint64_t waiting_rows_ = 0, waiting_cols_ = 0;
    LonePairs alone_;
    bool paths_later_ = false, in_doubt_ = false; // of the group
    LanePaths paths_;
    AlignedBuffer<std::uint8_t> query_, target_, trace_, state_;
    LaneGroup trace_of_; // where its bits are
    alignas(64) std::int32_t rows_of_[max_lanes], cols_of_[max_lanes];
    alignas(64) std::int32_t score_[max_lanes], end_row_[max_lanes], end_col_[max_lanes];
    CigarBuilder cigar_;
    PairResult answer_; // of one lane
};

} // namespace nwgpu::cpu
