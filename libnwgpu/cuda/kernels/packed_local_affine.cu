// SPDX-License-Identifier: BSD-3-Clause
#include "cuda/kernels/packed_table.cuh"

namespace nwgpu::cuda {

SweepKernel packed_local_affine(int pairs) { return packed_table<true, false>(pairs); }

} // namespace nwgpu::cuda
