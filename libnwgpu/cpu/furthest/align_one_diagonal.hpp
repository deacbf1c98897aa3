// SPDX-License-Identifier: BSD-3-Clause
// Pairs of which one sequence lies within the other on one diagonal (one_diagonal.hpp), as answers of a call.
#pragma once

#include <optional>

#include "cpu/furthest/one_diagonal.hpp"
#include "cpu/furthest/tries_so_far.hpp"
#include "cpu/kernels/kernels.hpp"
#include "model/batch.hpp"
#include "model/mode.hpp"
#include "model/result.hpp"

namespace nwgpu::cpu {

// Which sequence may be the inner one, and whether its letters may be clipped.
struct OneDiagonalCall {
    Losses losses;
    bool query_inside = false, target_inside = false, clips_query = false, clips_target = false;

    // None where no pair of the call can be such a one.
    static std::optional<OneDiagonalCall> of(Scoring const & scoring, Request const & request);
};

// False, and nothing is said, where it is not proven to be best.
bool align_on_one_diagonal(PairView const & pair, OneDiagonalCall const & call, KernelTable const & kernels,
                           Request const & request, TriesSoFar & tries, PairResult & result);

} // namespace nwgpu::cpu
