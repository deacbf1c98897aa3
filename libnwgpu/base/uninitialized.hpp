// SPDX-License-Identifier: BSD-3-Clause
// Memory for large arrays that are written before they are read: not cleared, and on large pages, because clearing and
// the faults of small pages take longer than copying from a device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

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
        void * const memory = ::operator new(bytes);
#ifdef MADV_HUGEPAGE
        if (bytes >= large) { // a wish, for the large pages that lie within
            auto const begin = (reinterpret_cast<std::uintptr_t>(memory) + page - 1) / page * page,
                       end = (reinterpret_cast<std::uintptr_t>(memory) + bytes) / page * page;
            madvise(reinterpret_cast<void *>(begin), end - begin, MADV_HUGEPAGE);
        }
#endif
        return static_cast<T *>(memory);
    }
    void deallocate(T * memory, std::size_t) { ::operator delete(memory); }
    template <class U, class... Arguments>
    void construct(U * at, Arguments &&... arguments)
    {
        // Not even values that the type has by default: memory begins to hold objects of such types by itself.
        constexpr bool begins_by_itself = std::is_trivially_copyable_v<U> && std::is_trivially_destructible_v<U>;
        if constexpr (sizeof...(Arguments) > 0 || !begins_by_itself)
            ::new (static_cast<void *>(at)) U(std::forward<Arguments>(arguments)...);
    }
    bool operator==(UninitializedAllocator const &) const = default;

private:
    static constexpr std::size_t page = 2 << 20, large = 2 * page;
};

template <class T>
using Array = std::vector<T, UninitializedAllocator<T>>;

} // namespace nwgpu
