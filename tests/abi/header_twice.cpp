// SPDX-License-Identifier: BSD-3-Clause
// The public header stands alone and may be included twice in C++.  Compiled only.
#include <nwgpu/nwgpu.h>

namespace {
[[maybe_unused]] nwgpu_error const error = NWGPU_ERROR_INIT;
} // namespace
