// SPDX-License-Identifier: BSD-3-Clause
// Global alignments of small pairs, one per lane of a vector, with all of their cells or in a proven band: parts of a
// longer pair.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "backend/monitor.hpp"
#include "base/aligned_buffer.hpp"
#include "cpu/batch/lane_letters.hpp"
#include "cpu/kernels/kernels.hpp"
#include "cpu/kernels/lane_groups.hpp"
#include "cpu/kernels/scheme.hpp"
#include "model/batch.hpp"
#include "model/cigar.hpp"
#include "model/result.hpp"

namespace nwgpu::cpu {

class SmallPairs {
public:
    static constexpr std::uint64_t most_letters = 256; // of a sequence

    // Of a scheme that BandBatch takes; both live longer than this.
    SmallPairs(Scheme const & scheme, KernelTable const & kernels) : scheme_{scheme}, kernels_{kernels} {}

    struct Answer {
        std::int64_t score = 0;
        std::uint64_t first_run = 0;
        std::uint32_t runs = 0;
    };
    // Of pairs without an empty sequence.  `known`: what they score at least, which leaves a band; empty: not known.
    // `style`: of their paths; null: scores alone.  Runs stay until clear().
    // Ends early, without some answers, if the caller has stopped.
    void align(std::span<PairView const> pairs, std::span<std::int64_t const> known, CigarStyle const * style,
               std::span<Answer> answers, Monitor & monitor);
    // The same of a path that is known.
    Answer keep(std::int64_t score, std::span<std::uint32_t const> runs);
    std::span<std::uint32_t const> runs(Answer const & answer) const
    {
        return std::span{path_.runs}.subspan(answer.first_run, answer.runs);
    }
    void clear() { path_.runs.clear(); }

    // Upper bound of what is allocated, but for runs.
    static std::uint64_t bytes(std::uint64_t pairs);

private:
    void align_group(std::span<PairView const> all, std::span<std::int64_t const> known,
                     std::span<std::uint32_t const> which, CigarStyle const * style, std::span<Answer> answers);
    std::size_t lanes() const { return static_cast<std::size_t>(kernels_.lanes); }

    Scheme const & scheme_;
    KernelTable const & kernels_;
    std::vector<std::uint32_t> order_;
    AlignedBuffer<std::uint8_t> query_, target_, state_, trace_;
    PairView pairs_[LaneLetters::most_lanes]; // of a group
    alignas(64) std::int32_t rows_of_[LaneLetters::most_lanes], cols_of_[LaneLetters::most_lanes],
        score_[LaneLetters::most_lanes], end_row_[LaneLetters::most_lanes], end_col_[LaneLetters::most_lanes];
    CigarBuilder cigar_;
    PairResult path_; // the runs of all
};

} // namespace nwgpu::cpu
