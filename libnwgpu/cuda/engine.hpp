// SPDX-License-Identifier: BSD-3-Clause
// The CUDA engine as align/ sees it.  A build without CUDA links none.cpp in its place, so no caller needs an #ifdef.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "backend/backend.hpp"
#include "backend/row_share.hpp"
#include "cuda/options.hpp"

namespace nwgpu::cuda {

// For nwgpu_build_info: "none", or toolkit version and architectures, "13.0:sm_75,90".
std::string build_info();
// Usable devices; 0 without an error where there is none.
int device_count();
// Why device_count() is 0, for people.
std::string why_none();
// "cuda:sm_90"; does not start anything on the device.
std::string name(int device);
// One line: name, memory, capability; empty for a device that does not exist.
std::string describe(int device);
// Of a device that exists; else 0.
std::uint64_t memory_bytes(int device);
// How an engine of a device would like shares of rows; the device is not started.  None of one that does not exist.
RowPace row_pace(int device);
// Page-locked host memory, made through `device`, that all devices may read; aligned to a page.  Throws std::bad_alloc,
// Error device.
void * allocate_pinned(std::uint64_t bytes, int device);
void free_pinned(void * memory) noexcept;
// Throws Error unsupported (build without CUDA) or no_device.
std::unique_ptr<Backend> make_engine(EngineOptions const & options);

} // namespace nwgpu::cuda
