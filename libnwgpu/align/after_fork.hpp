// SPDX-License-Identifier: BSD-3-Clause
// Keeps engines working in a child made by fork().  A fork copies only the calling thread; the OpenMP runtime of GCC
// still believes in the pool of that thread and would wait for it for ever.  A new thread gets a pool of its own.
#pragma once

#include <functional>

#include "backend/backend.hpp"

namespace nwgpu {

// Runs `work(progress)`: here, or in a forked child on a new thread.  Either way `progress`, which may be empty, is
// called on the thread that called this, and exceptions arrive there.
void run_with_live_threads(std::function<void(Progress const &)> const & work, Progress const & progress);

} // namespace nwgpu
