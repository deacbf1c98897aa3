// SPDX-License-Identifier: BSD-3-Clause
// A share of a pair's rows on a GPU: one launch sweeps all its parts, while line_pump.hpp carries the boundaries
// between them and the parts of other places.  What is kept for the path stays on the device.
#pragma once

#include <memory>

#include "backend/row_share.hpp"
#include "cuda/device/device.hpp"
#include "cuda/options.hpp"

namespace nwgpu::cuda {

// Of a device with so many multiprocessors, by the costs of the planner's chip; `tuning`: of the engine; `rows`: of the
// share, 0 where they are not known; `linear`: gap costs.
RowPace share_pace(int multiprocessors, Tuning const & tuning, std::uint64_t rows = 0, bool linear = false);

// For the calling thread at a time: it and the share's members use the device, which is the current one.  Their
// monitors are watched.  Throws Error memory_limit, out_of_device_memory; unsupported for rows that no kernel's strips
// divide.
std::unique_ptr<RowShare> make_row_share(Device & device, RowTask const & task, Tuning const & tuning);

} // namespace nwgpu::cuda
