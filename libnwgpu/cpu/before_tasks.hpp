// SPDX-License-Identifier: BSD-3-Clause
// What the limit of memory leaves to what is tried with similar pairs before they become tasks.
#pragma once

#include <cstdint>

#include "backend/backend.hpp"
#include "base/team.hpp"
#include "cpu/kernels/scheme.hpp"

namespace nwgpu::cpu {

struct BeforeTasks {
    int threads;         // that take part; 0: nothing is tried
    std::uint64_t bytes; // that these allocate at most, beside answers; 0 where there is no limit
};

BeforeTasks before_tasks(Piece const & piece, Scheme const & scheme, Team & team);

} // namespace nwgpu::cpu
