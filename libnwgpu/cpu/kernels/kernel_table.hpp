// SPDX-License-Identifier: BSD-3-Clause
// Run-time choice of an instruction set: the tables of kernels that this build has (options.hpp lists them).
#pragma once

#include <string>

#include "cpu/kernels/kernels.hpp"

namespace nwgpu::cpu {

// Empty name: the best there is.  Throws Error unsupported for one that is not available.
KernelTable const & kernel_table(std::string const & name);

} // namespace nwgpu::cpu
