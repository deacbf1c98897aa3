// SPDX-License-Identifier: BSD-3-Clause
#include "cuda/result_memory.hpp"

#include "cuda/device/page_locked.hpp"

namespace nwgpu::cuda {

namespace {

// Of fewer bytes nothing is gained.
constexpr std::size_t least_array = 2 << 20, least_runs = 64 << 10;
// Lent and kept, of each kind.  Results of ten million reads; larger ones have memory of their own.
constexpr std::size_t most_bytes = std::size_t{1} << 30;
static_assert(KeptMemory::page % most_page == 0);

} // namespace

KeptResults::KeptResults(int device) :
    memory_{std::make_shared<KeptMemory>(KeptMemory::Source{make_on_large_pages, free_on_large_pages}, least_array,
                                         most_bytes),
            std::make_shared<KeptMemory>(
                KeptMemory::Source{[device](std::size_t bytes) { return make_page_locked(bytes, device); },
                                   [device](void * memory) { free_page_locked(memory, device); }},
                least_runs, most_bytes)}
{}

KeptResults::~KeptResults()
{
    memory_.arrays->close();
    memory_.runs->close();
}

void KeptResults::trim() noexcept
{
    memory_.arrays->trim();
    memory_.runs->trim();
}

} // namespace nwgpu::cuda
