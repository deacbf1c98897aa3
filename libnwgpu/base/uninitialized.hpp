// SPDX-License-Identifier: BSD-3-Clause
// Memory for large arrays that are written before they are read: not cleared, and on large pages, because clearing and
// the faults of small pages take longer than copying from a device.  Where an array is told of some, it takes memory
// that is kept from an earlier one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/kept_memory.hpp"
#include "base/large_pages.hpp"

namespace nwgpu {

template <class T>
struct UninitializedAllocator {
    using value_type = T;
    using propagate_on_container_move_assignment = std::true_type;
    using propagate_on_container_swap = std::true_type;

    UninitializedAllocator() = default;
    // Null: all memory is new.
    explicit UninitializedAllocator(std::shared_ptr<KeptMemory> kept) : kept_{std::move(kept)} {}
    template <class U>
    UninitializedAllocator(UninitializedAllocator<U> const & other) : kept_{other.kept()}
    {}
    std::shared_ptr<KeptMemory> const & kept() const { return kept_; }
    T * allocate(std::size_t n)
    {
        std::size_t const bytes = n * sizeof(T);
        if (kept_)
            if (void * const memory = kept_->take(bytes))
                return static_cast<T *>(memory);
        void * const memory = ::operator new(bytes);
        if (bytes >= large)
            prefer_large_pages(memory, bytes);
        return static_cast<T *>(memory);
    }
    void deallocate(T * memory, std::size_t)
    {
        if (!kept_ || !kept_->give_back(memory))
            ::operator delete(memory);
    }
    template <class U, class... Arguments>
    void construct(U * at, Arguments &&... arguments)
    {
        // Not even values that the type has by default: memory begins to hold objects of such types by itself.
        constexpr bool begins_by_itself = std::is_trivially_copyable_v<U> && std::is_trivially_destructible_v<U>;
        if constexpr (sizeof...(Arguments) > 0 || !begins_by_itself)
            ::new (static_cast<void *>(at)) U(std::forward<Arguments>(arguments)...);
    }
    // Copies take new memory.
    UninitializedAllocator select_on_container_copy_construction() const { return {}; }
    bool operator==(UninitializedAllocator const &) const = default;

private:
    std::shared_ptr<KeptMemory> kept_;
    static constexpr std::size_t large = 4 << 20;
};

template <class T>
using Array = std::vector<T, UninitializedAllocator<T>>;

} // namespace nwgpu
