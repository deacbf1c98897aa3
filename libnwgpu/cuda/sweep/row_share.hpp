// SPDX-License-Identifier: BSD-3-Clause
// A share of a pair's rows on a GPU: swept panel by panel, a launch for each, so panels should be wide.  The boundaries
// that a panel keeps for the path stay on the device.
#pragma once

#include <memory>

#include "backend/row_share.hpp"
#include "cuda/device/device.hpp"
#include "cuda/options.hpp"

namespace nwgpu::cuda {

// Of a device with so many multiprocessors, by the costs of the planner's chip; `tuning`: of the engine.
RowPace share_pace(int multiprocessors, Tuning const & tuning);

// For the calling thread at a time: it and the share's members use the device, which is the current one.  Their
// monitors are watched.  Throws Error memory_limit, out_of_device_memory; unsupported for rows that no kernel's strips
// divide.
std::unique_ptr<RowShare> make_row_share(Device & device, RowTask const & task, Tuning const & tuning);

} // namespace nwgpu::cuda
