// SPDX-License-Identifier: BSD-3-Clause
// The facade that capi/ calls: chooses the engine, turns letters into codes, and lets the frame align.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "align/best_call.hpp"
#include "align/caller_log.hpp"
#include "align/devices.hpp"
#include "backend/backend.hpp"
#include "base/team.hpp"
#include "model/batch.hpp"
#include "places/row_deal.hpp"
#include "places/world.hpp"

namespace nwgpu {

struct AlignerOptions {
    BackendKind backend = BackendKind::automatic;
    int device = 0;
    std::vector<int> devices;           // more than one: all of them, `device` being the first
    int cpu_threads = 0;                // 0: all that the process may use
    std::uint64_t max_device_bytes = 0; // 0: what is free, less a margin
    std::uint64_t max_host_bytes = 0;   // 0: no limit
    void * cuda_stream = nullptr;
    CallerLog::Function log;              // may be empty
    std::shared_ptr<places::World> world; // null: this process alone
    places::RowRules row_rules;           // of pairs that a world deals out by rows
    std::string cpu_isa;                  // empty: NWGPU_FORCE_ISA, else the best there is
};

// The sequences of one call, and which of them to align with which.
struct Problem {
    RawSequences queries;
    RawSequences targets;
    std::span<Pair const> pairs;
    // Where the codes of the sequences are kept for later calls; none: they are made for this one.
    CodeCache * query_codes = nullptr;
    CodeCache * target_codes = nullptr;
};

class Aligner {
public:
    // Throws Error unsupported or no_device when the engine asked for cannot be had.  With a world all ranks make one
    // together, and what is wrong on one of them is Error communication on the others.
    explicit Aligner(AlignerOptions const & options);
    ~Aligner(); // of rank 0: ends serve() of the others
    Aligner(Aligner const &) = delete;

    Backend const & backend() const { return *backend_; }
    void trim();
    Team & team() { return *team_; }
    // At least `bytes` bytes, page-locked where there is a GPU (align/host_memory.hpp frees them).
    void * allocate_host(std::uint64_t bytes) const;

    // `algorithm` names a published algorithm that computes in place of the engine (published/registry.hpp); empty: the
    // engine does.
    Estimate estimate(Problem const & problem, Scoring const & scoring, Request const & request,
                      std::string const & algorithm = {});
    // Pairs that cannot be aligned get their own status.  `progress` may be empty; it is called on this thread, and
    // does not throw.  Both throw Error memory_limit where max_host_bytes is too low for the call as a whole.
    BatchResult align(Problem const & problem, Scoring const & scoring, Request const & request,
                      Progress const & progress, std::string const & algorithm = {});

    // Of each query only the best pairs; the request has neither several alignments nor a checkpoint.  Without
    // Pairing::list the problem names no pairs; Pairing::zip needs as many queries as targets.
    Estimate estimate_best(Problem const & problem, Pairing pairing, Best const & best, Scoring const & scoring,
                           Request const & request, std::string const & algorithm = {});
    BestResult align_best(Problem const & problem, Pairing pairing, Best const & best, Scoring const & scoring,
                          Request const & request, Progress const & progress, std::string const & algorithm = {});

    // For the ranks that are not 0: aligns what rank 0 hands out, until rank 0 has ended.  `goes_on` is asked now and
    // then.  Throws Error invalid_argument, communication, or cancelled.
    void serve(std::function<bool()> const & goes_on);

private:
    std::unique_ptr<Backend> make_engine();

    // work(engine, queries, targets)
    template <class Work>
    auto with_codes(Problem const & problem, std::uint64_t entries, Scoring const & scoring, Request const & request,
                    std::string const & algorithm, bool as_letters, Progress const & progress, Work const & work);
    // work(frame of the call)
    template <class Work>
    auto with_frame(Problem const & problem, Scoring const & scoring, Request const & request,
                    std::string const & algorithm, bool as_letters, Progress const & progress, Work const & work);
    // work(call)
    template <class Work>
    auto with_best(Problem const & problem, Pairing pairing, Best const & best, Scoring const & scoring,
                   Request const & request, std::string const & algorithm, bool as_letters, Progress const & progress,
                   Work const & work);
    Backend & backend_for(std::string const & algorithm);

    AlignerOptions options_;
    std::shared_ptr<CallerLog> log_;
    std::shared_ptr<Team> team_; // of all engines
    Translate translate_;
    std::unique_ptr<Backend> backend_;
    // The published algorithm that was asked for last: its workspace is kept, as the engine's is.
    std::string published_name_;
    std::unique_ptr<Backend> published_;
};

// Throws Error invalid_argument for an index out of range.
void check_pairs(Problem const & problem, Team * team = nullptr, GoOn const & go_on = {});

} // namespace nwgpu
