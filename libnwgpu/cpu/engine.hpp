// SPDX-License-Identifier: BSD-3-Clause
// The CPU engine as align/ sees it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "backend/backend.hpp"

namespace nwgpu::cpu {

struct EngineOptions {
    int threads = 0;                  // 0: all that the process may use
    std::uint64_t max_host_bytes = 0; // 0: no limit
    std::string isa;                  // empty: the best there is
};

// Instruction sets that this build has and this CPU can run, best first: "avx3", "avx2", "sse4", "sse2", "neon".
std::vector<std::string> available_isas();
// All that this build has.
std::vector<std::string> compiled_isas();

// Throws Error unsupported for an instruction set that is not available.
std::unique_ptr<Backend> make_engine(EngineOptions const & options);

} // namespace nwgpu::cpu
