// SPDX-License-Identifier: BSD-3-Clause
#include "path/kept.hpp"

#include <algorithm>
#include <cmath>

namespace nwgpu::path {

namespace {

constexpr double least_strip_rows = 256; // of a band's strips

} // namespace

bool keeps_in_32_bits(Scoring const & scoring, std::uint64_t m, std::uint64_t n)
{
    // The lowest score is that of two gaps; in a band each strip may add two.
    GapCost const gap = scoring.gap();
    double const rows = static_cast<double>(m), cols = static_cast<double>(n);
    double const highest = static_cast<double>(std::max<std::int64_t>(scoring.max_score(), 1)) * std::min(rows, cols);
    double const lowest = static_cast<double>(gap.extend) * (rows + cols) +
                          static_cast<double>(2 * gap.open) * (2 + rows / least_strip_rows);
    double const step = static_cast<double>(scoring.max_score() - lowest_useful_score(scoring) + gap.open + gap.extend);
    int const bits = KeptCode<std::int64_t>::of(gap.open, gap.extend).bits;
    return std::max(highest, lowest) + 16 * step < std::ldexp(1.0, std::min(31 - bits, 29));
}

} // namespace nwgpu::path
