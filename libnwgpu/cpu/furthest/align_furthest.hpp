// SPDX-License-Identifier: BSD-3-Clause
// A global pair by furthest-reaching points: time in proportion to the differences (docs/proofs.md, lemmas 23 and 24).
#pragma once

#include <optional>

#include "backend/monitor.hpp"
#include "base/aligned_buffer.hpp"
#include "base/uninitialized.hpp"
#include "cpu/furthest/furthest_plan.hpp"
#include "cpu/furthest/seed_bound.hpp"
#include "cpu/kernels/kernels.hpp"
#include "model/batch.hpp"
#include "model/cigar.hpp"
#include "model/mode.hpp"
#include "model/result.hpp"

namespace nwgpu::cpu {

// What a thread keeps from pair to pair, and from call to call.
struct FurthestMemory {
    static constexpr std::uint64_t most_kept = 1 << 20;

    AlignedBuffer<std::uint8_t> numbers;
    FrontMemory kept;
    SeedBound seeds;
    CigarBuilder cigar;

    // Gives all back if it is more than a thread may keep.
    void trim(std::uint64_t most = most_kept);
};

// Nothing if the sequences differ.
std::optional<PairResult> align_equal(PairView const & pair, Penalties const & penalties, Request const & request,
                                      Monitor & monitor);
// Nothing if the sequences are not as similar as the plan asks for.  Neither is empty; the scheme is uniform.  The
// score is too_low_score where it is known to be below request.min_score.
std::optional<PairResult> align_furthest(PairView const & pair, Penalties const & penalties,
                                         KernelTable const & kernels, Request const & request,
                                         FurthestPlan const & plan, FurthestMemory & memory, Monitor & monitor);

} // namespace nwgpu::cpu
