// SPDX-License-Identifier: BSD-3-Clause
// Local scores of queries that have many targets each, with a matrix: targets of nearly equal lengths side by side, one
// per lane of 8 bits (query_lanes.hpp).  All threads of a call take groups of them.  Pairs whose scores leave 8 bits,
// and those that are too few for the lanes, are left to others.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "backend/backend.hpp"
#include "backend/monitor.hpp"
#include "base/aligned_buffer.hpp"
#include "base/team.hpp"
#include "base/uninitialized.hpp"
#include "cpu/batch/query_lanes.hpp"
#include "cpu/kernels/kernels.hpp"
#include "model/answers.hpp"

namespace nwgpu::cpu {

// Of a thread, from call to call.
struct QueryMemory {
    AlignedBuffer<std::uint8_t> target;
    AlignedBuffer<std::int8_t> state, profile;
};

class QueryBatch {
public:
    // Whether the kernel has these scores, and tells what is asked for.
    static bool takes(Scoring const & scoring, Request const & request);

    // Of a query; fewer are left to others.
    static std::size_t least_pairs(KernelTable const & kernels, bool forced)
    {
        return forced ? 1 : std::max<std::size_t>(2, static_cast<std::size_t>(kernels.lanes) / 6);
    }

    // Upper bound of what is allocated for a piece that it takes by so many threads.
    static std::uint64_t bytes(Piece const & piece, KernelTable const & kernels, std::uint64_t threads);

    // Of calls that it takes; the piece outlives this.  `forced`: however few pairs there are for the lanes and the
    // threads.
    QueryBatch(Piece const & piece, KernelTable const & kernels, bool forced, Team & team);

    // None: all pairs are left to others.
    std::size_t groups() const { return groups_.size(); }
    // Takes part, on any number of threads at the same time, until no group is left.  Puts the answers of some pairs.
    void work(QueryMemory & memory, AnswerWriter & writer, Monitor & monitor);
    // When all have ended: writes pairs without an answer to `to`, in the order in which they were given, and returns
    // how many those are.
    std::size_t others(std::span<std::uint64_t> to) const;

    // For predictions.  Computes a group, one of middle lengths first, whose answers go nowhere; the part of its pairs
    // that has some.
    double try_group(std::size_t k, QueryMemory & memory, Monitor & monitor);
    // Cells, with those beyond the ends of shorter targets: of that group, and of the thread that has most of them,
    // where there are so many.
    double cells_of(std::size_t k) const { return cells_of(from_middle(k)); }
    double cells_of_thread(std::size_t threads) const;
    // The part of all pairs' cells that is in groups.
    double part_in_groups() const;
    std::uint64_t workspace() const; // of a thread

private:
    struct Group { // entries, of one query
        std::uint32_t begin = 0, count = 0;
        std::uint64_t letters = 0; // of their targets
    };

    Group const & from_middle(std::size_t k) const { return groups_[(groups_.size() / 2 + k) % groups_.size()]; }
    void find_groups(bool forced);
    bool are_quicker(std::size_t threads) const;
    std::uint64_t pair_of(std::uint64_t entry) const { return piece_.pairs[static_cast<std::uint32_t>(entry)]; }
    // Returns how many pairs have an answer.
    std::size_t align(Group const & group, QueryMemory & memory, AnswerWriter & writer, Monitor & monitor);
    PairView longest(Group const & group) const { return piece_.batch.view(pair_of(entries_[group.begin])); }
    double cells_of(Group const & group) const { return static_cast<double>(longest(group).cells() * lanes_); }
    void leave_out_behind(std::size_t group);

    Piece const & piece_;
    KernelTable const & kernels_;
    std::size_t const lanes_;
    alignas(64) std::int8_t table_[QueryLanes::most_letters * QueryLanes::table_stride];
    // Of pairs: in the upper half the number of a stretch of neighbours with the same query, and by how much the target
    // is shorter than the longest that there may be; in the lower one the pair's index.  Ascending.
    Array<std::uint64_t> entries_;
    std::vector<Group> groups_;
    std::atomic<std::size_t> next_{0};     // group
    std::atomic<std::size_t> left_out_{0}; // groups before this one that are not begun yet stay so
    std::vector<std::uint8_t> answered_;   // by index
};

} // namespace nwgpu::cpu
