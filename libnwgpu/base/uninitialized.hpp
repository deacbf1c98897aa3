// SPDX-License-Identifier: BSD-3-Clause
// Memory for large arrays that are written before they are read: not cleared, and on large pages, because clearing and
// the faults of small pages take longer than copying from a device.
#pragma once

#include <cstddef>
#include <new>
#include <utility>

#include <sys/mman.h>

namespace nwgpu {

template <class T>
struct UninitializedAllocator {
    using value_type = T;

    UninitializedAllocator() = default;
    template <class U>
    UninitializedAllocator(UninitializedAllocator<U> const &)
    {}
    T * allocate(std::size_t n)
    {
        std::size_t const bytes = n * sizeof(T);
        void * const memory = ::operator new(bytes, alignment(bytes));
#ifdef MADV_HUGEPAGE
        if (bytes >= large)
            madvise(memory, bytes, MADV_HUGEPAGE); // a wish
#endif
        return static_cast<T *>(memory);
    }
    void deallocate(T * memory, std::size_t n) { ::operator delete(memory, alignment(n * sizeof(T))); }
    template <class U, class... Arguments>
    void construct(U * at, Arguments &&... arguments)
    {
        if constexpr (sizeof...(Arguments) == 0)
            ::new (static_cast<void *>(at)) U;
        else
            ::new (static_cast<void *>(at)) U(std::forward<Arguments>(arguments)...);
    }
    bool operator==(UninitializedAllocator const &) const = default;

private:
    static constexpr std::size_t large = 8 << 20, page = 2 << 20;
    static std::align_val_t alignment(std::size_t bytes) { return std::align_val_t{bytes >= large ? page : 64}; }
};

} // namespace nwgpu
