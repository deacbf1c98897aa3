// SPDX-License-Identifier: BSD-3-Clause
// The command's one door to nwgpu_align: context, batches, choice among competing pairs, verification.
#pragma once

#include "alignment.hpp"
#include "handles.hpp"
#include "mode.hpp"
#include "options.hpp"
#include "pairing.hpp"
#include "progress.hpp"
#include "scoring.hpp"

#include <chrono>
#include <memory>
#include <string>
#include <vector>

namespace cli {

// The results of one batch, one row for each alignment, of competing pairs the best one's; views into the batch.
class Rows {
public:
    std::uint64_t size() const { return chosen_.size(); }
    Alignment row(std::uint64_t i) const;
    // Why row i failed.
    std::string message(std::uint64_t i) const;

private:
    friend class Engine;
    Batch const * batch_ = nullptr;
    ResultHandle result_;
    std::vector<std::uint64_t> chosen_; // the result's entry of each row
    std::vector<std::uint64_t> wrong_;  // rows that --verify refused, ascending
    std::uint32_t const * runs_ = nullptr;
    std::uint64_t const * run_offsets_ = nullptr; // nullptr: scores only
};

class Engine {
public:
    Engine(EngineOptions const & options, Scoring const & scoring, Progress & progress);

    // Throws Interrupted when the user stops it, Failure when the whole call fails.  The batch must outlive the rows.
    Rows align(Batch const & batch);
    nwgpu_estimate estimate(Batch const & batch);
    std::string backend() const; // "cpu:avx2 with 8 threads"
    int threads() const { return nwgpu_context_threads(context_.get()); }
    // Where the first pair is so short that reading takes longer than aligning by all cores of the machine: takes fewer
    // threads, unless the options tell how many.
    void leave_cores(EngineOptions const & options, std::uint64_t query_length, std::uint64_t target_length);
    // Letters of a batch that keep it busy; more would take more memory, and leave the caches.
    std::uint64_t batch_letters() const;

private:
    // The library's copy of a set: kept, because one set of targets serves many batches.
    struct Loaded {
        std::shared_ptr<SequenceSet const> set;
        SequencesHandle handle;
    };
    void create_context(EngineOptions const & options, std::int32_t threads);
    bool on_cpu() const;
    nwgpu_sequences const * load(Loaded & loaded, std::shared_ptr<SequenceSet const> const & set);
    void choose(Rows & rows);
    void verify(Rows & rows) const;

    nwgpu_scoring const & scoring_;
    Progress & progress_;
    std::string algorithm_;  // empty: the engine
    std::string checkpoint_; // empty: none
    nwgpu_align_options options_{};
    bool verify_;
    std::chrono::steady_clock::time_point const begin_ = std::chrono::steady_clock::now();
    ContextHandle context_;
    Loaded queries_, targets_;
};

} // namespace cli
