// SPDX-License-Identifier: BSD-3-Clause
// What an engine can do.  cpu/ and cuda/ implement it; align/ chooses one; they never include each other.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "model/batch.hpp"
#include "model/mode.hpp"
#include "model/result.hpp"
#include "model/scoring.hpp"

namespace nwgpu {

// Called now and then on the calling thread; returns false to stop (the engine then throws Error cancelled).  Does not
// throw: capi/ sees to it.
using Progress = std::function<bool(std::uint64_t cells_done, std::uint64_t cells_total)>;

struct Estimate {
    std::uint64_t cells = 0;
    std::uint64_t host_bytes = 0;   // upper bound of what align() allocates, results included
    std::uint64_t device_bytes = 0;
    double seconds = 0;
    std::string plan; // for people, one line per group of pairs
};

class Backend {
public:
    virtual ~Backend() = default;

    virtual std::string name() const = 0; // "cpu:avx3"
    virtual int threads() const = 0;
    virtual Estimate estimate(Batch const & batch, Scoring const & scoring, Request const & request) = 0;
    // Fills everything of `result`; pairs that fail get their own status.  Throws Error only when the call as a
    // whole cannot go on.  Letters were checked before: no pair holds an invalid one.
    virtual void align(Batch const & batch, Scoring const & scoring, Request const & request,
                       Progress const & progress, BatchResult & result) = 0;
    virtual void trim() = 0; // give cached workspace back
};

} // namespace nwgpu
