// SPDX-License-Identifier: BSD-3-Clause
#include "cuda/kernels/packed_table.cuh"

namespace nwgpu::cuda {

SweepKernel packed_local_linear(int pairs) { return packed_table<true, true>(pairs); }

} // namespace nwgpu::cuda
