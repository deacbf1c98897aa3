// SPDX-License-Identifier: BSD-3-Clause
// Residues of steps in memory, as the kernels of a batch store them, for their code on the host.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cuda/batch/group_field.cuh"

namespace nwgpu::test {

// `stored`: of 32 lanes; `lane` of the pair's step t.
template <int rows, int bits>
void store_step(std::vector<uint4> & stored, int t, int lane, cuda::batch::StepWords<rows, bits> const & words)
{
    constexpr int pieces = cuda::batch::pieces_of(rows, bits);
    for (int p = 0; p < pieces; ++p) {
        auto * const to =
            reinterpret_cast<std::uint32_t *>(&stored[static_cast<std::size_t>((t / 2 * pieces + p) * 32 + lane)]);
        to[t % 2] = words.word[2 * p];
        to[2 + t % 2] = words.word[2 * p + 1];
    }
}

} // namespace nwgpu::test
