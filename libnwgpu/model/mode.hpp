// SPDX-License-Identifier: BSD-3-Clause
// What is asked for: which ends are free, how much of the answer, in which CIGAR style.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace nwgpu {

// The cells (i, j) with lower <= j - i <= upper, target minus query, both inclusive: 0 is the main diagonal, positive
// ones lie towards the target's end.
struct Diagonals {
    std::int64_t lower = 0, upper = 0;
    bool operator==(Diagonals const &) const = default;
    bool hold(std::uint64_t i, std::uint64_t j) const
    {
        auto const d = static_cast<std::int64_t>(j) - static_cast<std::int64_t>(i);
        return lower <= d && d <= upper;
    }
};

// Which of several best alignments (docs/exactness.md).
enum class Ties : std::int32_t {
    first = 0,     // the first end; diagonal, insertion, deletion
    last_end = 1,  // the last end, and the same path to it
    gaps_first = 2 // the last end; deletion, insertion, diagonal
};

// Which paths are allowed, and which of the best is chosen.  Global: none of the flags.  `local`, `extend` and
// `extend_left` stand alone.
struct Mode {
    bool local = false;              // from any cell to any cell
    bool free_query_begin = false;   // H(i, 0) = 0
    bool free_query_end = false;     // the path may end in any row of the last column
    bool free_target_begin = false;  // H(0, j) = 0
    bool free_target_end = false;    // the path may end in any column of the last row
    std::optional<Diagonals> band{}; // cells outside do not exist
    Ties ties = Ties::first;
    bool extend = false;      // from the origin to any cell
    bool extend_left = false; // from any cell to (m, n)

    bool operator==(Mode const &) const = default;
    bool global() const { return *this == Mode{}; }
    bool begins_anywhere() const { return local || extend_left; } // H is 0 at least
    bool ends_anywhere() const { return local || extend; }
    // Without a positive score such an alignment is empty.
    bool may_be_empty() const { return local || extend || extend_left; }
    bool is_extension() const { return extend || extend_left; }
    bool has_usual_rules() const { return !band && ties == Ties::first; }
};

enum class Output : std::int32_t { score = 0, end = 1, span = 2, cigar = 3 };
enum class CigarStyle : std::int32_t { eqx = 0, m = 1 };

constexpr std::int64_t no_min_score = INT64_MIN;

// Where a long run saves what it has, to go on there after it was killed (checkpoint/folder.hpp).
struct CheckpointRequest {
    std::string folder; // empty: none
    bool resume = false;
    double seconds = 60; // of work between two files, at least
};

struct Request {
    Mode mode;
    Output output = Output::score;
    CigarStyle style = CigarStyle::eqx;
    // Local: so many alignments a pair, best first, no two of which align the same two letters (docs/exactness.md).
    std::uint32_t top = 1;
    bool every_cell = false; // no band, no skipping: for comparisons; the answer is the same
    // A pair whose best score is lower gets the status below_min_score in place of an answer; of several alignments per
    // pair, lower ones are left out.
    std::int64_t min_score = no_min_score;
    CheckpointRequest checkpoint{};

    // The same, with the usual tie rule where the answer does not depend on it: all rules give the same score, those of
    // Ties::first and last_end the same path to an end, and without a path there is nothing else.
    Request simplified() const
    {
        bool const one_end = !mode.ends_anywhere() && !mode.free_query_end && !mode.free_target_end;
        Request simple = *this;
        if (output == Output::score || (one_end && (output == Output::end || mode.ties == Ties::last_end)))
            simple.mode.ties = Ties::first;
        return simple;
    }
};

} // namespace nwgpu
