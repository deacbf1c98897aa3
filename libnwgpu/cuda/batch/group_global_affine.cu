// SPDX-License-Identifier: BSD-3-Clause
#include "cuda/batch/group_kernel.cuh"

namespace nwgpu::cuda::batch {

GroupKernel group_kernel_global_affine(int height, int bits) { return kernel_of<false>(height, bits); }

} // namespace nwgpu::cuda::batch
