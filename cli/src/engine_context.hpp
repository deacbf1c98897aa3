// SPDX-License-Identifier: BSD-3-Clause
// From options of the command to a context of the library.
#pragma once

#include "engine.hpp"

#include <cstdint>

namespace cli {

// Ranks and GPUs that take part.
std::uint64_t count_places(EngineOptions const & options);

// `log`: whether the library's messages are shown.  Throws Failure where --device is not understood or not there.
nwgpu::Context make_context(EngineOptions const & options, std::int32_t threads, Progress & progress, bool log);

} // namespace cli
