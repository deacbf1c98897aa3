// SPDX-License-Identifier: BSD-3-Clause
// A share of a pair's rows on the CPU: swept panel by panel, each panel by all threads.
#pragma once

#include <memory>

#include "backend/row_share.hpp"
#include "cpu/kernels/kernels.hpp"
#include "cpu/options.hpp"

namespace nwgpu::cpu {

// Throws Error memory_limit.
std::unique_ptr<RowShare> make_row_share(RowTask const & task, KernelTable const & kernels, int threads,
                                         Tuning const & tuning);

} // namespace nwgpu::cpu
