// SPDX-License-Identifier: BSD-3-Clause
#include "cuda/kernels/packed_table.cuh"

namespace nwgpu::cuda {

SweepKernel packed_global_linear(int rows) { return packed_table<false, true>(rows); }

} // namespace nwgpu::cuda
