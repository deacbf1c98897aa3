// SPDX-License-Identifier: BSD-3-Clause
// The choice between both engines, pair by pair: to the one that is predicted to have it sooner (engine_choice.hpp);
// those that the GPU cannot take, to the CPU.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "backend/backend.hpp"
#include "backend/row_share.hpp"
#include "cuda/batch_model.hpp"

namespace nwgpu {

// The GPU's engine is made for the first pairs that are worth it: that takes `start_seconds`, longer than most calls.
// `warn` is told of every fall back to the CPU.  `pace`: of the GPU, which takes shares of rows.
std::unique_ptr<Backend> make_auto_backend(std::unique_ptr<Backend> cpu, std::string gpu_name,
                                           std::function<std::unique_ptr<Backend>()> make_gpu,
                                           std::function<void(std::string const &)> warn, RowPace const & pace = {},
                                           double start_seconds = cuda::device_start_seconds);

} // namespace nwgpu
