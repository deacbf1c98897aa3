// SPDX-License-Identifier: BSD-3-Clause
#include "cuda/batch/group_kernel.cuh"

namespace nwgpu::cuda::batch {

GroupKernel group_chain_kernel(int bits) { return kernel_of<rows_of_height(2), false, true>(bits); }

} // namespace nwgpu::cuda::batch
