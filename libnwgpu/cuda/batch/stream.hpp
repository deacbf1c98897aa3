// SPDX-License-Identifier: BSD-3-Clause
// Streams of chunks, and copies in their order.
#pragma once

#include <cstdint>

#include "cuda/device/device.hpp"

namespace nwgpu::cuda::batch {

using Stream = Owner<cudaStream_t, cudaStreamDestroy>;
// Sweeps fill the device for long; what comes before and after them does not wait behind those of other slots.
Stream make_stream(bool for_sweeps);
void copy(cudaStream_t stream, void * to, void const * from, std::uint64_t bytes, cudaMemcpyKind kind);

} // namespace nwgpu::cuda::batch
