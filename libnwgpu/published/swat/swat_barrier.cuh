// SPDX-License-Identifier: BSD-3-Clause
// Paper C, 4.4: coalesced with custom barrier.  swat_coalesced.cuh in one launch: between diagonals all blocks wait at
// a barrier in software, a counter in global memory that one thread of each block increments and then watches.
//
//     d0 --barrier-- d1 --barrier-- d2 ...      the counter goes on growing: barrier k is over at (k + 1) * blocks
//
// All blocks must be on the device at once, or those that are would wait for ever: the paper starts no more than there
// are multiprocessors; here the launch is a cooperative one besides, which the driver refuses where that does not hold.
// The paper's counter has no fence around it; ours does.
#pragma once

#include "published/swat/swat.cuh"

namespace nwgpu::published {

namespace swat_barrier_kernels {

__device__ void software_barrier(unsigned * counter, unsigned goal)
{
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(counter, 1u);
        while (*static_cast<unsigned volatile *>(counter) < goal)
            __nanosleep(20);
        __threadfence();
    }
    __syncthreads();
}

__global__ void all_diagonals(Swat s, unsigned * counter)
{
    for (std::uint64_t d = 0; d <= s.m + s.n; ++d) {
        compute_diagonal(s, d);
        software_barrier(counter, static_cast<unsigned>(d + 1) * gridDim.x);
    }
}

} // namespace swat_barrier_kernels

PairResult swat_barrier(GpuTask const & task)
{
    using namespace swat_barrier_kernels;
    SwatGrid grid{task};
    unsigned const most = resident_blocks(task.device, all_diagonals, grid.threads, 0);
    grid.blocks = std::min(grid.blocks, most);
    SwatMemory const memory{task, true, std::uint64_t{grid.blocks} * grid.threads};
    DeviceArray<unsigned> const counter{task.device, std::vector<unsigned>{0}};
    launch_together(task.device, all_diagonals, {grid.blocks, grid.threads}, memory.swat(), counter.data());
    return memory.finish();
}

} // namespace nwgpu::published
