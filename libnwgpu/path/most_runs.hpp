// SPDX-License-Identifier: BSD-3-Clause
// How many runs a CIGAR can have.
#pragma once

#include <algorithm>
#include <cstdint>

#include "model/cigar.hpp"

namespace nwgpu::path {

// Between two gaps in one sequence there is a run that has letters of this sequence: so there is one gap more in the
// shorter one than it has letters, at most.  Without a band, a path has two gaps at most between two aligned columns,
// since several insertions and deletions cost no less than all the insertions and then all the deletions.  Each gap has
// a letter, each column two.  In a band they may take turns.
constexpr std::uint64_t most_runs(std::uint64_t m, std::uint64_t n, bool band)
{
    std::uint64_t const splits = (m + n) / max_run; // of runs that are longer than an entry can say
    std::uint64_t const most = std::min(m + n, 2 * std::min(m, n) + 1);
    return splits + (band ? most : std::min(most, 3 * (m + n) / 4 + 2));
}

} // namespace nwgpu::path
