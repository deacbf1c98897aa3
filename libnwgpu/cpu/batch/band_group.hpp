// SPDX-License-Identifier: BSD-3-Clause
// Global pairs in the lanes of one vector, computed in a band (lane_groups.hpp), with their paths; which pairs, and how
// wide a band, BandBatch says.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "backend/monitor.hpp"
#include "base/aligned_buffer.hpp"
#include "cpu/batch/lane_letters.hpp"
#include "cpu/furthest/penalties.hpp"
#include "cpu/kernels/kernels.hpp"
#include "cpu/kernels/lane_groups.hpp"
#include "cpu/kernels/scheme.hpp"
#include "model/answers.hpp"
#include "model/batch.hpp"
#include "model/cigar.hpp"
#include "model/mode.hpp"
#include "model/result.hpp"

namespace nwgpu::cpu {

// What a thread keeps from group to group, and from call to call.
struct BandMemory {
    AlignedBuffer<std::uint8_t> query, target, state, trace;

    std::size_t bytes() const { return query.bytes() + target.bytes() + state.bytes() + trace.bytes(); }
};

// Work of one thread.
class BandGroup {
public:
    static constexpr std::size_t most_lanes = LaneLetters::most_lanes;
    // Of a band's rows, those before and behind the one that the pair's ends are on whose distance from it is at most
    // this have trace bits: as far as paths hardly go.
    static std::uint64_t kept_for(std::uint64_t half_width, Penalties const & penalties);
    // Upper bound of what a thread allocates for pairs of no more letters than this, but for their CIGARs.
    static std::uint64_t workspace(std::uint64_t longest);

    BandGroup(Scheme const & scheme, KernelTable const & kernels, Request const & request, BandMemory & memory) :
        scheme_{scheme},
        penalties_{Penalties::of(scheme.scoring())},
        kernels_{kernels},
        request_{request},
        memory_{memory}
    {}

    struct Member {
        std::uint64_t pair;  // of the batch
        std::uint32_t entry; // by which BandBatch knows it
    };
    // Takes pairs into lanes, from the first one on; returns how many it has taken or left out, because the band of the
    // others is too narrow for where they end.  No pair is empty.
    std::size_t fill(Batch const & batch, std::span<Member const> pairs, std::uint64_t half_width);
    std::size_t count() const { return count_; }
    std::uint64_t columns() const { return job_.cols; }

    // What became of a pair.
    struct Outcome {
        std::uint32_t entry;
        enum { answered, unproven, left } what; // left: its path leaves the rows that have trace bits
        std::uint64_t half_width;               // that proves its score
    };
    // Computes them, and puts the answers.  Of those that are put the entries in `answered` become 1, even if memory
    // ends behind them.
    std::span<Outcome const> compute(AnswerWriter & writer, std::span<std::uint8_t> answered, Monitor & monitor);

private:
    void keep_rows(std::uint64_t half_width);
    void load_letters();
    bool walk(std::size_t lane);
    std::size_t lanes() const { return static_cast<std::size_t>(kernels_.lanes); }

    Scheme const & scheme_;
    Penalties const penalties_;
    KernelTable const & kernels_;
    Request const & request_;
    BandMemory & memory_;

    std::uint64_t kept_factor_ = 1;
    std::size_t count_ = 0;
    Member members_[most_lanes];
    PairView pairs_[most_lanes];
    alignas(64) std::int32_t rows_of_[most_lanes], cols_of_[most_lanes], score_[most_lanes], end_row_[most_lanes],
        end_col_[most_lanes];
    BatchGlobalGroup job_;
    Outcome outcomes_[most_lanes];
    CigarBuilder cigar_;
    PairResult answer_;
};

} // namespace nwgpu::cpu
