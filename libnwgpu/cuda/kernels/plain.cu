// SPDX-License-Identifier: BSD-3-Clause
#include "cuda/kernels/packed_table.cuh"
#include "cuda/kernels/plain_cells.cuh"

namespace nwgpu::cuda {

template <class S>
SweepKernel plain_kernel(bool traced)
{
    return traced ? describe_kernel<PlainCells<S, true>>() : describe_kernel<PlainCells<S, false>>();
}

template SweepKernel plain_kernel<std::int32_t>(bool);
template SweepKernel plain_kernel<std::int64_t>(bool);

} // namespace nwgpu::cuda
