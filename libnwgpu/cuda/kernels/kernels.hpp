// SPDX-License-Identifier: BSD-3-Clause
// The compiled sweep kernels, for host code.
#pragma once

#include <array>
#include <cstdint>

#include "cuda/kernels/sweep_job.hpp"

namespace nwgpu::cuda {

struct SweepKernel {
    void const * function = nullptr; // __global__ void (SweepArgs<S>)
    std::uint32_t strip_rows = 0;
    std::uint32_t letter_bytes = 0;                                  // of shared memory, for each target letter
    std::uint32_t warps_per_block = 0, warps_per_multiprocessor = 0; // the latter: that it is compiled for
    bool raw_columns = false;                                        // raw_columns.hpp
};

// Rows of a lane's half in packed kernels, ascending: the only list of them, with which kernels are compiled and sweeps
// are planned.  nwgpu_gpu_sizes has found it (tests/gpu/sizes.cpp).  In a band only powers of two are used, from 4 on.
inline constexpr std::array packed_rows{2, 4, 8, 16, 20, 30, 37, 47, 75};
// More are for linear gaps, which need half the registers.
constexpr int most_affine_rows = 50;

// What a packed kernel of so many rows would be, but for its function.
constexpr int packed_words(int rows) // of a half's profile, for each letter; wide loads are worth padding
{
    return rows <= 8 ? (rows + 3) / 4 : (rows + 15) / 16 * 4;
}
constexpr SweepKernel packed_shape(int rows)
{
    auto const strip_rows = static_cast<std::uint32_t>(64 * rows),
               letter_bytes = static_cast<std::uint32_t>(2 * 32 * 4 * packed_words(rows));
    // One warp for each scheduler of a multiprocessor: the slowest sets the pace.
    return {nullptr, strip_rows, letter_bytes, 4, rows <= 4 ? 12u : 4u, true};
}

// No function where it is not compiled.
SweepKernel packed_local_affine(int rows);
SweepKernel packed_local_linear(int rows);
SweepKernel packed_global_affine(int rows);
SweepKernel packed_global_linear(int rows);
inline SweepKernel packed_kernel(bool local, bool linear, int rows)
{
    return local    ? linear ? packed_local_linear(rows) : packed_local_affine(rows)
              : linear ? packed_global_linear(rows)
                    : packed_global_affine(rows);
}

// `letters`: of the targets; `shared`: bytes of shared memory that a block can have.
template <class S>
SweepKernel plain_kernel(bool traced, std::uint64_t letters, std::uint64_t shared);

} // namespace nwgpu::cuda
