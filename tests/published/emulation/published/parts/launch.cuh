// SPDX-License-Identifier: BSD-3-Clause
// Takes the place of libnwgpu/published/parts/launch.cuh: kernels run at once, on the CPU.
#pragma once

#include <algorithm>
#include <type_traits>

#include "fibers.hpp"
#include "published/gpu_algorithms.hpp"

#define __global__ [[maybe_unused]] static
#define __device__
#define __host__

inline void __syncthreads() { nwgpu::test::wait_for(nwgpu::test::Wait::block); }
inline void __syncwarp() { nwgpu::test::wait_for(nwgpu::test::Wait::warp); }
inline void __threadfence() {}
inline void __nanosleep(unsigned) { nwgpu::test::wait_for(nwgpu::test::Wait::nothing); }
inline unsigned atomicAdd(unsigned * to, unsigned value)
{
    unsigned const before = *to;
    *to += value;
    return before;
}
inline int __shfl_up_sync(unsigned, int value, unsigned lanes)
{
    unsigned const lane = threadIdx.x % 32;
    nwgpu::test::exchanged(lane) = value;
    __syncwarp();
    int const result = lane < lanes ? value : static_cast<int>(nwgpu::test::exchanged(lane - lanes));
    __syncwarp();
    return result;
}

namespace nwgpu::published {

struct Launch {
    std::uint64_t blocks;
    unsigned threads;
    std::size_t shared_bytes = 0;
};

template <class T>
T * shared_memory()
{
    return static_cast<T *>(test::fiber_shared_memory());
}

inline void grid_barrier() { test::wait_for(test::Wait::grid); }
inline std::uint64_t thread_number() { return std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; }
inline std::uint64_t thread_count() { return std::uint64_t{gridDim.x} * blockDim.x; }

template <class... Parameters, class... Arguments>
void launch(Device & device, void (*kernel)(Parameters...), Launch const & how, Arguments const &... arguments)
{
    device.check_current();
    test::run_fibers({static_cast<unsigned>(how.blocks), how.threads, how.shared_bytes, false},
                     [&] { kernel(static_cast<Parameters>(arguments)...); });
}

template <class... Parameters>
unsigned resident_blocks(Device &, void (*)(Parameters...), unsigned, std::size_t)
{
    return 3;
}

template <class... Parameters>
void launch_together(Device & device, void (*kernel)(Parameters...), Launch const & how,
                     std::type_identity_t<Parameters>... arguments)
{
    device.check_current();
    test::run_fibers({static_cast<unsigned>(how.blocks), how.threads, how.shared_bytes, true},
                     [&] { kernel(arguments...); });
}

template <class T>
void clear(Device &, DeviceArray<T> const & memory)
{
    std::memset(static_cast<void *>(memory.data()), 0, memory.bytes());
}

class LaunchGraph {
public:
    explicit LaunchGraph(Device &) {}
    void run() {}
};

} // namespace nwgpu::published
