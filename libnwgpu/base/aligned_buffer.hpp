// SPDX-License-Identifier: BSD-3-Clause
// Workspace that grows, is reused and is not initialised, aligned to a cache line and to any SIMD vector.
#pragma once

#include <cstddef>
#include <memory>
#include <new>

namespace nwgpu {

template <class T>
class AlignedBuffer {
public:
    T * data() const { return data_.get(); }
    std::size_t bytes() const { return size_ * sizeof(T); }
    // At least n entries; earlier contents are lost when it has to grow.
    T * grow(std::size_t n)
    {
        if (n > size_) {
            data_.reset(); // the old memory first
            size_ = 0;
            data_.reset(static_cast<T *>(::operator new(n * sizeof(T), alignment)));
            size_ = n;
        }
        return data();
    }

private:
    static constexpr std::align_val_t alignment{64};
    struct Free {
        void operator()(T * memory) const { ::operator delete(memory, alignment); }
    };
    std::unique_ptr<T, Free> data_;
    std::size_t size_ = 0;
};

} // namespace nwgpu
