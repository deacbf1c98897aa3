// SPDX-License-Identifier: BSD-3-Clause
// The way of answers into the arrays of a result, collected once: engines put each pair's answer into its place, on any
// number of threads, and CIGARs into blocks; when a piece of the call is done, the CIGARs are laid one after the other.
//
//     frame     begin(piece)                                                end()      next piece ... finish()
//     engines                 AnswerWriter::put(pair, ...), fail(pair, ...)
//
// Scores and spans are written where they stay.  The place of a pair's runs is known before their offset is, so that
// offsets are sums of lengths, and threads may copy the runs of different pairs at the same time.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "model/mode.hpp"
#include "model/result.hpp"

namespace nwgpu {

class Answers {
public:
    // What it takes beside the result, while a piece is worked on: per pair, and per run that the pair may have.
    static std::uint64_t bytes_per_pair(Request const & request);
    static constexpr double bytes_per_run = sizeof(std::uint32_t) * (1 + 1.0 / 4 + 1.0 / 15);

    // Lays `result` out for so many pairs.  What is done for all of them is done by the threads of the team, if there
    // is one.  `run_memory`, if any, is page-locked.  Error cancelled once go_on(), if any, is false.
    Answers(BatchResult & result, std::uint64_t pairs, Request const & request, Team * team = nullptr,
            std::shared_ptr<KeptMemory> run_memory = nullptr, GoOn const & go_on = {});
    Answers(Answers const &) = delete;

    // For the frame.  Places for the pairs first .. last - 1, behind those of the piece before, which have `most_runs`
    // runs at most and are written by `writers` threads at most.
    void begin(std::uint64_t first, std::uint64_t last, std::uint64_t most_runs, int writers);
    void end();
    void finish();
    std::uint64_t failure_bytes() const { return result_.failures.bytes(); }
    std::uint64_t run_count() const { return run_count_; } // of the pieces that have ended
    // The numbers first .. last - 1, which lie in the result; none with several alignments per pair.
    std::span<std::uint64_t const> pairs(std::uint64_t first, std::uint64_t last) const
    {
        return several_ ? std::span<std::uint64_t const>{} : std::span{result_.pair}.subspan(first, last - first);
    }

    // Where the runs of some pairs are to lie one after the other.
    struct Place {
        std::uint32_t * runs = nullptr; // until end()
        bool page_locked = false;       // a device may write them
        bool in_order = false;          // where they stay, for AnswerWriter::put_next(); else for put()
        std::uint64_t offset = 0;       // of the first of them, if they are in order
    };
    // For engines that together are given all pairs of the piece and answer them chunk by chunk; each was given so
    // many. On any thread.  For a chunk of pairs, from `first` on.  Null: the engine was not given all, pairs before
    // these have no place, or answers may be dropped.
    Place next_runs(std::uint64_t given, std::uint64_t first, std::uint64_t pairs, std::uint64_t runs);
    // Whether next_runs() may have a place for the chunk later: chunks before it have none yet, and are to ask.
    bool is_early(std::uint64_t given, std::uint64_t first);
    // The chunk that begins with this pair, or all that have no place yet, will not ask: those behind it go another
    // way.
    void end_order(std::uint64_t first = 0);
    // The place that next_runs() gave such a chunk is not wanted: its pairs go another way, and those behind it, too.
    void take_back(Place const & place, std::uint64_t pairs, std::uint64_t runs);
    // When put_next() was called for all pairs of the chunk that has the place, and its runs are there.
    void keep_next(Place const & place, std::uint64_t first, std::uint64_t pairs);
    // For any pairs, by an engine that lends memory for runs.
    Place other_runs(std::uint64_t runs);
    // While such an engine waits: makes some of the pages that the next runs will lie in.  False: there are enough.
    bool make_pages();

    // For engines, on any thread.
    // Memory for runs, until end().
    std::uint32_t * new_block(std::size_t runs);
    void fail(std::uint64_t pair, Status why, std::string const & what);
    void fail_letter(std::uint64_t pair, Failures::Side side, std::uint8_t letter, std::uint64_t position);
    // Whether the pair has neither an answer nor a failure.  Of one pair not at the same time as a put() or fail().
    bool is_open(std::uint64_t pair) const
    {
        return (several_ ? statuses_[pair - first_] : result_.status[pair]) == not_aligned;
    }

    // Sees failures first; true: the pair stays open, for another engine.
    using Rescue = std::function<bool(std::uint64_t pair, Status why, std::string const & what)>;
    // Returns the one before.
    Rescue set_rescue(Rescue rescue) { return std::exchange(rescue_, std::move(rescue)); }

private:
    friend class AnswerWriter;

    static constexpr Status not_aligned = Status::internal;
    // The status tells all: there is no text of why.
    void put_below_min_score(std::uint64_t pair);
    void clear(std::uint64_t pair);

    Status & status_of(std::uint64_t pair) { return several_ ? statuses_[pair - first_] : result_.status[pair]; }
    bool is_one_pair() const { return last_ - first_ == 1; }
    void keep(Runs && runs);
    bool takes_in_order(std::uint64_t given) const;
    void begin_runs();
    void make_pages(std::uint64_t runs);
    bool may_keep(std::uint64_t runs_of_call) const;
    void grow_runs(std::uint64_t needed);
    void make_room(std::uint64_t runs);
    std::uint64_t ordered_pairs();
    void give_places();
    void close_runs();
    void lay_out_runs();
    void copy_places();
    void append_entries();

    BatchResult & result_;
    Team * const team_;
    Output const output_;
    bool const several_; // alignments per pair
    std::int64_t const min_score_;
    std::shared_ptr<KeptMemory> const run_memory_;

    // Of the piece.
    std::uint64_t first_ = 0, last_ = 0;
    std::size_t block_runs_ = 0;
    std::uint64_t most_runs_ = 0;
    Array<std::span<std::uint32_t const>> places_; // of the runs; none of one pair
    Runs runs_;                                    // one after the other
    bool page_locked_ = false;                     // these
    std::uint64_t base_ = 0;                       // runs of the result before these
    std::uint64_t next_ = 0;                       // pairs whose runs have a place among these
    std::uint64_t order_end_ = no_pair;            // from this pair on none gets one
    struct Stretch {                               // pairs whose runs are in their place
        std::uint64_t first, pairs, offset;
    };
    std::vector<Stretch> ordered_;
    std::uint64_t in_order_ = 0; // at the end: of those, the first that are without a gap
    std::uint64_t made_ = 0;     // runs whose pages have been written to
    struct Outgrown {            // by the runs
        Runs runs;
        std::uint64_t first; // of those that are here and not in an earlier one
    };
    std::vector<Outgrown> outgrown_;
    std::mutex order_mutex_;       // of what is in order, until end()
    std::vector<Status> statuses_; // of several alignments: here, with the answers
    std::vector<PairResult> answers_;
    std::mutex mutex_; // of what follows
    std::vector<std::unique_ptr<std::uint32_t[]>> blocks_;
    std::vector<Runs> kept_;
    bool others_lent_ = false; // some of other_runs()
    Rescue rescue_;

    std::uint64_t run_count_ = 0;
    std::vector<Runs> later_; // runs of the pieces behind the first
};

// One thread's hand.
class AnswerWriter {
public:
    // Null: all is dropped, as an engine wants it that measures itself.
    explicit AnswerWriter(Answers * answers) : answers_{answers} {}

    // Of a pair of the piece, by one thread at a time; the last put() or fail() counts.  May take the answer's vectors.
    // An answer below Request::min_score becomes its status here.
    void put(std::uint64_t pair, PairResult & answer);
    // One alignment per pair, of those that Answers::next_runs() has made room for; its runs end before this offset.
    void put_next(std::uint64_t pair, std::int64_t score, AlignedSpan const & span, std::uint64_t end);
    // One alignment per pair; `runs` lie in a block of Answers::new_block().
    void put(std::uint64_t pair, std::int64_t score, AlignedSpan const & span, std::span<std::uint32_t const> runs);
    void fail(std::uint64_t pair, Status why, std::string const & what)
    {
        if (answers_)
            answers_->fail(pair, why, what);
    }

private:
    std::span<std::uint32_t const> store(Runs & runs);

    Answers * answers_;
    std::uint32_t * free_ = nullptr;
    std::size_t left_ = 0; // runs
};

} // namespace nwgpu
