// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

namespace nwgpu::cpu {

// Highway's bits of the targets that this CPU and its operating system can run.
std::int64_t isas_of_this_cpu();

} // namespace nwgpu::cpu
