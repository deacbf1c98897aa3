// SPDX-License-Identifier: BSD-3-Clause
// CUDA engines for tests.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "cpu/engine.hpp"
#include "cuda/engine.hpp"

#define NWGPU_NEEDS_GPU()                                                                                              \
    if (nwgpu::cuda::device_count() == 0)                                                                              \
    GTEST_SKIP() << nwgpu::cuda::why_none()

namespace nwgpu::test {

inline std::unique_ptr<Backend> make_gpu(cuda::Tuning const & tuning = {}, std::uint64_t max_device_bytes = 0)
{
    cuda::EngineOptions options;
    options.tuning = tuning;
    options.max_device_bytes = max_device_bytes;
    options.top_finder = cpu::make_swept_finder({});
    return cuda::make_engine(options);
}

inline std::string describe(cuda::Tuning const & tuning)
{
    return "cuda pairs=" + std::to_string(tuning.pairs) + " width=" + std::to_string(tuning.width) +
           " traced=" + std::to_string(tuning.max_traced_cells) + " band=" + std::to_string(tuning.band);
}

} // namespace nwgpu::test
