// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdlib>
#include <cstring>
#include <memory>

#include "base/kept_memory.hpp"

namespace nwgpu {

// Memory as a GPU's engine has it, but page-locked, and as if it had been used.
inline std::shared_ptr<KeptMemory> used_memory(std::size_t most_bytes)
{
    auto const make = [](std::size_t bytes) {
        void * const memory = std::aligned_alloc(KeptMemory::page, bytes);
        std::memset(memory, 0xa5, bytes);
        return memory;
    };
    return std::make_shared<KeptMemory>(KeptMemory::Source{make, &std::free}, 1, most_bytes);
}

} // namespace nwgpu
