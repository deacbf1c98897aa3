// SPDX-License-Identifier: BSD-3-Clause
// The compiled sweep kernels, for host code.
#pragma once

#include <cstdint>

#include "cuda/kernels/sweep_job.hpp"

namespace nwgpu::cuda {

struct SweepKernel {
    void const * function = nullptr; // __global__ void (SweepArgs<S>)
    std::uint32_t strip_rows = 0;
    std::uint32_t letter_bytes = 0;                                  // of shared memory, for each target letter
    std::uint32_t warps_per_block = 0, warps_per_multiprocessor = 0; // the latter: that it is compiled for
    bool raw_columns = false;                                        // columns.hpp
};

// Rows of a lane's half that packed kernels exist for; the largest two only for linear gaps, which need half the
// registers: no function for the others.  With 37 and 74, 5M rows are whole rounds of strips on 132 multiprocessors.
constexpr int packed_pairs[] = {2, 4, 8, 12, 16, 20, 24, 28, 30, 32, 34, 36, 37, 38, 40, 44, 50, 74, 76};

SweepKernel packed_local_affine(int pairs);
SweepKernel packed_local_linear(int pairs);
SweepKernel packed_global_affine(int pairs);
SweepKernel packed_global_linear(int pairs);
inline SweepKernel packed_kernel(bool local, bool linear, int pairs)
{
    return local    ? linear ? packed_local_linear(pairs) : packed_local_affine(pairs)
              : linear ? packed_global_linear(pairs)
                    : packed_global_affine(pairs);
}

template <class S>
SweepKernel plain_kernel(bool traced);

} // namespace nwgpu::cuda
