// SPDX-License-Identifier: BSD-3-Clause
// The packed kernels of one recurrence, by rows per half; each recurrence is compiled in a file of its own.
#pragma once

#include <utility>

#include "cuda/device/launch.hpp"
#include "cuda/kernels/kernels.hpp"
#include "cuda/kernels/packed_field.cuh"
#include "cuda/kernels/sweep_kernel.cuh"

namespace nwgpu::cuda {

template <class Field>
SweepKernel describe_kernel()
{
    return {address_of(&sweep_kernel<Field>), Field::strip_rows, Field::letter_bytes, Field::warps_per_block,
            Field::warps_per_multiprocessor,  Field::raw_columns};
}

template <int rows, bool local, bool linear>
SweepKernel describe_packed()
{
    if constexpr (linear || rows <= most_affine_rows)
        return describe_kernel<PackedField<rows, local, linear>>();
    return {};
}

template <bool local, bool linear, std::size_t... k>
SweepKernel find_packed(int rows, std::index_sequence<k...>)
{
    SweepKernel found;
    ((rows == packed_rows[k] ? void(found = describe_packed<packed_rows[k], local, linear>()) : void()), ...);
    return found;
}

template <bool local, bool linear>
SweepKernel packed_table(int rows)
{
    return find_packed<local, linear>(rows, std::make_index_sequence<packed_rows.size()>{});
}

} // namespace nwgpu::cuda
