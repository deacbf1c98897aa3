// SPDX-License-Identifier: BSD-3-Clause
// Devices, streams and memory.  Memory of the device begins as garbage.
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>

#include "cuda_runtime.h"

using namespace nwgpu::emulated;

// Devices: as many as NWGPU_EMULATED_DEVICES says, one by itself

namespace {

thread_local int current_device = 0;
constexpr std::size_t total_bytes = std::size_t{4} << 30;

int devices()
{
    char const * const text = std::getenv("NWGPU_EMULATED_DEVICES");
    return text ? std::atoi(text) : 1;
}

// Sizes of all memory, by kind.
struct Memory {
    std::mutex mutex;
    std::map<void const *, std::size_t> device, host;
    std::size_t used = 0;
};
Memory & memory()
{
    static Memory & all = *new Memory;
    return all;
}

cudaError_t allocate(void ** result, std::size_t bytes, bool on_device)
{
    Memory & all = memory();
    std::lock_guard const lock{all.mutex};
    if (on_device && bytes > total_bytes - all.used)
        return cudaErrorMemoryAllocation;
    *result = std::aligned_alloc(512, (bytes + 511) / 512 * 512);
    if (!*result)
        return cudaErrorMemoryAllocation;
    std::memset(*result, 0xa5, bytes);
    (on_device ? all.device : all.host)[*result] = bytes;
    if (on_device)
        all.used += bytes;
    return cudaSuccess;
}

cudaError_t release(void * what, bool on_device)
{
    if (!what)
        return cudaSuccess;
    Memory & all = memory();
    std::lock_guard const lock{all.mutex};
    auto & of = on_device ? all.device : all.host;
    auto const found = of.find(what);
    if (found == of.end())
        fail("memory is given back that was not allocated");
    if (on_device)
        all.used -= found->second;
    of.erase(found);
    std::free(what);
    return cudaSuccess;
}

} // namespace

cudaError_t cudaGetDeviceCount(int * count)
{
    *count = devices();
    return cudaSuccess;
}
cudaError_t cudaGetDevice(int * device)
{
    *device = current_device;
    return cudaSuccess;
}
cudaError_t cudaSetDevice(int device)
{
    if (device < 0 || device >= devices())
        return cudaErrorInvalidValue;
    current_device = device;
    return cudaSuccess;
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp * properties, int device)
{
    if (device < 0 || device >= devices())
        return cudaErrorInvalidValue;
    *properties = {"emulated on the CPU", {{static_cast<char>(device)}}, total_bytes, 228 << 10, 227 << 10, 2, 8, 0};
    return cudaSuccess;
}
cudaError_t cudaDeviceGetAttribute(int * value, cudaDeviceAttr attribute, int)
{
    *value = attribute == cudaDevAttrComputeCapabilityMajor ? 8 : 0;
    return cudaSuccess;
}
cudaError_t cudaDriverGetVersion(int * version)
{
    *version = CUDART_VERSION;
    return cudaSuccess;
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t * stream, unsigned)
{
    *stream = reinterpret_cast<cudaStream_t>(new char);
    return cudaSuccess;
}
cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    delete reinterpret_cast<char *>(stream);
    return cudaSuccess;
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t * pool, cudaMemPoolProps const *)
{
    *pool = reinterpret_cast<cudaMemPool_t>(new char);
    return cudaSuccess;
}
cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool)
{
    delete reinterpret_cast<char *>(pool);
    return cudaSuccess;
}
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t, cudaMemPoolAttr, void *) { return cudaSuccess; }
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t, cudaMemPoolAttr, void * value)
{
    *static_cast<std::uint64_t *>(value) = memory().used;
    return cudaSuccess;
}
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t, std::size_t) { return cudaSuccess; }
cudaError_t cudaMallocFromPoolAsync(void ** result, std::size_t bytes, cudaMemPool_t, cudaStream_t)
{
    return allocate(result, bytes, true);
}
cudaError_t cudaFreeAsync(void * what, cudaStream_t) { return release(what, true); }
cudaError_t cudaFree(void * what) { return release(what, true); }
cudaError_t cudaHostAlloc(void ** result, std::size_t bytes, unsigned) { return allocate(result, bytes, false); }
cudaError_t cudaFreeHost(void * what) { return release(what, false); }
cudaError_t cudaHostRegister(void * what, std::size_t bytes, unsigned)
{
    Memory & all = memory();
    std::lock_guard const lock{all.mutex};
    return all.host.insert({what, bytes}).second ? cudaSuccess : cudaErrorInvalidValue;
}
cudaError_t cudaHostUnregister(void * what)
{
    Memory & all = memory();
    std::lock_guard const lock{all.mutex};
    return all.host.erase(what) == 1 ? cudaSuccess : cudaErrorInvalidValue;
}
cudaError_t cudaMemGetInfo(std::size_t * free, std::size_t * total)
{
    *total = total_bytes;
    *free = total_bytes - memory().used;
    return cudaSuccess;
}
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes * attributes, void const * what)
{
    Memory & all = memory();
    std::lock_guard const lock{all.mutex};
    auto after = all.host.upper_bound(what);
    bool const known = after != all.host.begin() && what < static_cast<char const *>((--after)->first) + after->second;
    *attributes = {known ? cudaMemoryTypeHost : cudaMemoryTypeUnregistered};
    return cudaSuccess;
}
cudaError_t cudaMemcpyAsync(void * to, void const * from, std::size_t bytes, cudaMemcpyKind, cudaStream_t)
{
    std::memcpy(to, from, bytes);
    return cudaSuccess;
}
cudaError_t cudaMemsetAsync(void * what, int byte, std::size_t bytes, cudaStream_t)
{
    std::memset(what, byte, bytes);
    return cudaSuccess;
}
