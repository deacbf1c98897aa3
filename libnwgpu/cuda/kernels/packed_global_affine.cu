// SPDX-License-Identifier: BSD-3-Clause
#include "cuda/kernels/packed_table.cuh"

namespace nwgpu::cuda {

SweepKernel packed_global_affine(int pairs) { return packed_table<false, false>(pairs); }

} // namespace nwgpu::cuda
