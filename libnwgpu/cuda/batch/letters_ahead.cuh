// SPDX-License-Identifier: BSD-3-Clause
// The letters of a target as a lane of a group meets them: in step t, that of the column t - 2 lane.  They are asked
// for two steps before they are taken, so that a step does not wait for the device's memory.
#pragma once

#include "cuda/kernels/halves.cuh"

namespace nwgpu::cuda::batch {

class LettersAhead {
public:
    // none: where there is no column.
    __device__ LettersAhead(std::uint32_t none, std::uint8_t const * target, int n, int lane) :
        none_{kept(none)}, at_{target - 2 * lane}, column_{-2 * lane}, columns_{static_cast<std::uint32_t>(n)}
    {
#if defined(__CUDA_ARCH__) && defined(__CUDACC__)
        asm volatile("" : "+l"(at_)); // else each step makes it from the kernel's arguments
#endif
        ask();
    }
    struct Two {
        std::uint32_t first, second;
    };
    // Of the next two steps: where a profile with so many bytes per letter has them.
    __device__ Two take(std::uint32_t letter_bytes)
    {
        Two const two{next_.first * letter_bytes, next_.second * letter_bytes};
        ask();
        return two;
    }

private:
    __device__ void ask()
    {
        auto const column = static_cast<std::uint32_t>(column_);
        next_ = {column < columns_ ? __ldg(at_) : none_, column + 1 < columns_ ? __ldg(at_ + 1) : none_};
        column_ += 2;
        at_ += 2;
    }

    std::uint32_t const none_;
    std::uint8_t const * at_;
    int column_;
    std::uint32_t const columns_;
    Two next_;
};

} // namespace nwgpu::cuda::batch
