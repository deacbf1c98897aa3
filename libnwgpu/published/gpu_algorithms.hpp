// SPDX-License-Identifier: BSD-3-Clause
// The published algorithms that run on a GPU, each in a file of its name, and what one of them gets.
#pragma once

#include "cuda/device/device.hpp"
#include "published/parts/recurrence.hpp"
#include "published/parts/task.hpp"

namespace nwgpu::published {

using cuda::Device;
using cuda::DeviceArray;

// Letters are indices of the score table; behind the last one lie letters_behind zeros, so that tiles may reach beyond.
constexpr std::uint64_t letters_behind = 1 << 16;

struct GpuTask {
    Task const & task;
    Device & device;
    std::uint8_t const * query;
    std::uint8_t const * target;
    Score const * scores; // [query letters][target letters]
    std::uint32_t target_letters, score_count;

    int value(std::string_view parameter) const { return task.choice.value(parameter); }
};

PairResult gpu1_ml_diag(GpuTask const & task);
PairResult gpu2_ml_diagrow2pass(GpuTask const & task);
PairResult gpu3_ml_diagdiag(GpuTask const & task);
PairResult gpu4_ml_diagdiag2pass(GpuTask const & task);
PairResult gpu5_coop_diagdiag(GpuTask const & task);
PairResult gpu6_coop_diagdiag2pass(GpuTask const & task);
PairResult gpu7_mlsp_diagdiag(GpuTask const & task);
PairResult gpu8_mlsp_diagdiag(GpuTask const & task);
PairResult gpu9_mlsp_diagdiagdiag(GpuTask const & task);
PairResult gpu10_mlsp_supertile(GpuTask const & task);
PairResult rowscan(GpuTask const & task);
PairResult antidiagonal(GpuTask const & task);
PairResult swat_offload(GpuTask const & task);
PairResult swat_coalesced(GpuTask const & task);
PairResult swat_tiled(GpuTask const & task);
PairResult swat_barrier(GpuTask const & task);
PairResult cudalign(GpuTask const & task);

} // namespace nwgpu::published
