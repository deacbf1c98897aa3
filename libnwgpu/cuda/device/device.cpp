// SPDX-License-Identifier: BSD-3-Clause
#include "cuda/device/device.hpp"

#include <algorithm>
#include <chrono>
#include <span>
#include <string>
#include <thread>

#include "base/ceil_div.hpp"
#include "base/fingerprint.hpp"
#include "cuda/device/page_locked.hpp"
#include "cuda/device/with_device.hpp"

namespace nwgpu::cuda {

void check(cudaError_t error, char const * what)
{
    if (error == cudaSuccess)
        return;
    cudaGetLastError(); // those that are not sticky are over with this
    std::string const text = std::string{what} + ": " + cudaGetErrorString(error);
    switch (error) {
    case cudaErrorMemoryAllocation:
        throw Error{Status::out_of_device_memory, text};
    case cudaErrorIllegalAddress:
    case cudaErrorLaunchFailure:
    case cudaErrorLaunchTimeout:
    case cudaErrorHardwareStackError:
    case cudaErrorIllegalInstruction:
    case cudaErrorMisalignedAddress:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorInvalidPc:
    case cudaErrorAssert:
    case cudaErrorECCUncorrectable:
    case cudaErrorDeviceUninitialized:
    case cudaErrorContextIsDestroyed:
        throw Error{Status::device_lost, text};
    default:
        throw Error{Status::device, text};
    }
}

DeviceGuard::DeviceGuard(int device)
{
    check(cudaGetDevice(&previous_), "asking for the current device");
    check(cudaSetDevice(device), "choosing the device");
}

DeviceGuard::~DeviceGuard() { cudaSetDevice(previous_); }

void * PinnedBuffer::grow(std::uint64_t bytes)
{
    if (bytes > size_) {
        clear();
        check(cudaGetDevice(&device_), "asking for the current device");
        std::uint64_t const wanted = std::max(bytes + bytes / 4, std::uint64_t{1} << 20); // seldom again
        data_ = make_page_locked(ceil_div(wanted, most_page) * most_page, device_);
        if (!data_) { // some machines lock no other memory
            is_of_runtime_ = cudaMallocHost(&data_, wanted) == cudaSuccess;
            cudaGetLastError();
        }
        if (!data_)
            throw Error{Status::out_of_host_memory, "page-locked memory: out of memory"};
        size_ = wanted;
    }
    return data_;
}

void PinnedBuffer::clear()
{
    if (is_of_runtime_)
        cudaFreeHost(data_);
    else
        free_page_locked(data_, device_);
    data_ = nullptr;
    is_of_runtime_ = false;
    size_ = 0;
}

namespace {

cudaStream_t new_stream()
{
    cudaStream_t made = nullptr;
    check(cudaStreamCreateWithFlags(&made, cudaStreamNonBlocking), "creating a stream");
    return made;
}

} // namespace

Device::Device(EngineOptions const & options) :
    index_{options.device}, limit_{options.max_device_bytes}, believed_free_{options.tuning.free_bytes}
{
    DeviceGuard const guard{index_};
    check(cudaGetDeviceProperties(&properties_, index_), "asking for the device's properties");
    if (options.stream) {
        stream_ = static_cast<cudaStream_t>(options.stream);
    } else {
        own_stream_.reset(new_stream());
        stream_ = own_stream_.get();
    }
    side_.reset(new_stream());
    cudaMemPoolProps pool{};
    pool.allocType = cudaMemAllocationTypePinned;
    pool.location = {cudaMemLocationTypeDevice, index_};
    cudaMemPool_t made_pool = nullptr;
    check(cudaMemPoolCreate(&made_pool, &pool), "creating a memory pool");
    pool_.reset(made_pool);
    std::uint64_t keep = UINT64_MAX; // until trim()
    check(cudaMemPoolSetAttribute(made_pool, cudaMemPoolAttrReleaseThreshold, &keep), "setting up the memory pool");
    void * mailbox = nullptr;
    check(cudaMallocHost(&mailbox, 2 * sizeof *mailbox_), "page-locked memory");
    mailbox_.reset(static_cast<std::uint32_t *>(mailbox));
    stop_flag_.reset(static_cast<std::uint32_t *>(allocate(sizeof *stop_flag_)));
    check(cudaMemsetAsync(stop_flag_.get(), 0, sizeof *stop_flag_, stream_), "clearing memory");
    check(cudaStreamSynchronize(stream_), "setting up the device");
}

Device::~Device()
{
    with_device(index_, [&] {
        cudaStreamSynchronize(stream_);
        stop_flag_.reset();
        mailbox_.reset();
        pool_.reset();
        side_.reset();
        own_stream_.reset();
    });
}

std::uint64_t Device::chip() const { return fingerprint(std::as_bytes(std::span{properties_.uuid.bytes})) | 1; }

std::uint64_t Device::budget() const
{
    if (believed_free_ != 0)
        return used_ + believed_free_;
    if (limit_ != 0)
        return limit_;
    std::size_t free = 0, total = 0;
    std::uint64_t pooled = 0, in_use = 0; // what the pool keeps is free for us
    check(cudaMemGetInfo(&free, &total), "asking for free memory");
    check(cudaMemPoolGetAttribute(pool_.get(), cudaMemPoolAttrReservedMemCurrent, &pooled), "asking for free memory");
    check(cudaMemPoolGetAttribute(pool_.get(), cudaMemPoolAttrUsedMemCurrent, &in_use), "asking for free memory");
    in_use -= std::min(in_use, spare_);
    return used_ + (free + pooled - std::min(in_use, pooled)) / 10 * 9;
}

void * Device::allocate(std::uint64_t bytes)
{
    auto const gives_up = [&] { return give_up_ && give_up_(); };
    while (exceeds_limit(bytes) && gives_up()) {
    }
    if (exceeds_limit(bytes))
        throw Error{Status::out_of_device_memory,
                    "the limit of " + std::to_string(limit_) + " bytes of device memory is too low: " +
                        std::to_string(used_ + spare_) + " are in use, " + std::to_string(bytes) + " more are needed"};
    void * memory = nullptr;
    cudaError_t error = cudaSuccess;
    do {
        error = cudaMallocFromPoolAsync(&memory, std::max<std::uint64_t>(bytes, 1), pool_.get(), stream_);
    } while (error == cudaErrorMemoryAllocation && gives_up());
    check(error, "allocating device memory");
    used_ += bytes;
    return memory;
}

void Device::release(void * memory, std::uint64_t bytes) noexcept
{
    cudaFreeAsync(memory, stream_);
    used_ -= bytes;
}

void * Device::allocate_spare(std::uint64_t bytes) noexcept
{
    void * memory = nullptr;
    if (exceeds_limit(bytes) || cudaMallocFromPoolAsync(&memory, bytes, pool_.get(), stream_) != cudaSuccess) {
        cudaGetLastError(); // nobody needs it
        return nullptr;
    }
    spare_ += bytes;
    return memory;
}

void Device::release_spare(void * memory, std::uint64_t bytes) noexcept
{
    cudaFreeAsync(memory, stream_);
    spare_ -= bytes;
}

void Device::trim()
{
    check(cudaStreamSynchronize(stream_), "waiting for the device");
    check(cudaMemPoolTrimTo(pool_.get(), 0), "giving memory back");
    for (int k = 0; k < 2; ++k) {
        trace_buffers_[k].clear();
        copy_buffers_[k].clear();
    }
}

void Device::upload(void * to, void const * from, std::uint64_t bytes)
{
    if (bytes > 0)
        check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, stream_), "copying to the device");
}

void Device::start_download(void * pinned, void const * from, std::uint64_t bytes)
{
    if (bytes > 0)
        check(cudaMemcpyAsync(pinned, from, bytes, cudaMemcpyDeviceToHost, stream_), "copying from the device");
}

void Device::download(void * to, void const * from, std::uint64_t bytes)
{
    start_download(to, from, bytes);
    check(cudaStreamSynchronize(stream_), "running on the device");
}

void Device::stop_kernel()
{
    mailbox_.get()[1] = 1;
    check(cudaMemcpyAsync(stop_flag_.get(), mailbox_.get() + 1, sizeof *mailbox_, cudaMemcpyHostToDevice, side_.get()),
          "stopping the device");
    check(cudaStreamSynchronize(side_.get()), "stopping the device");
    check(cudaStreamSynchronize(stream_), "stopping the device");
    check(cudaMemsetAsync(stop_flag_.get(), 0, sizeof *stop_flag_, stream_), "clearing memory");
}

void Device::wait(Monitor & monitor, std::uint32_t const * items_done, std::uint32_t item_count, std::uint64_t cells)
{
    using namespace std::chrono;
    if (!monitor.watched()) {
        check(cudaStreamSynchronize(stream_), "running on the device");
        return;
    }
    auto const begin = steady_clock::now();
    auto last = begin;
    for (;;) {
        cudaError_t const state = cudaStreamQuery(stream_);
        if (state != cudaErrorNotReady) {
            check(state, "running on the device");
            break;
        }
        auto const now = steady_clock::now();
        if (now - begin < milliseconds{2})
            continue; // short work: the quickest answer
        std::this_thread::sleep_for(microseconds{200});
        if (now - last < milliseconds{20})
            continue;
        last = now;
        mailbox_.get()[0] = 0;
        if (items_done) {
            check(cudaMemcpyAsync(mailbox_.get(), items_done, sizeof *mailbox_, cudaMemcpyDeviceToHost, side_.get()),
                  "asking for progress");
            check(cudaStreamSynchronize(side_.get()), "asking for progress");
        }
        double const share = item_count ? std::min(1.0, static_cast<double>(mailbox_.get()[0]) / item_count) : 0;
        if (!monitor.report(static_cast<std::uint64_t>(share * static_cast<double>(cells)))) {
            stop_kernel();
            monitor.throw_if_stopped();
        }
    }
    monitor.poll(cells);
}

} // namespace nwgpu::cuda
