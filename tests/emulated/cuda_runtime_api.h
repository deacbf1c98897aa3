// SPDX-License-Identifier: BSD-3-Clause
// CUDA's runtime as far as the engine uses it, on the CPU: every call ends before it returns, and memory of the device
// is memory of the host.  Kernels are ordinary functions; threads.cpp runs their threads as fibers, one at a time.
// What is not there does not compile: nothing is left out silently.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#define CUDART_VERSION 12000

#define __host__
#define __device__
#define __global__
#define __forceinline__ inline
#define __launch_bounds__(...)
#define __grid_constant__
#define __align__(bytes) alignas(bytes)
#define __shared__ static thread_local // the blocks that a host thread has launched run one after the other

struct dim3 {
    unsigned x = 1, y = 1, z = 1;
    constexpr dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1) : x{x_}, y{y_}, z{z_} {}
};
struct alignas(16) uint4 {
    unsigned x, y, z, w;
};
struct alignas(16) longlong2 {
    long long x, y;
};
inline longlong2 make_longlong2(long long x, long long y) { return {x, y}; }

enum cudaError_t {
    cudaSuccess,
    cudaErrorMemoryAllocation,
    cudaErrorNotReady,
    cudaErrorInsufficientDriver,
    cudaErrorInvalidValue,
    cudaErrorIllegalAddress,
    cudaErrorLaunchFailure,
    cudaErrorLaunchTimeout,
    cudaErrorHardwareStackError,
    cudaErrorIllegalInstruction,
    cudaErrorMisalignedAddress,
    cudaErrorInvalidAddressSpace,
    cudaErrorInvalidPc,
    cudaErrorAssert,
    cudaErrorECCUncorrectable,
    cudaErrorDeviceUninitialized,
    cudaErrorContextIsDestroyed,
    cudaErrorNotPermitted,
    cudaErrorStreamCaptureUnsupported,
    cudaErrorStreamCaptureImplicit
};
inline cudaError_t cudaGetLastError() { return cudaSuccess; }
inline char const * cudaGetErrorString(cudaError_t error)
{
    return error == cudaErrorMemoryAllocation ? "out of memory" : "an error of the emulated device";
}

// ---- devices

enum cudaDeviceAttr { cudaDevAttrComputeCapabilityMajor, cudaDevAttrComputeCapabilityMinor };
struct cudaDeviceProp {
    char name[64];
    struct {
        char bytes[16];
    } uuid;
    std::size_t totalGlobalMem, sharedMemPerMultiprocessor, sharedMemPerBlockOptin;
    int multiProcessorCount, major, minor;
};
cudaError_t cudaGetDeviceCount(int * count);
cudaError_t cudaGetDevice(int * device);
cudaError_t cudaSetDevice(int device);
cudaError_t cudaGetDeviceProperties(cudaDeviceProp * properties, int device);
cudaError_t cudaDeviceGetAttribute(int * value, cudaDeviceAttr attribute, int device);
cudaError_t cudaDriverGetVersion(int * version);

// ---- streams

struct CUstream_st;
using cudaStream_t = CUstream_st *;
constexpr unsigned cudaStreamNonBlocking = 1;
cudaError_t cudaStreamCreateWithFlags(cudaStream_t * stream, unsigned flags);
inline cudaError_t cudaStreamCreateWithPriority(cudaStream_t * stream, unsigned flags, int)
{
    return cudaStreamCreateWithFlags(stream, flags);
}
inline cudaError_t cudaDeviceGetStreamPriorityRange(int * low, int * high)
{
    *low = *high = 0;
    return cudaSuccess;
}
cudaError_t cudaStreamDestroy(cudaStream_t stream);
inline cudaError_t cudaStreamSynchronize(cudaStream_t) { return cudaSuccess; }
inline cudaError_t cudaStreamQuery(cudaStream_t) { return cudaSuccess; }

struct CUevent_st {};
using cudaEvent_t = CUevent_st *;
constexpr unsigned cudaEventDisableTiming = 2;
inline cudaError_t cudaEventCreateWithFlags(cudaEvent_t * event, unsigned)
{
    *event = new CUevent_st;
    return cudaSuccess;
}
inline cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    delete event;
    return cudaSuccess;
}
inline cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t) { return cudaSuccess; }
inline cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned = 0) { return cudaSuccess; }

// ---- memory

enum cudaMemcpyKind { cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice };
enum cudaMemoryType { cudaMemoryTypeUnregistered, cudaMemoryTypeHost };
struct cudaPointerAttributes {
    cudaMemoryType type;
};
struct CUmemPoolHandle_st;
using cudaMemPool_t = CUmemPoolHandle_st *;
enum cudaMemAllocationType { cudaMemAllocationTypePinned };
enum cudaMemLocationType { cudaMemLocationTypeDevice };
struct cudaMemPoolProps {
    cudaMemAllocationType allocType;
    struct {
        cudaMemLocationType type;
        int id;
    } location;
};
enum cudaMemPoolAttr {
    cudaMemPoolAttrReleaseThreshold,
    cudaMemPoolAttrReservedMemCurrent,
    cudaMemPoolAttrUsedMemCurrent
};
constexpr unsigned cudaHostAllocPortable = 1;
cudaError_t cudaMemPoolCreate(cudaMemPool_t * pool, cudaMemPoolProps const * properties);
cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool);
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void * value);
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void * value);
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, std::size_t bytes);
cudaError_t cudaMallocFromPoolAsync(void ** memory, std::size_t bytes, cudaMemPool_t pool, cudaStream_t stream);
cudaError_t cudaFreeAsync(void * memory, cudaStream_t stream);
cudaError_t cudaFree(void * memory);
cudaError_t cudaHostAlloc(void ** memory, std::size_t bytes, unsigned flags);
cudaError_t cudaFreeHost(void * memory);
constexpr unsigned cudaHostRegisterPortable = 1;
cudaError_t cudaHostRegister(void * memory, std::size_t bytes, unsigned flags);
cudaError_t cudaHostUnregister(void * memory);
cudaError_t cudaMemGetInfo(std::size_t * free, std::size_t * total);
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes * attributes, void const * memory);
cudaError_t cudaMemcpyAsync(void * to, void const * from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream);
cudaError_t cudaMemsetAsync(void * memory, int byte, std::size_t bytes, cudaStream_t stream);
inline cudaError_t cudaMallocHost(void ** memory, std::size_t bytes) { return cudaHostAlloc(memory, bytes, 0); }

// ---- kernels

struct cudaFuncAttributes {
    std::size_t sharedSizeBytes;
};
enum cudaFuncAttribute { cudaFuncAttributeMaxDynamicSharedMemorySize };
inline cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *, void const *) { return cudaSuccess; }
inline cudaError_t cudaFuncSetAttribute(void const *, cudaFuncAttribute, int) { return cudaSuccess; }
inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int * blocks, void const *, int, std::size_t)
{
    *blocks = 1;
    return cudaSuccess;
}
// `kernel`: known from note_kernel().
cudaError_t cudaLaunchKernel(void const * kernel, dim3 blocks, dim3 threads, void ** arguments, std::size_t shared,
                             cudaStream_t stream);

namespace nwgpu::emulated {

using Caller = void (*)(void const * kernel, void ** arguments);

template <class... P, std::size_t... k>
void call(void (*kernel)(P...), void ** arguments, std::index_sequence<k...>)
{
    kernel(*static_cast<std::remove_cvref_t<P> *>(arguments[k])...);
}

void note(void const * kernel, Caller caller);

template <class... P>
void note_kernel(void (*kernel)(P...))
{
    note(reinterpret_cast<void const *>(kernel), [](void const * address, void ** arguments) {
        call(reinterpret_cast<void (*)(P...)>(const_cast<void *>(address)), arguments, std::index_sequence_for<P...>{});
    });
}

} // namespace nwgpu::emulated
