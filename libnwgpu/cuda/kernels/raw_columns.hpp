// SPDX-License-Identifier: BSD-3-Clause
// Columns that packed kernels have kept raw: all rows of a lane's half but its first, which is an entry, hold their
// registers relative to it.
#pragma once

#include "cuda/device/device.hpp"
#include "cuda/kernels/kernels.hpp"
#include "cuda/kernels/sweep_job.hpp"

namespace nwgpu::cuda {

// The entry of row `r` of a half; `first`: the score of its first row, `row_drift` that of the registers.
NWGPU_HOST_DEVICE inline Entry<std::int32_t> from_raw(std::uint32_t raw, std::int32_t first, std::int32_t r,
                                                      std::int32_t row_drift, std::int32_t extend)
{
    std::int32_t const base = first - row_drift * r;
    return {base + (static_cast<std::int32_t>(raw << 16) >> 16),
            base + (static_cast<std::int32_t>(raw) >> 16) - extend};
}

// Loads the kernel for it.  CUDA does so at a kernel's first launch, but then that waits for all kernels that run: for
// a whole sweep, without reports.
void load_finish_columns();

// Makes entries of them, after a sweep with these arguments; `jobs`: the same as theirs.
void finish_columns(Device & device, SweepKernel const & kernel, std::vector<SweepJob<std::int32_t>> const & jobs,
                    SweepArgs<std::int32_t> const & args);

} // namespace nwgpu::cuda
