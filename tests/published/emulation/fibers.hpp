// SPDX-License-Identifier: BSD-3-Clause
// CUDA's threads on one CPU thread, which is a GPU's (others may be at work at the same time for another one): every
// thread of a block is a fiber, which runs until it waits for its warp, its block or the grid.  Slow, and exact: the
// order in which fibers run changes from launch to launch, so that a kernel that lacks a barrier gives wrong answers.
// A barrier that not all threads reach is an exception.
#pragma once

#include <cstddef>
#include <functional>

struct EmulatedIndex {
    unsigned x = 0, y = 0, z = 0;
};
extern constinit thread_local EmulatedIndex threadIdx, blockIdx, blockDim, gridDim;

namespace nwgpu::test {

enum class Wait { nothing, warp, block, grid };

struct EmulatedLaunch {
    unsigned blocks, threads;
    std::size_t shared_bytes;
    bool together; // all blocks at once, else one after another
};

// Runs `thread` for every thread of the launch.  Throws std::logic_error when threads wait for each other for ever or
// write behind the block's shared memory.
void run_fibers(EmulatedLaunch const & launch, std::function<void()> const & thread);

// For code inside of run_fibers().
void wait_for(Wait what);
void * fiber_shared_memory();
long long & exchanged(unsigned lane); // one word for each lane of the own warp

} // namespace nwgpu::test
