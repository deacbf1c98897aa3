// SPDX-License-Identifier: BSD-3-Clause
// A piece of a call on the CPU: its tasks, and how each of them is computed, by how many threads and within what
// memory.
#pragma once

#include <string>

#include "backend/monitor.hpp"
#include "cpu/engine.hpp"
#include "cpu/pair/pair_plan.hpp"
#include "cpu/tasks.hpp"

namespace nwgpu::cpu {

// How a pair is computed.
enum class Way {
    all_threads, // by all of them, one pair after the other
    beside,      // by one thread, beside others
    alone        // by one thread, when the others have ended: for what lacks memory otherwise
};

class Work {
public:
    // All of them live longer than this.
    Work(Piece const & piece, Scheme const & scheme, KernelTable const & kernels, Tuning const & tuning, int threads);

    Piece const & piece() const { return piece_; }
    Scheme const & scheme() const { return scheme_; }
    KernelTable const & kernels() const { return kernels_; }
    Tuning const & tuning() const { return tuning_; }
    int threads() const { return threads_; }
    std::span<Task> tasks() { return tasks_.all(); }
    // Of the LaneBatch that each thread needs; 0: none.
    std::uint64_t lane_bytes() const { return tasks_.lane_bytes(); }

    std::uint64_t cells_of(Task const & task) const;
    // So many cells are worth the waiting of threads for each other.
    static bool is_long(double cells);
    // Of pairs that are not refused: all threads take the long ones together, if they can.
    Way way_of(double cells) const;
    // Throws Error memory_limit.
    PairPlan plan(PairView const & pair, Way way) const;
    // The plan in the way in which the pair is not refused.  Throws Error memory_limit.
    std::pair<PairPlan, Way> first_plan(PairView const & pair) const;

    // Puts the answers of a task; where memory is lacking but may be there in another way, marks it as refused.
    // `lanes` is needed for groups.
    void align(Task & task, Way way, LaneBatch * lanes, AnswerWriter & writer, Monitor & monitor) const;

private:
    void align_group(Task const & task, LaneBatch & lanes, AnswerWriter & writer, Monitor & monitor) const;
    // False where memory is lacking and `may_refuse`; else the pair has an answer or a failure.
    bool align_pair(std::uint64_t p, Way way, bool may_refuse, AnswerWriter & writer, Monitor & monitor) const;

    Piece const piece_;
    Scheme const & scheme_;
    KernelTable const & kernels_;
    Tuning const & tuning_;
    int const threads_;
    std::uint64_t memory_ = 0; // for all threads; 0: no limit
    std::uint64_t share_ = 0;  // of it, for one pair beside others
    Tasks tasks_;
};

// What align() will take, some of it measured.
Estimate estimate(Work & work, Team & team);

} // namespace nwgpu::cpu
