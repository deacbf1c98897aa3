// SPDX-License-Identifier: BSD-3-Clause
// The answer for one pair, and for a batch of pairs.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/error.hpp"
#include "base/go_on.hpp"
#include "base/uninitialized.hpp"
#include "model/cigar.hpp"
#include "model/failures.hpp"
#include "model/mode.hpp"

namespace nwgpu {

class Team;

constexpr std::uint64_t no_position = UINT64_MAX;
// Of a pair that is known to have no score as high as Request::min_score, whatever that is.
constexpr std::int64_t too_low_score = INT64_MIN;

// 0-based, half open.
struct AlignedSpan {
    std::uint64_t query_begin = no_position, query_end = no_position;
    std::uint64_t target_begin = no_position, target_end = no_position;
    bool operator==(AlignedSpan const &) const = default;
};

// Where an alignment of m and n letters lies that is empty because nothing scores above 0 (Mode::may_be_empty).
inline AlignedSpan empty_span(std::uint64_t m, std::uint64_t n, Mode const & mode)
{
    return mode.extend_left ? AlignedSpan{m, m, n, n} : AlignedSpan{0, 0, 0, 0};
}

struct PairResult {
    std::int64_t score = 0;
    AlignedSpan span;
    Runs runs;
    std::vector<PairResult> more; // with Request::top: the alignments after the best
    bool operator==(PairResult const &) const = default;
};

// From where a result's arrays are, and where they return to, whenever the result ends.  Null: memory of their own.
struct ResultMemory {
    std::shared_ptr<KeptMemory> arrays, runs; // of these, a device writes runs itself
    bool has_short_turns = true;              // the engine lets the call's threads work often, and for a short time
};

// One entry per pair, or, where more alignments were asked for, one per alignment; a pair has at least one, and its
// entries are neighbours.  Arrays that were asked for are never null, not even those without entries.
struct BatchResult {
    Array<Status> status;             // [entries]
    Array<std::int64_t> score;        // [entries]
    Array<std::uint64_t> pair;        // [entries], ascending
    Array<AlignedSpan> span;          // [entries]; none with Output::score
    Runs runs;                        // all CIGARs, one after the other
    Array<std::uint64_t> run_offsets; // [entries + 1]; none without Output::cigar
    Failures failures;

    BatchResult() = default;
    // All but `runs`.
    explicit BatchResult(std::shared_ptr<KeptMemory> const & arrays);

    std::uint64_t count() const { return status.size(); }
    // Of the arrays but `runs`, per entry.
    static std::uint64_t bytes_per_entry(Output output);
    // One entry per pair, of the arrays that `output` asks for: its number, and that it is not aligned yet; nothing
    // else is written.  By the threads of the team, if there is one.
    void lay_out(std::uint64_t pairs, Output output, Team * team = nullptr, GoOn const & go_on = {});
    // Makes room for so many entries, and no more.
    void reserve(std::uint64_t entries, Output output);
};

} // namespace nwgpu
