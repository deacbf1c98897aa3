// SPDX-License-Identifier: BSD-3-Clause
// The published CUDA algorithms, their kernels run on the CPU.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "backend/backend.hpp"

namespace nwgpu::test {

constexpr int emulated_devices = 3;

std::unique_ptr<Backend> make_emulated(std::string_view choice, int device = 0);

// Letters and whatever else was copied to a device since the program began, in bytes.
std::uint64_t bytes_uploaded_to(int device);

} // namespace nwgpu::test
