// SPDX-License-Identifier: BSD-3-Clause
#include "cuda/batch/group_kernel.cuh"

namespace nwgpu::cuda::batch {

GroupKernel group_kernel_local_ends(int height)
{
    return kernel_of_height(height, [](auto rows) { return kernel_of_ends<decltype(rows)::value>(); });
}

} // namespace nwgpu::cuda::batch
