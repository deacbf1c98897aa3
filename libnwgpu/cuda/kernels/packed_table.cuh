// SPDX-License-Identifier: BSD-3-Clause
// The packed kernels of one recurrence, by rows; each recurrence is compiled in a file of its own.
#pragma once

#include "cuda/kernels/kernels.hpp"
#include "cuda/kernels/packed_cells.cuh"
#include "cuda/kernels/sweep_kernel.cuh"

namespace nwgpu::cuda {

template <class Cells>
SweepKernel describe_kernel()
{
    return {reinterpret_cast<void const *>(&sweep_kernel<Cells>),
            Cells::strip_rows,
            Cells::letter_bytes,
            Cells::warps_per_block,
            Cells::warps_per_multiprocessor,
            Cells::raw_columns};
}

template <bool local, bool linear>
SweepKernel packed_table(int pairs)
{
    switch (pairs) {
    case 2:
        return describe_kernel<PackedCells<2, local, linear>>();
    case 4:
        return describe_kernel<PackedCells<4, local, linear>>();
    case 8:
        return describe_kernel<PackedCells<8, local, linear>>();
    case 12:
        return describe_kernel<PackedCells<12, local, linear>>();
    case 16:
        return describe_kernel<PackedCells<16, local, linear>>();
    case 20:
        return describe_kernel<PackedCells<20, local, linear>>();
    case 24:
        return describe_kernel<PackedCells<24, local, linear>>();
    case 28:
        return describe_kernel<PackedCells<28, local, linear>>();
    case 30:
        return describe_kernel<PackedCells<30, local, linear>>();
    case 32:
        return describe_kernel<PackedCells<32, local, linear>>();
    case 34:
        return describe_kernel<PackedCells<34, local, linear>>();
    case 36:
        return describe_kernel<PackedCells<36, local, linear>>();
    case 37:
        return describe_kernel<PackedCells<37, local, linear>>();
    case 38:
        return describe_kernel<PackedCells<38, local, linear>>();
    case 40:
        return describe_kernel<PackedCells<40, local, linear>>();
    case 44:
        return describe_kernel<PackedCells<44, local, linear>>();
    case 50:
        return describe_kernel<PackedCells<50, local, linear>>();
    }
    if constexpr (linear) {
        if (pairs == 74)
            return describe_kernel<PackedCells<74, local, linear>>();
        if (pairs == 76)
            return describe_kernel<PackedCells<76, local, linear>>();
    }
    return {};
}

} // namespace nwgpu::cuda
