// SPDX-License-Identifier: BSD-3-Clause
// Host memory for letters and results: page-locked where a GPU will read it, so that copies run at full speed.
#pragma once

#include <cstdint>
#include <optional>

namespace nwgpu {

// At least `bytes` bytes, aligned to 64; page-locked for `device` where there is one.  Throws std::bad_alloc, and Error
// device where the driver fails.
void * allocate_host(std::uint64_t bytes, std::optional<int> device);
// Knows by itself which kind of memory it is; NULL is nothing.
void free_host(void * memory) noexcept;

} // namespace nwgpu
