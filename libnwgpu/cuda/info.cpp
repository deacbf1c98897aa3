// SPDX-License-Identifier: BSD-3-Clause
// Which devices there are, and why there are none.
#include <new>
#include <string>

#include <cuda_runtime_api.h>

#include "cuda/device/device.hpp"
#include "cuda/engine.hpp"
#include "cuda/sweep/row_share.hpp"

namespace nwgpu::cuda {

namespace {

constexpr int least_major = 7, least_minor = 5;

bool usable(int device)
{
    int major = 0, minor = 0;
    return cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device) == cudaSuccess &&
           cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device) == cudaSuccess &&
           (major > least_major || (major == least_major && minor >= least_minor));
}

std::string version_text(int version)
{
    return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

} // namespace

std::string build_info() { return version_text(CUDART_VERSION) + ":" + NWGPU_CUDA_ARCHITECTURES; }

// Devices are numbered as the driver numbers them; the first ones have to be usable.
int device_count()
{
    int count = 0;
    if (cudaGetDeviceCount(&count) != cudaSuccess) {
        cudaGetLastError();
        return 0;
    }
    int good = 0;
    while (good < count && usable(good))
        ++good;
    return good;
}

std::string why_none()
{
    int driver = 0;
    if (cudaDriverGetVersion(&driver) != cudaSuccess || driver == 0) {
        cudaGetLastError();
        return "there is no NVIDIA driver on this machine";
    }
    int count = 0;
    cudaError_t const error = cudaGetDeviceCount(&count);
    cudaGetLastError();
    if (error == cudaErrorInsufficientDriver)
        return "the NVIDIA driver supports CUDA " + version_text(driver) + ", this build needs CUDA " +
               version_text(CUDART_VERSION);
    if (error != cudaSuccess)
        return std::string{"no CUDA device: "} + cudaGetErrorString(error);
    if (count > 0 && !usable(0))
        return "the GPU is older than compute capability " + std::to_string(least_major) + "." +
               std::to_string(least_minor);
    return count > 0 ? std::string{} : std::string{"there is no CUDA device"};
}

std::string name(int device)
{
    int major = 0, minor = 0;
    cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device);
    cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device);
    cudaGetLastError();
    return "cuda:sm_" + std::to_string(10 * major + minor);
}

std::string describe(int device)
{
    cudaDeviceProp properties{};
    if (device < 0 || device >= device_count() || cudaGetDeviceProperties(&properties, device) != cudaSuccess) {
        cudaGetLastError();
        return {};
    }
    return std::string{properties.name} + ", " + std::to_string(properties.totalGlobalMem >> 20) +
           " MiB, compute capability " + std::to_string(properties.major) + "." + std::to_string(properties.minor);
}

std::uint64_t memory_bytes(int device)
{
    cudaDeviceProp properties{};
    if (cudaGetDeviceProperties(&properties, device) != cudaSuccess) {
        cudaGetLastError();
        return 0;
    }
    return properties.totalGlobalMem;
}

RowPace row_pace(int device)
{
    cudaDeviceProp properties{};
    if (cudaGetDeviceProperties(&properties, device) != cudaSuccess) {
        cudaGetLastError();
        return {};
    }
    return share_pace(properties.multiProcessorCount, {});
}

void * allocate_pinned(std::uint64_t bytes, int device)
{
    DeviceGuard const guard{device};
    void * memory = nullptr;
    cudaError_t const error = cudaHostAlloc(&memory, bytes, cudaHostAllocPortable);
    if (error == cudaSuccess)
        return memory;
    cudaGetLastError();
    if (error == cudaErrorMemoryAllocation)
        throw std::bad_alloc{};
    throw Error{Status::device, std::string{"page-locked memory: "} + cudaGetErrorString(error), no_pair, error};
}

void free_pinned(void * memory) noexcept
{
    cudaFreeHost(memory);
    cudaGetLastError();
}

} // namespace nwgpu::cuda
