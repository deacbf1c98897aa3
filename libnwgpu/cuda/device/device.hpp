// SPDX-License-Identifier: BSD-3-Clause
// One GPU as the engine uses it: its stream, its memory, its errors.  Nothing here changes the caller's current device
// or the device's settings.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include <cuda_runtime_api.h>

#include "backend/monitor.hpp"
#include "cuda/options.hpp"

namespace nwgpu::cuda {

// Throws Error out_of_device_memory, device_lost or device, naming the call.
void check(cudaError_t error, char const * what);

// Makes a device current, and the caller's one again at the end.
class DeviceGuard {
public:
    explicit DeviceGuard(int device);
    ~DeviceGuard();
    DeviceGuard(DeviceGuard const &) = delete;

private:
    int previous_ = 0;
};

// Page-locked host memory that grows, for fast copies from the device.
class PinnedBuffer {
public:
    PinnedBuffer() = default;
    PinnedBuffer(PinnedBuffer const &) = delete;
    ~PinnedBuffer() { clear(); }
    void * grow(std::uint64_t bytes); // the device is current
    void clear();

private:
    void * data_ = nullptr;
    std::uint64_t size_ = 0;
    int device_ = 0; // through which it was made
    bool is_of_runtime_ = false;
};

// What the runtime has made, given back at the end.
template <auto give_back>
struct GiveBack {
    template <class T>
    void operator()(T * made) const
    {
        give_back(made);
    }
};
template <class Pointer, auto give_back>
using Owner = std::unique_ptr<std::remove_pointer_t<Pointer>, GiveBack<give_back>>;

class Device {
public:
    explicit Device(EngineOptions const & options);
    ~Device();
    Device(Device const &) = delete;

    int index() const { return index_; }
    std::uint64_t chip() const; // the same number for the same chip, on any host and in any process; never 0
    int multiprocessors() const { return properties_.multiProcessorCount; }
    std::uint64_t shared_bytes() const { return properties_.sharedMemPerMultiprocessor; }
    std::uint64_t shared_bytes_per_block() const { return properties_.sharedMemPerBlockOptin; }
    cudaStream_t stream() const { return stream_; }
    bool has_own_stream() const { return own_stream_ != nullptr; }

    // What may be allocated in all.  Spare memory counts as free.
    std::uint64_t budget() const;
    std::uint64_t used() const { return used_; }
    // In the order of the stream.  Throws Error out_of_device_memory also beyond the budget.
    void * allocate(std::uint64_t bytes);
    void release(void * memory, std::uint64_t bytes) noexcept;
    // The same for memory that is kept for later calls: allocate() takes it back where there is no other, by
    // `give_up`, which returns whether it gave any back.  Null: there is no room.
    void * allocate_spare(std::uint64_t bytes) noexcept;
    void release_spare(void * memory, std::uint64_t bytes) noexcept;
    void set_give_up(std::function<bool()> give_up) { give_up_ = std::move(give_up); }
    void trim();
    // Kept until trim(): making page-locked memory takes longer than most pairs.  Two: one is read while the other is
    // written.
    PinnedBuffer & trace_buffer(int which) { return trace_buffers_[which]; }
    PinnedBuffer & copy_buffer(int which) { return copy_buffers_[which]; }

    void upload(void * to, void const * from, std::uint64_t bytes);
    void download(void * to, void const * from, std::uint64_t bytes); // waits
    void start_download(void * pinned, void const * from, std::uint64_t bytes);

    // Waits for the stream; meanwhile reports `items done of item_count` as a share of `cells`.  Throws Error cancelled
    // when the caller stops the call: the kernel then sees *stop_flag() != 0 and ends.
    void wait(Monitor & monitor, std::uint32_t const * items_done = nullptr, std::uint32_t item_count = 0,
              std::uint64_t cells = 0);
    std::uint32_t * stop_flag() const { return stop_flag_.get(); }

private:
    void stop_kernel();
    bool exceeds_limit(std::uint64_t bytes) const { return limit_ != 0 && used_ + spare_ + bytes > limit_; }

    int index_;
    std::uint64_t limit_, believed_free_;
    cudaDeviceProp properties_{};
    Owner<cudaStream_t, cudaStreamDestroy> own_stream_, side_;
    cudaStream_t stream_ = nullptr; // the own one, or the caller's
    Owner<cudaMemPool_t, cudaMemPoolDestroy> pool_;
    Owner<std::uint32_t *, cudaFreeHost> mailbox_; // pinned
    Owner<std::uint32_t *, cudaFree> stop_flag_;   // on the device
    std::uint64_t used_ = 0, spare_ = 0;
    std::function<bool()> give_up_; // spare memory; may be empty
    PinnedBuffer trace_buffers_[2], copy_buffers_[2];
};

} // namespace nwgpu::cuda

#include "cuda/device/device_array.hpp"
