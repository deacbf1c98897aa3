// SPDX-License-Identifier: BSD-3-Clause
// Pairs that are computed together, by one launch of one kernel; a long pair is a group of its own.
#pragma once

#include <vector>

#include "cuda/edges.hpp"
#include "cuda/plan.hpp"
#include "cuda/sweeper.hpp"
#include "model/batch.hpp"
#include "model/mode.hpp"
#include "model/result.hpp"
#include "model/scoring.hpp"

namespace nwgpu::cuda {

struct GroupPair {
    PairView pair;                        // both sequences have letters
    std::uint8_t const * query = nullptr; // on the device, as indices of the score table
    std::uint8_t const * target = nullptr;
    PairResult * result = nullptr;
};

template <class S>
class Group {
public:
    Group(Sweeper<S> const & sweeper, Scoring const & scoring, Request const & request, Monitor & monitor) :
        sweeper_{sweeper}, scoring_{scoring}, request_{request}, mode_{request.mode}, monitor_{monitor}
    {}

    // All pairs have the same plan, but for its sizes; only a group of one has levels.
    void align(std::vector<GroupPair> const & pairs, PairPlan const & plan);

private:
    void find_end(LastCells const & last, GroupPair const & pair) const;

    Sweeper<S> const & sweeper_;
    Scoring const & scoring_;
    Request const & request_;
    Mode const mode_;
    Monitor & monitor_;
};

} // namespace nwgpu::cuda
