// SPDX-License-Identifier: BSD-3-Clause
// What two sequences score where they go together: a local alignment of them, or one with free ends, has at least as
// much, so that cells which cannot lead to as much need not be computed (skipping.hpp; path/band.hpp).
#pragma once

#include <cstdint>

#include "backend/monitor.hpp"
#include "cpu/kernels/kernels.hpp"
#include "cpu/kernels/scheme.hpp"
#include "model/batch.hpp"
#include "model/mode.hpp"

namespace nwgpu::cpu {

// Of global alignments in narrow bands, between words that both have, in a row (path/common_words.hpp), and of gaps
// between those; with free ends from border to border.  0 where that is sure to be little.
std::int64_t similar_part_score(PairView const & pair, Scheme const & scheme, KernelTable const & kernels,
                                Mode const & mode, int threads, Monitor & monitor);
// Of memory that it takes, at most.
std::uint64_t similar_part_bytes(std::uint64_t m, std::uint64_t n);

} // namespace nwgpu::cpu
