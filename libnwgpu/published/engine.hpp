// SPDX-License-Identifier: BSD-3-Clause
// A published algorithm as an engine: it checks the limits, computes pair after pair, and gives the engines' answers.
#pragma once

#include <memory>
#include <string_view>

#include "backend/backend.hpp"
#include "base/team.hpp"
#include "cuda/engine.hpp"

namespace nwgpu::published {

struct EngineOptions {
    int threads = 0;                      // of CPU algorithms; 0: all that the process may use
    cuda::EngineOptions cuda = {};        // of CUDA algorithms
    std::shared_ptr<Team> team = nullptr; // shared with engines; null: one of its own, of so many threads
};

// `choice` as parse_choice() reads it.  Throws Error not_found or invalid_argument for another, unsupported or
// no_device when the algorithm needs a GPU, or as many GPUs, that cannot be had.  align() and estimate() throw Error
// unsupported for a mode, gap model or output outside the algorithm's limits; a pair that is too large gets its own
// status.  Progress is reported, and cancellation heard, between rows on the CPU, and between pairs and slabs on a GPU.
std::unique_ptr<Backend> make_engine(std::string_view choice, EngineOptions const & options);

} // namespace nwgpu::published
