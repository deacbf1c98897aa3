// SPDX-License-Identifier: BSD-3-Clause
// The bands in which a global pair of strips is tried before all of its cells are computed.
#pragma once

#include <algorithm>
#include <cstdint>

#include "model/batch.hpp"
#include "model/scoring.hpp"
#include "path/band.hpp"

namespace nwgpu::cpu {

// Diagonals on either side.
constexpr std::uint64_t first_half_width(std::uint64_t shorter) { return shorter / 512 + 32; }

// Beside the band itself a strip computes the triangles that its height adds.
constexpr bool is_worth_trying(std::uint64_t half_width, std::uint64_t strip_rows, std::uint64_t longer)
{
    return 8 * (strip_rows + 2 * half_width) <= longer;
}

// Whether a path may score so much that its band has a smaller half-width than this: not where hardly a word of one
// sequence occurs in the other one.  A guess, on which no answer depends; true of schemes that are not uniform.
// O(m + n) time, less where the begins of both are alike; takes less memory than the borders of a sweep of the pair.
bool may_prove_band(PairView const & pair, Scoring const & scoring, std::uint64_t half_width);

// Where the ends of one sequence are free.
inline bool free_band_pays(PairView const & pair, path::Band const & band, std::uint64_t strip_rows)
{
    return 2 * (strip_rows + band.width()) <= std::max(pair.m, pair.n);
}

} // namespace nwgpu::cpu
