// SPDX-License-Identifier: BSD-3-Clause
// Pairs that a QueryBatch takes, before all others of a call: aligned, and predicted.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "backend/backend.hpp"
#include "backend/monitor.hpp"
#include "base/team.hpp"
#include "base/uninitialized.hpp"
#include "cpu/batch/query_batch.hpp"
#include "cpu/kernels/kernels.hpp"
#include "cpu/options.hpp"

namespace nwgpu::cpu {

class ByQuery {
public:
    // All of them live longer than this.
    ByQuery(KernelTable const & kernels, Tuning const & tuning, Team & team) :
        kernels_{kernels}, tuning_{tuning}, team_{team}
    {}

    // Returns the other pairs; nothing: all are others.  No answers: all are dropped.
    std::optional<Array<std::uint64_t>> align(Piece const & piece, Monitor & monitor, Answers * answers);
    struct Share {
        double left, seconds; // the part that is left to others; what all others take all threads
        std::uint64_t bytes;  // of all threads
    };
    // Measured on some of the pairs.  Its bytes are no more than a limit.
    std::optional<Share> sample(Piece const & piece) const;
    void trim() { memories_.clear(); }

private:
    bool takes(Piece const & piece) const;
    std::uint64_t bytes(Piece const & piece) const; // at most

    KernelTable const & kernels_;
    Tuning const & tuning_;
    Team & team_;
    std::vector<QueryMemory> memories_; // of threads, from call to call
};

} // namespace nwgpu::cpu
