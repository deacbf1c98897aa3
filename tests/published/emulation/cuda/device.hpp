// SPDX-License-Identifier: BSD-3-Clause
// Takes the place of libnwgpu/cuda/device.hpp: device memory is host memory, full of rubbish at first, with guards
// behind it.
#pragma once

#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <utility>
#include <vector>

#include "backend/backend.hpp"
#include "cuda/backend.hpp"

namespace nwgpu::cuda {

struct DeviceGuard {
    explicit DeviceGuard(int) {}
};

class Device {
public:
    explicit Device(EngineOptions const &) {}
    int index() const { return 0; }
    int multiprocessors() const { return 2; }
    std::uint64_t budget() const { return std::uint64_t{1} << 32; }
    std::uint64_t used() const { return 0; }
    void trim() {}

    void * allocate(std::uint64_t bytes)
    {
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
    void upload(void * to, void const * from, std::uint64_t bytes) { copy(to, from, bytes); }
    void download(void * to, void const * from, std::uint64_t bytes) { copy(to, from, bytes); }

private:
    static constexpr std::uint64_t guard_bytes = 64;
    static void copy(void * to, void const * from, std::uint64_t bytes)
    {
        if (bytes > 0)
            std::memcpy(to, from, bytes);
    }
};

template <class T>
class DeviceArray {
public:
    DeviceArray() = default;
    DeviceArray(Device & device, std::uint64_t n) :
        device_{&device}, data_{static_cast<T *>(device.allocate(n * sizeof(T)))}, size_{n}
    {}
    DeviceArray(Device & device, std::vector<T> const & from) : DeviceArray{device, from.size()}
    {
        device.upload(data_, from.data(), bytes());
    }
    DeviceArray(DeviceArray && other) noexcept { *this = std::move(other); }
    DeviceArray & operator=(DeviceArray && other) noexcept
    {
        std::swap(device_, other.device_);
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
        return *this;
    }
    ~DeviceArray()
    {
        if (data_)
            device_->release(data_, bytes());
    }

    T * data() const { return data_; }
    std::uint64_t size() const { return size_; }
    std::uint64_t bytes() const { return size_ * sizeof(T); }

private:
    Device * device_ = nullptr;
    T * data_ = nullptr;
    std::uint64_t size_ = 0;
};

} // namespace nwgpu::cuda
