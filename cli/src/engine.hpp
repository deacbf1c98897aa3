// SPDX-License-Identifier: BSD-3-Clause
// The command's one door to nwgpu_align: context, batches, choice among competing pairs, verification.
#pragma once

#include "mode.hpp"
#include "options.hpp"
#include "pairing.hpp"
#include "progress.hpp"
#include "rows.hpp"
#include "scoring.hpp"

#include <nwgpu/nwgpu.hpp>

#include <algorithm>
#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace cli {

class Engine {
public:
    // Of pairs that do not compete, those below min_score have a status that says so, and no score.
    Engine(EngineOptions const & options, std::optional<std::int64_t> min_score, Scoring const & scoring,
           Progress & progress);
    Engine(Engine const &) = delete; // options_ points into this object
    Engine & operator=(Engine const &) = delete;

    // Throws Interrupted when the user or the deadline stops it, nwgpu::Error when the whole call fails.  The batch
    // must outlive the rows.
    Rows align(Batch const & batch);
    // So many batches are best aligned at the same time, each by one thread; 1: each by all threads.
    int workers() const { return std::max(1, static_cast<int>(workers_.size())); }
    // The same as worker k: others align other batches meanwhile, or, of long pairs, make what is written of them.  No
    // progress is reported.
    Rows align(Batch const & batch, int k);
    // Scores alone, of each pair; nothing for a pair that failed.  Throws the same.
    std::vector<std::optional<std::int64_t>> scores(Batch const & batch);
    nwgpu_estimate estimate(Batch const & batch);
    std::string backend() const; // "cpu:avx2 with 8 threads"
    int threads() const { return context_.threads(); }
    // For what is done beside a GPU's work, too.
    int host_threads() const { return on_cpu() ? threads() : host_threads_; }
    // Where the first pair is no longer than long reads are, batches go to workers.  Where that cannot be, and reading
    // takes longer than aligning by all cores of the machine: takes fewer threads, unless the options tell how many.
    void suit(EngineOptions const & options, bool one_batch_at_a_time, std::uint64_t query_length,
              std::uint64_t target_length);
    // The same for pairs of any lengths that are alike, as mapped reads and the letters where they are mapped: what one
    // thread takes for those grows with their length, more or less.  Returns workers().
    int suit_similar(EngineOptions const & options);
    // Whether there may be a GPU that has the pairs earlier than workers: choose_place() tells.
    bool is_undecided() const;
    // By the first batch, some pairs of which it aligns: workers, or, true, where many pairs of many cells are to come,
    // all that --device auto has, which changes batch_size().  letters: of all pairs, about.
    bool choose_place(Batch const & first, double letters);
    // Batches that keep it busy; more letters would take more memory, and leave the caches.
    BatchSize batch_size() const;

private:
    using ProgressFunction = std::int32_t(void * progress, std::uint64_t done, std::uint64_t total);

    // Of a pair that one thread aligns while others align other batches, at most: others are better shared.
    static constexpr std::uint64_t most_worker_cells = 10'000'000'000;

    using SequencesPtr = std::shared_ptr<nwgpu::Sequences const>;
    // A set and the library's view of it: kept, because one set of targets serves many batches.
    struct Loaded {
        std::shared_ptr<SequenceSet const> set;
        SequencesPtr sequences;
        bool coded = false; // the view has codes of its letters, from a call of a worker
    };
    // What a call computes with.
    struct With {
        nwgpu::Context & context;
        nwgpu::Sequences const & queries;
        nwgpu::Sequences const & targets;
        std::span<nwgpu_pair const> pairs;
        ProgressFunction * report;
    };
    bool can_have_workers(EngineOptions const & options) const;
    // Whose batches have so many letters.
    void take_workers(EngineOptions const & options, std::uint64_t letters);
    // No workers: of --device auto, what the library finds.
    void take_all(EngineOptions const & options);
    bool on_cpu() const { return context_.backend_name().find("cuda") == std::string_view::npos; }
    SequencesPtr load(Loaded & loaded, std::shared_ptr<SequenceSet const> const & set);
    // Of a call that begins now.  Throws Interrupted when there is no time left for it.
    nwgpu_control control(ProgressFunction * report) const;
    template <typename Call>
    auto interruptibly(Call const & call) const;
    void compute(Rows & rows, With const & with) const;
    void choose(Rows & rows) const;
    void verify(Rows & rows) const;
    bool holds(Alignment const & row) const;

    // Of the letters that the batch has.
    nwgpu_scoring const & scoring(Batch const & batch) const;

    Scoring const & scoring_;
    Progress & progress_;
    std::string const algorithm_;  // empty: the engine
    std::string const checkpoint_; // folder; empty: none
    double const deadline_seconds_;
    bool const verify_;
    std::uint64_t const max_memory_; // 0: no limit
    std::optional<std::int64_t> const min_score_;
    nwgpu_band band_ = NWGPU_BAND_INIT;
    nwgpu_top top_ = NWGPU_TOP_INIT;
    nwgpu_checkpoint saved_ = NWGPU_CHECKPOINT_INIT;
    nwgpu_align_options options_ = NWGPU_ALIGN_OPTIONS_INIT;
    std::chrono::steady_clock::time_point const begin_ = std::chrono::steady_clock::now();
    nwgpu::Context context_;
    int const host_threads_;
    std::uint64_t const places_;       // devices and ranks among which pairs are dealt out, about
    std::uint64_t worker_letters_ = 0; // of a worker's batch
    Loaded queries_, targets_;
    // Of context_, queries_ and targets_, which workers use for long pairs and for sets of many batches.
    std::mutex mutex_;
    std::vector<std::optional<nwgpu::Context>> workers_; // made when they have work
    EngineOptions given_;                                // for them
    std::uint64_t most_batch_cells_ = most_worker_cells; // of the pairs of a batch that one of them aligns
    bool left_gpu_ = false;                              // of --device auto, for them
};

// What a rank does that is not 0, until rank 0 has ended; returns the exit code.
int serve(EngineOptions const & options, ReportOptions const & report);

} // namespace cli
