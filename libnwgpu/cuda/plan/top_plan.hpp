// SPDX-License-Identifier: BSD-3-Clause
// How the device's part of finding the K best local alignments is done (sweep/top_sweep.hpp): tiles and memory.
#pragma once

#include <functional>
#include <string>

#include "checkpoint/swept_matrix.hpp"
#include "cuda/plan/plan.hpp"

namespace nwgpu::cuda {

struct TopPlan {
    checkpoint::SlabShape shape; // of the whole matrix, in its tiles
    SweepPlan sweep, tiles;      // of the matrix, and of as many rows of tiles as one launch computes
    std::uint64_t rows_at_once = 0;
    std::uint64_t bytes = 0, host_bytes = 0; // upper bounds: of device memory, of the host's
    double seconds = 0;
    std::string text;
};

using HostCost = std::function<checkpoint::SweptFinder::Cost(checkpoint::SlabShape const &)>;

// The smallest tiles, from a share of the matrix on, whose boundaries fit the device and the host.  Throws Error
// memory_limit where none do.
TopPlan plan_top(PairFacts const & pair, DeviceFacts const & device, HostCost const & host_cost);

} // namespace nwgpu::cuda
