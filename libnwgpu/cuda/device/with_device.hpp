// SPDX-License-Identifier: BSD-3-Clause
// A current device for those who must not fail, such as destructors; all others have a DeviceGuard.
#pragma once

#include <cuda_runtime_api.h>

namespace nwgpu::cuda {

void with_device(int device, auto const & work) noexcept
{
    int previous = 0;
    cudaGetDevice(&previous);
    cudaSetDevice(device);
    work();
    cudaSetDevice(previous);
    cudaGetLastError();
}

} // namespace nwgpu::cuda
