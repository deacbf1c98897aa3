// SPDX-License-Identifier: BSD-3-Clause
// The micro-benchmark of paper C, 4.1 and 4.4: many kernels that do nothing, against one kernel that waits at a barrier
// of all blocks as often.  The paper: the barrier in software is three times as fast as a relaunch (GTX 280).  Prints
// one line for each way and number of blocks: microseconds a step.
#include <chrono>
#include <cstdio>

#include <cooperative_groups.h>

#include "cuda/device/device.hpp"
#include "cuda/engine.hpp"

namespace {

constexpr int steps = 16384; // as many diagonals as two sequences of 8K have
constexpr unsigned threads = 256;

__global__ void nothing() {}

// As swat_barrier.cu has it.
__global__ void software_barriers(unsigned * counter)
{
    for (unsigned step = 0; step < steps; ++step) {
        __syncthreads();
        if (threadIdx.x == 0) {
            __threadfence();
            atomicAdd(counter, 1u);
            while (*static_cast<unsigned volatile *>(counter) < (step + 1) * gridDim.x)
                __nanosleep(20);
            __threadfence();
        }
        __syncthreads();
    }
}

__global__ void grid_barriers()
{
    for (int step = 0; step < steps; ++step)
        cooperative_groups::this_grid().sync();
}

void check(cudaError_t error) { nwgpu::cuda::check(error, "the benchmark"); }

template <class Work>
void measure(char const * name, unsigned blocks, cudaStream_t stream, Work const & work)
{
    double best = 1e9;
    for (int k = 0; k < 4; ++k) {
        check(cudaStreamSynchronize(stream));
        auto const begin = std::chrono::steady_clock::now();
        work();
        check(cudaStreamSynchronize(stream));
        best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    }
    std::printf("%s\t%u\t%.3f us\n", name, blocks, best / steps * 1e6);
}

void run()
{
    cudaStream_t stream = nullptr;
    unsigned * counter = nullptr;
    int multiprocessors = 0;
    check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    check(cudaStreamCreate(&stream));
    check(cudaMalloc(&counter, sizeof *counter));
    std::printf("way\tblocks\ta step\n");
    for (unsigned const blocks : {1u, 8u, 30u, static_cast<unsigned>(multiprocessors)}) {
        measure("relaunch", blocks, stream, [&] {
            for (int step = 0; step < steps; ++step)
                nothing<<<blocks, threads, 0, stream>>>();
            check(cudaGetLastError());
        });
        cudaGraph_t graph = nullptr;
        cudaGraphExec_t executable = nullptr;
        check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
        for (int step = 0; step < steps; ++step)
            nothing<<<blocks, threads, 0, stream>>>();
        check(cudaStreamEndCapture(stream, &graph));
        check(cudaGraphInstantiate(&executable, graph, 0));
        measure("graph of launches", blocks, stream, [&] { check(cudaGraphLaunch(executable, stream)); });
        check(cudaGraphExecDestroy(executable));
        check(cudaGraphDestroy(graph));
        void * software_arguments[] = {&counter};
        measure("software barrier", blocks, stream, [&] {
            check(cudaMemsetAsync(counter, 0, sizeof *counter, stream));
            check(cudaLaunchCooperativeKernel(software_barriers, dim3{blocks}, dim3{threads}, software_arguments, 0,
                                              stream));
        });
        measure("grid barrier", blocks, stream, [&] {
            check(cudaLaunchCooperativeKernel(grid_barriers, dim3{blocks}, dim3{threads}, nullptr, 0, stream));
        });
    }
    check(cudaFree(counter));
    check(cudaStreamDestroy(stream));
}

} // namespace

int main()
{
    if (nwgpu::cuda::device_count() == 0) {
        std::printf("left out: %s\n", nwgpu::cuda::why_none().c_str());
        return 0;
    }
    try {
        run();
    } catch (std::exception const & error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
    return 0;
}
