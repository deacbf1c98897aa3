// SPDX-License-Identifier: BSD-3-Clause
// A device, and a pair of a call, as plans see them.
#pragma once

#include <optional>

#include "checkpoint/folder.hpp"
#include "cuda/device/device.hpp"
#include "cuda/kernels/scheme.hpp"
#include "cuda/plan/column_parts.hpp"
#include "cuda/plan/plan.hpp"

namespace nwgpu::cuda {

// With the host memory that the piece may take.
DeviceFacts device_facts(Device const & device, Piece const & piece);
DeviceFacts device_facts(Device const & device, std::uint64_t host_budget);
PairFacts facts_of(PairView const & pair, ScoreTable const & table, Scoring const & scoring, Request const & request,
                   Tuning const & tuning);
// The rows below the slabs in the folder are computed like them.  Throws Error checkpoint.
void resume(checkpoint::Folder const & folder, Request const & request, PairFacts & facts);
// A score that some alignment of the m x n letters has, or 0: what a sweep that skips cells will compute with it.
void know_score(PairFacts & facts, std::int64_t score, std::uint64_t m, std::uint64_t n, Scoring const & scoring);
// The plan with it; `full` with the score where that needs more memory than there is.
PairPlan plan_known(PairFacts const & facts, DeviceFacts const & device, PairPlan const & full);
// `full`: the plan of the whole matrix.
bool may_have_band(PairPlan const & full, PairFacts const & facts);

// The pair in parts, if it is local and that is quicker than the plan.
std::optional<ColumnParts> parts_of(PairView const & pair, PairPlan const & plan, PairFacts const & facts,
                                    Scoring const & scoring, DeviceFacts const & device);

} // namespace nwgpu::cuda
