// SPDX-License-Identifier: BSD-3-Clause
// Memory is counted where it is allocated: counted.cpp replaces operator new of a program.
#pragma once

#include <atomic>
#include <cstddef>

namespace nwgpu::test {

// Bytes that were given out and not given back, and the most of them since it was set.
extern std::atomic<std::size_t> allocated, peak;
// What would be more than this fails; SIZE_MAX at first.
extern std::atomic<std::size_t> most_allocated;

} // namespace nwgpu::test
