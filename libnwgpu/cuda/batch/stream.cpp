// SPDX-License-Identifier: BSD-3-Clause
#include "cuda/batch/stream.hpp"

namespace nwgpu::cuda::batch {

void copy(cudaStream_t stream, void * to, void const * from, std::uint64_t bytes, cudaMemcpyKind kind)
{
    if (bytes > 0)
        check(cudaMemcpyAsync(to, from, bytes, kind, stream), "copying");
}

Stream make_stream(bool for_sweeps)
{
    int low = 0, high = 0;
    check(cudaDeviceGetStreamPriorityRange(&low, &high), "asking for priorities");
    cudaStream_t made = nullptr;
    check(cudaStreamCreateWithPriority(&made, cudaStreamNonBlocking, for_sweeps ? low : high), "creating a stream");
    return Stream{made};
}

} // namespace nwgpu::cuda::batch
