// SPDX-License-Identifier: BSD-3-Clause
// Pairs that are computed together, by one launch of one kernel: scores alone, or paths through small matrices, whose
// trace bits are all kept.  long_pair.hpp has the others.
#pragma once

#include <vector>

#include "cuda/kernels/boundaries.hpp"
#include "cuda/plan/plan.hpp"
#include "cuda/sweep/sweeper.hpp"
#include "model/batch.hpp"
#include "model/mode.hpp"
#include "model/result.hpp"
#include "model/scoring.hpp"

namespace nwgpu::cuda {

struct DevicePair {
    PairView pair;                        // both sequences have letters
    std::uint8_t const * query = nullptr; // on the device, as indices of the score table
    std::uint8_t const * target = nullptr;
    PairResult * result = nullptr;
};

template <class S>
SweepJob<S> whole_matrix(DevicePair const & pair, path::Band const & band)
{
    SweepJob<S> job;
    job.query = pair.query;
    job.target = pair.target;
    job.rows = static_cast<std::uint32_t>(pair.pair.m);
    job.cols = static_cast<std::uint32_t>(pair.pair.n);
    job.band_low = band.low;
    job.band_high = band.high;
    return job;
}

template <class S>
class LaunchBatch {
public:
    LaunchBatch(Sweeper<S> const & sweeper, Scoring const & scoring, Request const & request, Monitor & monitor) :
        sweeper_{sweeper}, scoring_{scoring}, request_{request}, mode_{request.mode}, monitor_{monitor}
    {}

    // All pairs have the same plan, but for its sizes, without levels.
    void align(std::vector<DevicePair> const & pairs, PairPlan const & plan);

private:
    Sweeper<S> const & sweeper_;
    Scoring const & scoring_;
    Request const & request_;
    Mode const mode_;
    Monitor & monitor_;
};

} // namespace nwgpu::cuda
