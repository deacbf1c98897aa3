// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>

namespace nwgpu {

// Asked now and then by any thread that works on a call: false once the caller wants to stop it.
using GoOn = std::function<bool()>;

} // namespace nwgpu
