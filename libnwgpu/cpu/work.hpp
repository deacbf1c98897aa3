// SPDX-License-Identifier: BSD-3-Clause
// A piece of a call on the CPU: its tasks, and how each of them is computed, by how many threads and within what
// memory.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "backend/monitor.hpp"
#include "cpu/engine.hpp"
#include "cpu/furthest/align_furthest.hpp"
#include "cpu/furthest/furthest_plan.hpp"
#include "cpu/landmarks/align_by_landmarks.hpp"
#include "cpu/pair/pair_plan.hpp"
#include "cpu/pair/word_band.hpp"
#include "cpu/tasks.hpp"

namespace nwgpu::cpu {

// What a pair is given.
struct Means {
    int threads = 1;             // at most; others may come to the one that has the pair
    std::uint64_t max_bytes = 0; // of its plan; 0: no limit
    std::uint64_t bytes = 0;     // what it takes of the memory of all pairs that are at work, where that has a limit
    bool alone = false;          // when all others have ended: it lacks memory beside their workspace
};

// Workspace of a thread.
struct ThreadMemory {
    explicit ThreadMemory(FurthestMemory & kept) : furthest{kept} {}

    std::unique_ptr<LaneBatch> lanes; // for groups
    FurthestMemory & furthest;
    ByLandmarks landmarks;
};

class Work {
public:
    // Pairs that are to be aligned by landmarks alone, if they can be, get no answer else.
    enum class Ways { all, landmarks };
    // All of them live longer than this.
    Work(Piece const & piece, Scheme const & scheme, KernelTable const & kernels, Tuning const & tuning,
         LaneLosses & losses, Team & team, Ways ways = Ways::all);

    Piece const & piece() const { return piece_; }
    Scheme const & scheme() const { return scheme_; }
    KernelTable const & kernels() const { return kernels_; }
    Tuning const & tuning() const { return tuning_; }
    int threads() const { return threads_; }
    std::span<Task> tasks() { return tasks_.all(); }
    std::span<Task const> tasks() const { return tasks_.all(); }
    // Of the LaneBatch that each thread needs; 0: none.
    std::uint64_t lane_bytes() const { return tasks_.lane_bytes(); }
    std::uint64_t memory() const { return memory_; } // for all; 0: no limit
    // For pairs that are at work at the same time; 0: no limit.
    std::uint64_t memory_for_pairs() const { return for_pairs_; }

    std::span<std::uint32_t const> pairs(Task const & task) const { return tasks_.pairs(task); }
    PairView pair(std::uint32_t k) const { return piece_.batch.view(piece_.pairs[k]); }
    std::uint64_t cells_of(Task const & task) const;
    // So many cells are worth the waiting of threads for each other.
    static bool is_long(double cells) { return cells >= least_long_cells; }
    // Whether threads without a pair of their own have something to do.
    bool may_help() const { return !tasks().empty() && can_share(tasks().front().cells); }

    // Of a task of one pair, or of a pair of a group.  Throws Error memory_limit where the pair lacks memory even
    // alone, and what plan() throws.
    Means means_of(Task const & task, std::uint32_t k) const;
    // What the pair takes if, under a lower limit, threads share it that does not hold one for each; 0: they never do.
    std::uint64_t bytes_if_shared(PairView const & pair) const;
    // Throws Error memory_limit, and invalid_argument for a width that is forced but not proven.
    PairPlan plan(PairView const & pair, Means const & means) const;

    // For a thread.
    std::unique_ptr<LaneBatch> make_lanes() const;
    // Puts the answers of a task, but for pairs that wait in memory.lanes, are located, or are to go alone.
    void align(Task const & task, Means const & means, ThreadMemory & memory, AnswerWriter & writer,
               Monitor & monitor) const;
    // Any pair of the batch, by this thread.
    void align_alone(std::uint64_t p, ThreadMemory & memory, AnswerWriter & writer, Monitor & monitor) const
    {
        align_pair(p, {1, share_}, memory, writer, monitor);
    }
    // Puts theirs; of those that are located, of as many as are wanted.  When all threads have come back, all pairs
    // have answers.
    void align_waiting(LocatedPairs::Wanted wanted, ThreadMemory & memory, AnswerWriter & writer,
                       Monitor & monitor) const;
    // Of those to go alone, which are shared by all threads, as many as are there: a part of align_waiting().
    void align_lone_pairs(ThreadMemory & memory, AnswerWriter & writer, Monitor & monitor) const;
    // What landmarks may take for a pair, at most, and of that what each thread may take for strips between them; 0: it
    // is not for them, or has less.
    struct LandmarkRoom {
        std::uint64_t bytes = 0, strip_bytes = 0;
    };
    LandmarkRoom room_for_landmarks(PairView const & pair, Means const & means) const
    {
        return room_for_landmarks(pair, means.threads, means.alone ? means.max_bytes : means.bytes);
    }
    // Of a piece of one pair: its answer where its sequences are so similar that few cells are enough.  Nothing: they
    // are not, or memory is lacking.
    std::optional<PairResult> align_if_similar(Monitor & monitor) const;
    // Of any pair; throws Error memory_limit.  `may_skip`: also where a local alignment skips cells, which may leave
    // many.  `way`: what was tried last; `other` is none of these.
    enum class Way { other, landmarks, fronts, band };
    std::optional<PairResult> align_if_similar(PairView const & pair, Means const & means, bool may_skip,
                                               FurthestMemory & furthest, Monitor & monitor, Way & way) const;

private:
    std::size_t count_groups() const;
    bool can_share(double cells) const;
    bool try_plan(PairView const & pair, Means const & means, PairPlan & plan) const;
    Means means_beside(PairView const & pair, int threads) const;
    void align_located(LocatedPairs::Wanted wanted, ThreadMemory & memory, AnswerWriter & writer,
                       Monitor & monitor) const;
    void share_lone_pairs(ThreadMemory & memory, AnswerWriter & writer, Monitor & monitor) const;
    void align_lone_pair(std::uint32_t k, ThreadMemory & memory, AnswerWriter & writer, Monitor & monitor) const;
    void align_group(Task const & task, ThreadMemory & memory, AnswerWriter & writer, Monitor & monitor) const;
    void align_pair(std::uint64_t p, Means const & means, ThreadMemory & memory, AnswerWriter & writer,
                    Monitor & monitor) const;
    std::optional<PairResult> align_pair(PairView const & pair, Means const & means, ThreadMemory & memory,
                                         Monitor & monitor) const;
    LandmarkRoom room_for_landmarks(PairView const & pair, int threads, std::uint64_t most,
                                    std::uint64_t strip_bytes = ByLandmarks::usual_strip_bytes) const;
    std::optional<PairResult> align_by_landmarks(PairView const & pair, Means const & means, ThreadMemory & memory,
                                                 Monitor & monitor) const;
    // Of a plan that may skip cells.
    void look_for_score(PairView const & pair, Monitor & monitor, PairPlan & plan) const;
    BandCut cut_by_words(PairView const & pair, Means const & means, PairPlan & plan) const;
    std::optional<PairResult> align_by_fronts(PairView const & pair, Means const & means, FurthestMemory & furthest,
                                              Monitor & monitor, bool & tried) const;

    Piece const piece_;
    Scheme const & scheme_;
    KernelTable const & kernels_;
    Tuning const & tuning_;
    LaneLosses & losses_;
    int const threads_;
    Ways const ways_;
    std::uint64_t memory_ = 0;    // for all; 0: no limit
    std::uint64_t share_ = 0;     // of it, for one of as many pairs as there are threads
    std::uint64_t for_pairs_ = 0; // of it, beside the lanes of all threads
    std::optional<Penalties> const before_strips_;
    LaneRules const lane_rules_;
    Tasks tasks_;
    std::unique_ptr<LocatedPairs> const located_; // by groups
    struct Lone {                                 // pairs of groups that go alone, of all threads
        std::mutex mutex;
        std::vector<std::uint32_t> pairs;
        std::size_t next = 0;
    };
    std::unique_ptr<Lone> const lone_;
};

// How many times as long as alone a thread takes beside others, when there are so many.
double longer_beside(int threads);
// What align() will take, some of it measured.
Estimate estimate(Work & work, Team & team);

} // namespace nwgpu::cpu
