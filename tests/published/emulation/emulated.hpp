// SPDX-License-Identifier: BSD-3-Clause
// The published CUDA algorithms, their kernels run on the CPU.
#pragma once

#include <memory>
#include <string_view>

#include "backend/backend.hpp"

namespace nwgpu::test {

std::unique_ptr<Backend> make_emulated(std::string_view choice);

} // namespace nwgpu::test
