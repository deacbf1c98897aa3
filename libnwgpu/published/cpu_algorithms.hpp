// SPDX-License-Identifier: BSD-3-Clause
// The published algorithms that run on the CPU, each in a file of its name.
#pragma once

#include "published/parts/task.hpp"

namespace nwgpu::published {

PairResult cpu1_st_row(Task const & task, int threads);
PairResult cpu2_st_diag(Task const & task, int threads);
PairResult cpu3_st_diagrow(Task const & task, int threads);
PairResult cpu4_mt_diagrow(Task const & task, int threads);
PairResult swat_serial(Task const & task, int threads);

} // namespace nwgpu::published
