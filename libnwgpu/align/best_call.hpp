// SPDX-License-Identifier: BSD-3-Clause
// A call that asks for the best pairs of each query: section by section, of a million pairs each, their scores, of
// which the best are kept; then what is asked for of the chosen pairs.  Each section is a call with a frame of its own,
// and so are the chosen pairs.  A query of many pairs has small sections of its own, and all but the first of them
// have a least score: that of the last of its best so far.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "align/best_of_query.hpp"
#include "align/frame.hpp"
#include "align/pairs_by_query.hpp"

namespace nwgpu {

struct BestResult {
    BatchResult value;                  // its pairs are these:
    Array<Pair> pairs;                  // [entries]: of each query in turn its best, and then those that failed
    std::vector<std::uint64_t> numbers; // [entries]: of these pairs in the call
};

// How many pairs sections have.
struct Sections {
    std::uint64_t most = std::uint64_t{1} << 20; // a piece of its frame, which keeps a GPU busy
    // Of one query alone where it has many pairs: few, as the scores of each one say which of the next pairs matter,
    // but groups of similar lengths; what they take stays in the caches.
    std::uint64_t own = 4096;
};

class BestCall {
public:
    // All of them live longer than this; the request has neither several alignments nor a checkpoint.
    // `max_host_bytes` as for a frame.
    BestCall(Backend & backend, Team & team, CodedSequences const & queries, CodedSequences const & targets,
             PairsByQuery const & pairs, Scoring const & scoring, Request const & request, Best const & best,
             std::uint64_t max_host_bytes, Sections const & sections = {});

    // These are as a frame's.
    Estimate estimate();
    BestResult align(Progress const & progress);

private:
    class WholeProgress;
    struct Entries { // that a call may have
        std::uint64_t all = 0, failed = 0;
        std::uint64_t held = 0; // while scores come in
    };

    Frame frame(std::span<Pair const> pairs, Request const & request, std::uint64_t taken);
    Request scores_only(std::int64_t min_score) const;
    Entries most_entries() const;
    std::uint64_t bytes() const;
    Entries entries_now() const { return {chosen_.size(), failed_, of_query_.count()}; }
    std::uint64_t bytes_to_insert(Entries const & entries) const;
    std::uint64_t bytes_of(Entries const & entries) const;
    void check_limit(Entries const & entries) const;
    std::uint64_t section_pairs() const;
    bool may_raise_min_score() const;
    bool wants_whole_queries() const;
    std::uint64_t end_of_whole_queries(std::uint64_t begin) const;
    std::uint64_t own_section_pairs() const;
    std::uint64_t section_end(std::uint64_t begin) const;
    std::int64_t min_score(std::uint64_t end);
    void end_query();
    void put_in_order();
    void go_to(std::uint64_t position);
    std::uint64_t cells(Pair const & pair) const { return queries_.length(pair.query) * targets_.length(pair.target); }
    double cells(std::span<Pair const> pairs) const;
    double cells() const;

    std::uint64_t lay_out_section(std::uint64_t first, std::uint64_t last);
    void choose(std::uint64_t first, BatchResult const & scores);
    void choose_of_query(std::uint64_t begin, std::uint64_t end, std::uint64_t first, BatchResult const & scores);
    void choose_by_team(std::uint64_t begin, std::uint64_t end, std::uint64_t first, BatchResult const & scores);
    BatchResult scores_of_chosen() const;
    BatchResult align_chosen(Array<Pair> const & pairs, Progress const & progress);
    void insert_failed(BatchResult & result) const;
    Array<Pair> longest(std::uint64_t per_query) const;
    Array<Pair> typical_section() const;

    Backend & backend_;
    Team & team_;
    CodedSequences const & queries_;
    CodedSequences const & targets_;
    PairsByQuery const & pairs_;
    Scoring const & scoring_;
    Request const request_;
    Best const best_;
    std::uint64_t const limit_;
    Sections const sections_;

    Array<Pair> section_;
    std::uint64_t query_ = 0;         // whose pairs come now, by rank
    BestOfQuery of_query_;            // of these
    std::deque<Chosen> chosen_;       // of the queries before; a deque is never copied while it grows
    std::vector<std::uint64_t> ends_; // of each query's there, by rank, where ranks are not numbers
    std::uint64_t failed_ = 0;        // so far
    Failures failures_;               // by position
};

} // namespace nwgpu
