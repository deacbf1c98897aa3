// SPDX-License-Identifier: BSD-3-Clause
// Pairs aligned by furthest-reaching points, however different they are.
#pragma once

#include <optional>
#include <string>

#include "cpu/furthest/align_furthest.hpp"
#include "cpu/kernels/kernel_table.hpp"
#include "support/cases.hpp"

namespace nwgpu::cpu {

inline constexpr std::uint64_t plenty = std::uint64_t{1} << 30;

inline FurthestPlan forced_plan(PairView const & pair, Penalties const & penalties, std::int64_t points)
{
    return plan_furthest(pair.m, pair.n, penalties, no_min_score, true, {512, 32, 1, plenty}, points);
}

inline std::optional<PairResult> align(PairView const & pair, Scoring const & scoring, FurthestPlan const & plan,
                                       std::string const & isa = "")
{
    Progress const silent;
    Team team{1};
    Monitor monitor{silent, pair.cells(), team};
    FurthestMemory memory;
    return align_furthest(pair, Penalties::of(scoring), kernel_table(isa), {Mode{}, Output::cigar}, plan, memory,
                          monitor);
}

inline Scoring const edit = Scoring::uniform(0, 1, {0, 1}), affine = Scoring::uniform(2, 4, {4, 2});

} // namespace nwgpu::cpu
