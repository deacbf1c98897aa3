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
    bool operator==(PairResult const &) const = default;
};

struct BatchResult {
    std::vector<Status> status;                   // [pairs]
    std::vector<std::int64_t> score;              // [pairs]
    std::vector<AlignedSpan> span;                // [pairs]
    std::vector<std::uint32_t> runs;              // all CIGARs, pair after pair
    std::vector<std::uint64_t> run_offsets;       // [pairs + 1]
    std::map<std::uint64_t, std::string> message; // of failed pairs only

    std::uint64_t count() const { return status.size(); }
    // No runs, no positions, score 0, all ok.
    void reset(std::uint64_t pairs);
    void fail(std::uint64_t pair, Status why, std::string const & what);
};

// Lays the answers of all pairs out as flat arrays, as much of them as was asked for; failed pairs keep their status.
void collect(std::vector<PairResult> const & results, Request const & request, BatchResult & result);

// Pair where[k] of `whole` becomes pair k of `part`; where an index occurs twice, the last one counts.
void replace_pairs(BatchResult & whole, BatchResult const & part, std::span<std::uint64_t const> where);

} // namespace nwgpu
