// SPDX-License-Identifier: BSD-3-Clause
// Memory of a device that gives itself back.  Included by device.hpp, whose Device it uses; tests have another Device.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace nwgpu::cuda {

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
