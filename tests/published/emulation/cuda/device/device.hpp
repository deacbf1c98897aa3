// SPDX-License-Identifier: BSD-3-Clause
// Takes the place of libnwgpu/cuda/device/device.hpp: device memory is host memory, full of rubbish at first, with
// guards behind it.  Whoever touches a device has made it current for its own thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <utility>
#include <vector>

#include "backend/backend.hpp"
#include "cuda/engine.hpp"

namespace nwgpu::cuda {

inline thread_local int current_device = -1;
extern std::atomic<std::uint64_t> uploaded[]; // bytes, of each device

class DeviceGuard {
public:
    explicit DeviceGuard(int device) : previous_{std::exchange(current_device, device)} {}
    ~DeviceGuard() { current_device = previous_; }
    DeviceGuard(DeviceGuard const &) = delete;

private:
    int previous_;
};

class Device {
public:
    explicit Device(EngineOptions const & options) : index_{options.device} {}
    int index() const { return index_; }
    int multiprocessors() const { return 2; }
    std::uint64_t budget() const { return std::uint64_t{1} << 32; }
    std::uint64_t used() const { return 0; }
    void trim() {}

    void * allocate(std::uint64_t bytes)
    {
        check_current();
        auto * const memory = static_cast<unsigned char *>(::operator new(bytes + guard_bytes));
        std::memset(memory, 0xcd, bytes);
        std::memset(memory + bytes, 0xa5, guard_bytes);
        return memory;
    }
    void release(void * memory, std::uint64_t bytes) noexcept
    {
        for (std::uint64_t k = bytes; k < bytes + guard_bytes; ++k)
            if (static_cast<unsigned char *>(memory)[k] != 0xa5)
                std::terminate(); // a kernel wrote behind its memory
        ::operator delete(memory);
    }
    void upload(void * to, void const * from, std::uint64_t bytes)
    {
        copy(to, from, bytes);
        uploaded[index_] += bytes;
    }
    void download(void * to, void const * from, std::uint64_t bytes) { copy(to, from, bytes); }
    void check_current() const
    {
        if (current_device != index_)
            throw std::logic_error{"another device is current"};
    }

private:
    static constexpr std::uint64_t guard_bytes = 64;
    void copy(void * to, void const * from, std::uint64_t bytes)
    {
        check_current();
        if (bytes > 0)
            std::memcpy(to, from, bytes);
    }

    int index_;
};

} // namespace nwgpu::cuda

#include "cuda/device/device_array.hpp"
