// SPDX-License-Identifier: BSD-3-Clause
// What a pair takes that is computed by antidiagonals: pure decisions.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "cpu/pair/pair_plan.hpp"

namespace nwgpu::cpu {

// The band cut to the matrix.
inline Diagonals band_of(std::uint64_t m, std::uint64_t n, Mode const & mode)
{
    auto const rows = static_cast<std::int64_t>(m), cols = static_cast<std::int64_t>(n);
    if (!mode.band)
        return {-rows, cols};
    return {std::clamp(mode.band->lower, -rows - 1, cols + 1), std::clamp(mode.band->upper, -rows - 1, cols + 1)};
}

// What an antidiagonal hands to those after it.
template <class T>
struct Snapshot {
    std::int64_t s = 0, first = 0; // row of the first entry
    std::vector<T> entries[4];     // h of s and s - 1, e, f
};

// Rows of the longest antidiagonal.
inline std::uint64_t widest(std::uint64_t m, std::uint64_t n, Diagonals const & band)
{
    auto const diagonals = band.upper < band.lower ? 1 : static_cast<std::uint64_t>(band.upper - band.lower) + 1;
    return std::min({m + 1, n + 1, diagonals / 2 + 1});
}

// Throws Error memory_limit when no plan stays below max_bytes (0: no limit).
PairPlan plan_antidiagonals(std::uint64_t m, std::uint64_t n, Scoring const & scoring, Request const & request,
                            std::uint64_t max_bytes, Tuning const & tuning);

// For people.
std::string describe_antidiagonals(PairPlan const & plan, std::uint64_t m, std::uint64_t n, Request const & request);

} // namespace nwgpu::cpu
