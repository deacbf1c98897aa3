// SPDX-License-Identifier: BSD-3-Clause
// Occupancy, paper A's graph 6: how many warps the kernels of the published algorithms, and of the engine, can have on
// a multiprocessor at once, in percent of those that it has room for.  The paper has what a profiler measured; here is
// what launches tell by themselves, which leaves out that blocks end at different times:
//
//     kernel    as many blocks as registers, shared memory and threads allow: the theoretical occupancy
//     grid      no more than a launch has for each multiprocessor, on those that have any; the mean of all launches
//
// One line for each kernel, with tabs; docs/plot_reproduction.py draws the last column for paper A.  The linker leads
// the runtime's launches through here (--wrap), so that nothing in the library knows of this.
#include <cxxabi.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <tuple>

#include "cuda/device.hpp"
#include "gpu/gpu.hpp"
#include "published/backend.hpp"
#include "published/subject.hpp"

namespace {

struct Launches {
    std::uint64_t count = 0, blocks = 0;
    std::map<unsigned, std::uint64_t> by_blocks; // how many launches have so many
};
using Shape = std::tuple<void const *, unsigned, std::size_t>; // kernel, threads, bytes of dynamic shared memory

std::map<Shape, Launches> & seen()
{
    static std::map<Shape, Launches> all;
    return all;
}

void note(void const * kernel, dim3 grid, dim3 block, std::size_t shared)
{
    Launches & launches = seen()[{kernel, block.x * block.y * block.z, shared}];
    unsigned const blocks = grid.x * grid.y * grid.z;
    ++launches.count;
    launches.blocks += blocks;
    ++launches.by_blocks[blocks];
}

} // namespace

extern "C" {
// What <<<>>> becomes from CUDA 13 on.
cudaError_t __real___cudaLaunchKernel(cudaKernel_t, dim3, dim3, void **, std::size_t, cudaStream_t);
cudaError_t __wrap___cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void ** arguments, std::size_t shared,
                                      cudaStream_t stream)
{
    note(kernel, grid, block, shared);
    return __real___cudaLaunchKernel(kernel, grid, block, arguments, shared, stream);
}
// The engine calls it by itself.
cudaError_t __real_cudaLaunchKernel(void const *, dim3, dim3, void **, std::size_t, cudaStream_t);
cudaError_t __wrap_cudaLaunchKernel(void const * kernel, dim3 grid, dim3 block, void ** arguments, std::size_t shared,
                                    cudaStream_t stream)
{
    note(kernel, grid, block, shared);
    return __real_cudaLaunchKernel(kernel, grid, block, arguments, shared, stream);
}
cudaError_t __real_cudaLaunchCooperativeKernel(void const *, dim3, dim3, void **, std::size_t, cudaStream_t);
cudaError_t __wrap_cudaLaunchCooperativeKernel(void const * kernel, dim3 grid, dim3 block, void ** arguments,
                                               std::size_t shared, cudaStream_t stream)
{
    note(kernel, grid, block, shared);
    return __real_cudaLaunchCooperativeKernel(kernel, grid, block, arguments, shared, stream);
}
}

namespace nwgpu::test {
namespace {

void check(cudaError_t error) { cuda::check(error, "occupancy"); }

// The last name of "void nwgpu::published::(anonymous namespace)::end_row(...)".
std::string kernel_name(void const * kernel)
{
    char const * mangled = nullptr;
    check(cudaFuncGetName(&mangled, kernel));
    int status = 0;
    char * const plain = abi::__cxa_demangle(mangled, nullptr, nullptr, &status);
    std::string name = status == 0 ? plain : mangled;
    std::free(plain);
    for (std::string const scope : {"(anonymous namespace)", "nwgpu::cuda::"})
        for (std::size_t at; (at = name.find(scope)) != std::string::npos;)
            name.erase(at, scope.size());
    name = name.substr(0, name.find('('));
    std::size_t const templates = name.find('<');
    std::size_t const begin = name.rfind(':', templates);
    return begin == std::string::npos ? name : name.substr(begin + 1);
}

void print(std::string const & algorithm, std::uint64_t m, std::uint64_t n)
{
    cudaDeviceProp device{};
    check(cudaGetDeviceProperties(&device, 0));
    double const room = device.maxThreadsPerMultiProcessor / 32; // warps
    for (auto const & [shape, launches] : seen()) {
        auto const [kernel, threads, shared] = shape;
        int fit = 0;
        cudaFuncAttributes attributes{};
        check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fit, kernel, static_cast<int>(threads), shared));
        check(cudaFuncGetAttributes(&attributes, kernel));
        double const warps = (threads + 31) / 32;
        double sum = 0; // of blocks
        for (auto const & [blocks, count] : launches.by_blocks)
            sum += static_cast<double>(count) *
                   std::min<double>(fit, std::max(1.0, static_cast<double>(blocks) / device.multiProcessorCount));
        double const count = static_cast<double>(launches.count);
        std::printf("%s\t%llu\t%llu\t%s\t%.0f\t%.1f\t%u\t%d\t%zu\t%.1f\t%.1f\n", algorithm.c_str(),
                    static_cast<unsigned long long>(m), static_cast<unsigned long long>(n), kernel_name(kernel).c_str(),
                    count, static_cast<double>(launches.blocks) / count, threads, attributes.numRegs,
                    shared + attributes.sharedSizeBytes, 100 * fit * warps / room, 100 * sum / count * warps / room);
    }
    seen().clear();
}

// Global with the path at the thesis's length, else local at the length of paper C.
void run(std::string const & algorithm, bool thesis, Backend & backend)
{
    std::uint64_t const length = thesis ? 23000 : 8192;
    Scheme const s = thesis ? named_matrix("BLOSUM62", {0, 11}, "ARNDCQEGHILKMFPSTWYV") : scheme("dna_5_3_8_1");
    Random random{36};
    PairSet const set{{random_pair(random, Model::mutated, length, length, s.letters)}, s.scoring};
    Request const request{{.local = !thesis}, thesis ? Output::cigar : Output::end, CigarStyle::eqx};
    BatchResult result;
    seen().clear();
    backend.align(set.batch(), s.scoring, request, {}, result);
    if (result.status[0] != Status::ok)
        throw Error{result.status[0], algorithm + ": " + result.message[0]};
    print(algorithm, set.view(0).m, set.view(0).n);
}

void run_all()
{
    std::printf("algorithm\tquery_length\ttarget_length\tkernel\tlaunches\tblocks\tthreads\tregisters\tshared_bytes\t"
                "kernel_percent\tgrid_percent\n");
    for (published::Algorithm const & algorithm : published::algorithms())
        if (algorithm.processor == published::Processor::cuda)
            run(algorithm.name, algorithm.paper[0] == 'A', *published::make_backend(algorithm.name, {}));
    for (bool const thesis : {true, false})
        run("engine", thesis, *make_gpu());
}

} // namespace
} // namespace nwgpu::test

int main()
{
    if (nwgpu::cuda::device_count() == 0) {
        std::printf("left out: %s\n", nwgpu::cuda::why_none().c_str());
        return 0;
    }
    try {
        nwgpu::test::run_all();
    } catch (std::exception const & error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
    return 0;
}
