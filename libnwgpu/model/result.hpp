// SPDX-License-Identifier: BSD-3-Clause
// The answer for one pair, and for a batch of pairs.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "base/error.hpp"
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

// One entry a pair, or, where more alignments were asked for, one for each alignment; a pair has at least one, and its
// entries are neighbours.
struct BatchResult {
    std::vector<Status> status;                   // [entries]
    std::vector<std::int64_t> score;              // [entries]
    std::vector<AlignedSpan> span;                // [entries]
    std::vector<std::uint32_t> runs;              // all CIGARs, one after the other
    std::vector<std::uint64_t> run_offsets;       // [entries + 1]
    std::vector<std::uint64_t> pair;              // [entries], ascending
    std::map<std::uint64_t, std::string> message; // of failed pairs only, by pair

    std::uint64_t count() const { return status.size(); }
    // One entry a pair: no runs, no positions, score 0, all ok.
    void reset(std::uint64_t pairs);
    // Before pairs have several entries.
    void fail(std::uint64_t pair, Status why, std::string const & what);
    // The first entry of every pair, and count().
    std::vector<std::uint64_t> first_entries() const;
};

// Lays the answers of all pairs out as flat arrays, as much of them as was asked for; failed pairs keep their status.
void collect(std::vector<PairResult> const & results, Request const & request, BatchResult & result);

// All entries of pair where[k] of `whole` become those of pair k of `part`; where an index occurs twice, the last one
// counts.
void replace_pairs(BatchResult & whole, BatchResult const & part, std::span<std::uint64_t const> where);

} // namespace nwgpu
