// SPDX-License-Identifier: BSD-3-Clause
// The public headers stand alone and may be included twice in C++.  Compiled only.
#include <nwgpu/nwgpu.hpp>

#include <nwgpu/nwgpu.hpp>

namespace {
[[maybe_unused]] nwgpu_error const error = NWGPU_ERROR_INIT;
} // namespace
