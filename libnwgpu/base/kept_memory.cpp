// SPDX-License-Identifier: BSD-3-Clause
#include "base/kept_memory.hpp"

#include <algorithm>
#include <utility>

#include "base/ceil_div.hpp"

namespace nwgpu {

namespace {

constexpr std::size_t slack = 16; // this part more than is asked for, since similar calls ask for a little more

} // namespace

KeptMemory::KeptMemory(Source source, std::size_t least_bytes, std::size_t most_bytes) :
    source_{std::move(source)}, least_{least_bytes}, most_{most_bytes}
{}

KeptMemory::~KeptMemory() { trim(); }

// The smallest kept one that is not much too large.
KeptMemory::Block * KeptMemory::find(std::size_t bytes)
{
    Block * best = nullptr;
    for (Block & block : blocks_)
        if (!block.lent && block.bytes >= bytes && block.bytes <= 2 * bytes + page &&
            (!best || block.bytes < best->bytes))
            best = &block;
    return best;
}

void * KeptMemory::take(std::size_t bytes)
{
    std::lock_guard const lock{mutex_};
    if (closed_ || bytes < least_ || bytes > most_) // so large that no sum overflows
        return nullptr;
    if (Block * const kept = find(bytes)) {
        kept->lent = true;
        return kept->memory;
    }
    std::size_t const wanted = std::min(ceil_div(bytes + bytes / slack, page), most_ / page) * page;
    if (wanted < bytes || lent_bytes() + wanted > most_)
        return nullptr;
    if (bytes_ + wanted > most_)
        free_kept();
    blocks_.reserve(blocks_.size() + 1); // before the memory, or that would be lost
    void * memory = source_.make(wanted);
    if (!memory && !blocks_.empty()) {
        free_kept();
        memory = source_.make(wanted);
    }
    if (!memory)
        return nullptr;
    blocks_.push_back({memory, wanted, true});
    bytes_ += wanted;
    return memory;
}

bool KeptMemory::has(void const * memory) const
{
    std::lock_guard const lock{mutex_};
    return std::ranges::any_of(blocks_, [&](Block const & block) { return block.memory == memory; });
}

bool KeptMemory::give_back(void * memory) noexcept
{
    std::lock_guard const lock{mutex_};
    for (Block & block : blocks_)
        if (block.memory == memory) {
            block.lent = false;
            if (closed_)
                free_kept();
            return true;
        }
    return false;
}

void KeptMemory::trim() noexcept
{
    std::lock_guard const lock{mutex_};
    free_kept();
}

void KeptMemory::close() noexcept
{
    std::lock_guard const lock{mutex_};
    closed_ = true;
    free_kept();
}

std::size_t KeptMemory::lent_bytes() const
{
    std::size_t sum = 0;
    for (Block const & block : blocks_)
        sum += block.lent ? block.bytes : 0;
    return sum;
}

void KeptMemory::free_kept() noexcept
{
    std::erase_if(blocks_, [&](Block const & block) {
        if (block.lent)
            return false;
        source_.give_back(block.memory);
        bytes_ -= block.bytes;
        return true;
    });
}

} // namespace nwgpu
