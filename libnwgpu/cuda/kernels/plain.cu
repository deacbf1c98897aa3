// SPDX-License-Identifier: BSD-3-Clause
#include "cuda/kernels/packed_table.cuh"
#include "cuda/kernels/plain_field.cuh"

namespace nwgpu::cuda {

namespace {

template <class S, bool traced>
SweepKernel describe_plain(std::uint64_t letters, std::uint64_t shared)
{
    using Field = PlainField<S, traced>;
    if ((letters + 1) * Field::letter_bytes + sizeof(WarpMemory<Field>) <= shared)
        return describe_kernel<Field>();
    SweepKernel kernel = describe_kernel<TableField<S, traced>>();
    kernel.letter_bytes = 0;
    return kernel;
}

} // namespace

template <class S>
SweepKernel plain_kernel(bool traced, std::uint64_t letters, std::uint64_t shared)
{
    return traced ? describe_plain<S, true>(letters, shared) : describe_plain<S, false>(letters, shared);
}

template SweepKernel plain_kernel<std::int32_t>(bool, std::uint64_t, std::uint64_t);
template SweepKernel plain_kernel<std::int64_t>(bool, std::uint64_t, std::uint64_t);

} // namespace nwgpu::cuda
