// SPDX-License-Identifier: BSD-3-Clause
// From options of the command to a context of the library.
#pragma once

#include "engine.hpp"

#include <cstdint>

namespace cli {

// Ranks and GPUs that take part.
std::uint64_t count_places(EngineOptions const & options);

// Of the command, beside a GPU: as many as the options tell, or the process may use.
int count_threads(EngineOptions const & options);

// Whether a GPU may be there.  It is not started: that takes tenths of a second.
bool has_gpu_driver();

// Workers use no GPU: where they may have all pairs, none is looked for.
EngineOptions for_workers(EngineOptions options);

// `log`: whether the library's messages are shown.  Throws Failure where --device is not understood or not there.
nwgpu::Context make_context(EngineOptions const & options, std::int32_t threads, Progress & progress, bool log);

} // namespace cli
