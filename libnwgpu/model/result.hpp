// SPDX-License-Identifier: BSD-3-Clause
// The answer for one pair, and for a batch of pairs.
#pragma once

#include <cstdint>
#include <vector>

#include "base/error.hpp"
#include "model/failures.hpp"
#include "model/mode.hpp"

namespace nwgpu {

constexpr std::uint64_t no_position = UINT64_MAX;

// 0-based, half open.
struct AlignedSpan {
    std::uint64_t query_begin = no_position, query_end = no_position;
    std::uint64_t target_begin = no_position, target_end = no_position;
    bool operator==(AlignedSpan const &) const = default;
};

struct PairResult {
    std::int64_t score = 0;
    AlignedSpan span;
    std::vector<std::uint32_t> runs;
    std::vector<PairResult> more; // with Request::top: the alignments after the best
    bool operator==(PairResult const &) const = default;
};

// One entry per pair, or, where more alignments were asked for, one per alignment; a pair has at least one, and its
// entries are neighbours.  Arrays that were asked for are never null, not even those without entries.
struct BatchResult {
    std::vector<Status> status;             // [entries]
    std::vector<std::int64_t> score;        // [entries]
    std::vector<std::uint64_t> pair;        // [entries], ascending
    std::vector<AlignedSpan> span;          // [entries]; none with Output::score
    std::vector<std::uint32_t> runs;        // all CIGARs, one after the other
    std::vector<std::uint64_t> run_offsets; // [entries + 1]; none without Output::cigar
    Failures failures;

    std::uint64_t count() const { return status.size(); }
    // Of the arrays but `runs`, per entry.
    static std::uint64_t bytes_per_entry(Output output);
    // One entry per pair, of the arrays that `output` asks for: no runs, no positions, score 0, not aligned yet.
    void lay_out(std::uint64_t pairs, Output output);
    // Makes room for so many entries, and no more.
    void reserve(std::uint64_t entries, Output output);
};

} // namespace nwgpu
