// SPDX-License-Identifier: BSD-3-Clause
// Devices, streams and memory.  Memory of the device begins as garbage.
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <vector>

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

constexpr int garbage = 0xa5;

// From this size on, memory is mapped from a file of garbage: pages that nobody touches, most of a large allocation,
// cost nothing.  AddressSanitizer knows the bounds of what aligned_alloc() gives.
#ifdef __SANITIZE_ADDRESS__
constexpr std::size_t mapped_from = SIZE_MAX;
#else
constexpr std::size_t mapped_from = std::size_t{1} << 20;
#endif
constexpr std::size_t file_bytes = std::size_t{16} << 20;

int file_of_garbage()
{
    static int const file = [] {
        int const made = memfd_create("garbage", 0);
        std::vector<char> const bytes(file_bytes, static_cast<char>(garbage));
        if (made < 0 || write(made, bytes.data(), file_bytes) != static_cast<ssize_t>(file_bytes))
            fail("no file of garbage");
        return made;
    }();
    return file;
}

// What is written to the pages stays in this memory.
void * map_garbage(std::size_t bytes)
{
    void * const result = mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (result == MAP_FAILED)
        return nullptr;
    for (std::size_t at = 0; at < bytes; at += file_bytes)
        if (mmap(static_cast<char *>(result) + at, std::min(file_bytes, bytes - at), PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE, file_of_garbage(), 0) == MAP_FAILED)
            fail("garbage cannot be mapped");
    return result;
}

cudaError_t allocate(void ** result, std::size_t bytes, bool on_device)
{
    Memory & all = memory();
    std::lock_guard const lock{all.mutex};
    if (on_device && bytes > total_bytes - all.used)
        return cudaErrorMemoryAllocation;
    bool const mapped = bytes >= mapped_from;
    *result = mapped ? map_garbage(bytes) : std::aligned_alloc(512, (bytes + 511) / 512 * 512);
    if (!*result)
        return cudaErrorMemoryAllocation;
    if (!mapped)
        std::memset(*result, garbage, bytes);
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
    if (found->second >= mapped_from)
        munmap(what, found->second);
    else
        std::free(what);
    of.erase(found);
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
