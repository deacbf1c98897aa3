// SPDX-License-Identifier: BSD-3-Clause
#include "cuda/kernels/packed_table.cuh"

namespace nwgpu::cuda {

SweepKernel packed_global_affine(int rows) { return packed_table<false, false>(rows); }

} // namespace nwgpu::cuda
