// SPDX-License-Identifier: BSD-3-Clause
// CUDA engines for tests.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "cpu/kernels/kernel_table.hpp"
#include "support/engines.hpp"

namespace nwgpu::test {

inline std::unique_ptr<Backend> make_gpu(cuda::Tuning const & tuning = {}, std::uint64_t max_device_bytes = 0)
{
    cuda::EngineOptions options;
    options.tuning = tuning;
    options.max_device_bytes = max_device_bytes;
    options.top_finder = cpu::make_swept_finder({});
    options.to_two_bits = cpu::kernel_table({}).to_two_bits;
    return cuda::make_engine(options);
}

// Pairs of any kind: most of some ten letters, a few longer than what is aligned in batches.
inline std::vector<SequencePair> mixed_pairs(Random & random, std::string_view letters, std::uint64_t count)
{
    std::vector<SequencePair> pairs;
    for (std::uint64_t k = 0; k < count; ++k) {
        std::uint64_t const longest = random.chance(0.02) ? 2500 : random.chance(0.2) ? 700 : 200;
        pairs.push_back(random_pair(random, random.pick(all_models()), random.below(longest + 1),
                                    random.below(longest + 1), letters));
    }
    return pairs;
}

} // namespace nwgpu::test
