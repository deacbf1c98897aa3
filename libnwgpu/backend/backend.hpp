// SPDX-License-Identifier: BSD-3-Clause
// What an engine can do.  cpu/ and cuda/ implement it; align/ chooses one; they never include each other.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "backend/pair_queue.hpp"
#include "model/answers.hpp"
#include "model/batch.hpp"
#include "model/mode.hpp"
#include "model/scoring.hpp"

namespace nwgpu {

// Called now and then on the calling thread; returns false to stop (the engine then throws Error cancelled).  Does not
// throw: capi/ sees to it.
using Progress = std::function<bool(std::uint64_t cells_done, std::uint64_t cells_total)>;

class Monitor;
class RowEngine;

// What an engine is given: some pairs of a call.
struct Piece {
    Batch const & batch; // of the whole call
    // To align, ascending; both sequences have letters, all of them valid where they are codes.
    std::span<std::uint64_t const> pairs;
    Scoring const & scoring;
    Request const & request;
    std::uint64_t max_host_bytes = 0; // that may be allocated for it, beside its places; 0: no limit
    // Null: all pairs are the engine's.  Else it answers those that it takes from here, where others take theirs.
    PairQueue::Taker * queue = nullptr;
};

struct Estimate {
    std::uint64_t cells = 0;
    std::uint64_t host_bytes = 0; // upper bound of what align() allocates
    std::uint64_t device_bytes = 0;
    double seconds = 0;
    std::string plan;   // for people, one line per group of pairs
    bool alone = false; // of one pair: RowEngine::align_if_similar() will do it, however many places there are
};

class Backend {
public:
    virtual ~Backend() = default;

    virtual std::string name() const = 0; // "cpu:avx3"
    virtual int threads() const = 0;
    virtual Estimate estimate(Piece const & piece) = 0;
    // Throws Error memory_limit where max_host_bytes is too low for one of the pairs, even if it is aligned alone.
    virtual void check_memory(Piece const & piece) = 0;
    // Whether align() wants sequences as letters and makes codes itself: then nobody has looked for invalid letters.
    virtual bool takes_letters(Scoring const &, Request const &) { return false; }
    // Of their letters, the part that it has kept from earlier calls, 0 to 1: predictions count copies of the others.
    virtual double kept_part(CodedSequences const &) { return 0; }
    // Whether align() knows Piece::queue.
    virtual bool takes_turns(Scoring const &, Request const &) { return false; }
    // Whether it gains by a least score, also in small pieces.
    virtual bool gives_up_early() const { return false; }
    // Whether it gains where two queries of nearly equal length have many targets in common, in one piece.
    virtual bool gains_by_common_targets(Scoring const &, Request const &) { return false; }
    // Puts the answer of every pair of the piece, or why it failed, into its place.  Throws Error only when the call as
    // a whole cannot go on; pairs that have no answer then stay open.
    virtual void align(Piece const & piece, Monitor & monitor, Answers & answers) = 0;
    // Answers those of the pairs, codes, whose sequences it finds to be similar, and for which it then needs few cells;
    // leaves what it has not got after so many seconds.  Returns the others, in order.
    virtual std::vector<std::uint64_t> align_similar(Piece const & piece, Monitor &, Answers &, double)
    {
        return {piece.pairs.begin(), piece.pairs.end()};
    }
    // Aligns the pairs, codes, to see how long that takes.  Infinity: longer than `most`, or nobody knows.  The monitor
    // hears of no cells.
    virtual double measured_seconds(Piece const &, double, Monitor &)
    {
        return std::numeric_limits<double>::infinity();
    }
    virtual void trim() = 0; // give cached workspace back
    // For results whose pairs it aligns, without a limit of host memory.
    virtual ResultMemory result_memory() { return {}; }
    // For pairs whose rows are dealt out (row_share.hpp); null: it has whole pairs only.
    virtual RowEngine * row_engine() { return nullptr; }
};

} // namespace nwgpu
