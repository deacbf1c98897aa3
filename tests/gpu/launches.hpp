// SPDX-License-Identifier: BSD-3-Clause
// What this program starts on a GPU, kernel by kernel.  The linker leads the runtime's launches through launches.cpp
// (--wrap, see CMakeLists.txt), so that nothing in the library knows of this.  Not for several threads.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>

namespace nwgpu::test {

struct Launches {
    std::uint64_t count = 0, blocks = 0;
    std::map<unsigned, std::uint64_t> by_blocks; // how many launches have so many
    std::uint64_t timed = 0;                     // those that become part of a graph are not
    double milliseconds = 0;                     // of the timed ones
};
using LaunchShape = std::tuple<void const *, unsigned, std::size_t>; // kernel, threads, bytes of dynamic shared memory

// Forgets what was seen.  `timed`: with an event before and one behind each launch, which takes some microseconds.
void note_launches(bool timed);
// Waits for the launches that are timed.
std::map<LaunchShape, Launches> const & noted_launches();

// The last name of "void nwgpu::published::(anonymous namespace)::end_row(...)".
std::string kernel_name(void const * kernel);

} // namespace nwgpu::test
