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

} // namespace nwgpu::cuda

#include "cuda/device_array.hpp"
