// SPDX-License-Identifier: BSD-3-Clause
#include "cuda/batch/group_kernel.cuh"

namespace nwgpu::cuda::batch {

GroupKernel group_kernel_global_affine(int height, int bits)
{
    return kernel_of_height(height, [&](auto rows) { return kernel_of<decltype(rows)::value, false>(bits); });
}

} // namespace nwgpu::cuda::batch
