// SPDX-License-Identifier: BSD-3-Clause
// How published algorithms start kernels: single ones, many as one graph, and all blocks at once.  Kernels keep to what
// is here and to plain CUDA, so that tests/published can run them without a GPU.
#pragma once

#include <cooperative_groups.h>

#include <type_traits>

#include "published/gpu_algorithms.hpp"

namespace nwgpu::published {

struct Launch {
    std::uint64_t blocks;
    unsigned threads;
    std::size_t shared_bytes = 0;
};

// The block's dynamic shared memory, 16 bytes aligned.
template <class T>
__device__ T * shared_memory()
{
    extern __shared__ __align__(16) unsigned char published_shared[];
    return reinterpret_cast<T *>(published_shared);
}

// Waits for all threads of a launch_together().
__device__ inline void grid_barrier() { cooperative_groups::this_grid().sync(); }

// Threads of a launch, counted through.
__device__ inline std::uint64_t thread_number() { return std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; }
__device__ inline std::uint64_t thread_count() { return std::uint64_t{gridDim.x} * blockDim.x; }

template <class... Parameters>
void allow_shared_memory(void (*kernel)(Parameters...), std::size_t bytes)
{
    if (bytes > 48 * 1024)
        cuda::check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)),
                    "asking for shared memory");
}

template <class... Parameters, class... Arguments>
void launch(Device & device, void (*kernel)(Parameters...), Launch const & how, Arguments const &... arguments)
{
    allow_shared_memory(kernel, how.shared_bytes);
    kernel<<<static_cast<unsigned>(how.blocks), how.threads, how.shared_bytes, device.stream()>>>(arguments...);
    cuda::check(cudaGetLastError(), "starting a kernel");
}

// The most blocks that can be on the device at once.
template <class... Parameters>
unsigned resident_blocks(Device & device, void (*kernel)(Parameters...), unsigned threads, std::size_t shared_bytes)
{
    allow_shared_memory(kernel, shared_bytes);
    int blocks = 0;
    cuda::check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, static_cast<int>(threads), shared_bytes),
                "asking for the occupancy");
    return static_cast<unsigned>(blocks * device.multiprocessors());
}

// One cooperative launch: all blocks are on the device at once.
template <class... Parameters>
void launch_together(Device & device, void (*kernel)(Parameters...), Launch const & how,
                     std::type_identity_t<Parameters>... arguments)
{
    allow_shared_memory(kernel, how.shared_bytes);
    void * pointers[] = {&arguments...};
    cuda::check(cudaLaunchCooperativeKernel(kernel, dim3{static_cast<unsigned>(how.blocks)}, dim3{how.threads},
                                            pointers, how.shared_bytes, device.stream()),
                "starting a cooperative kernel");
}

// In the order of the stream.
template <class T>
void clear(Device & device, DeviceArray<T> const & memory)
{
    cuda::check(cudaMemsetAsync(memory.data(), 0, memory.bytes(), device.stream()), "clearing memory");
}

// What is launched while this lives becomes one CUDA graph, which run() starts: so all papers' multi-launch algorithms
// are run here.  Nothing may be allocated or copied meanwhile.
class LaunchGraph {
public:
    explicit LaunchGraph(Device & device) : device_{device}
    {
        cuda::check(cudaStreamBeginCapture(device_.stream(), cudaStreamCaptureModeThreadLocal), "beginning a graph");
    }
    LaunchGraph(LaunchGraph const &) = delete;
    ~LaunchGraph()
    {
        if (capturing_)
            cudaStreamEndCapture(device_.stream(), &graph_);
        if (executable_)
            cudaGraphExecDestroy(executable_);
        if (graph_)
            cudaGraphDestroy(graph_);
    }
    void run()
    {
        capturing_ = false;
        cuda::check(cudaStreamEndCapture(device_.stream(), &graph_), "ending a graph");
        cuda::check(cudaGraphInstantiate(&executable_, graph_, 0), "making a graph");
        cuda::check(cudaGraphLaunch(executable_, device_.stream()), "starting a graph");
        cuda::check(cudaStreamSynchronize(device_.stream()), "running a graph");
    }

private:
    Device & device_;
    bool capturing_ = true;
    cudaGraph_t graph_ = nullptr;
    cudaGraphExec_t executable_ = nullptr;
};

} // namespace nwgpu::published
