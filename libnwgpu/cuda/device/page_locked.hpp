// SPDX-License-Identifier: BSD-3-Clause
// Page-locked memory of the process, on large pages: the runtime takes ten times as long to make memory of its own, and
// frees that when a caller resets the device.
#pragma once

#include <cstddef>

namespace nwgpu::cuda {

constexpr std::size_t most_page = 64 << 10; // that is not large, on any machine

// So much memory, a multiple of most_page, on any thread; null: there is none.
void * make_on_large_pages(std::size_t bytes) noexcept;
void free_on_large_pages(void * memory) noexcept;
// The same that all devices may read and write, made through this one.
void * make_page_locked(std::size_t bytes, int device) noexcept;
void free_page_locked(void * memory, int device) noexcept;

} // namespace nwgpu::cuda
