// SPDX-License-Identifier: BSD-3-Clause
// Large blocks of memory that are kept when they are given back, for who asks next: new pages take longer than what is
// written to them, and page-locked ones much longer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <vector>

namespace nwgpu {

// For any number of threads.
class KeptMemory {
public:
    static constexpr std::size_t page = 2 << 20; // a large one
    struct Source {
        std::function<void *(std::size_t bytes)> make; // whole pages, aligned to them; null: there is none
        std::function<void(void * memory)> give_back;  // neither of them throws
    };
    // Requests of fewer bytes are not served; nor is there ever more than `most_bytes` in all, lent or kept.
    KeptMemory(Source source, std::size_t least_bytes, std::size_t most_bytes);
    KeptMemory(KeptMemory const &) = delete;
    ~KeptMemory(); // nothing is lent any more

    std::size_t most_bytes() const { return most_; }
    // At least so many bytes; null: who asks takes other memory.
    void * take(std::size_t bytes);
    bool has(void const * memory) const;
    // False: the memory is not from here.
    bool give_back(void * memory) noexcept;
    // Frees what nobody has.
    void trim() noexcept;
    // From now on nothing is kept.
    void close() noexcept;

private:
    struct Block {
        void * memory;
        std::size_t bytes;
        bool lent;
    };
    Block * find(std::size_t bytes);
    std::size_t lent_bytes() const;
    void free_kept() noexcept;

    Source const source_;
    std::size_t const least_, most_;
    mutable std::mutex mutex_; // of what follows
    std::vector<Block> blocks_;
    std::size_t bytes_ = 0; // of all blocks
    bool closed_ = false;
};

} // namespace nwgpu
