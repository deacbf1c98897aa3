// SPDX-License-Identifier: BSD-3-Clause
// What was freed goes back to the system: the C library keeps some of it, on top of what a limit allows.
#pragma once

#include <cstdlib>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace nwgpu {

inline void give_freed_memory_back()
{
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

} // namespace nwgpu
