// SPDX-License-Identifier: BSD-3-Clause
// A global pair by furthest-reaching points: time in proportion to the differences (docs/proofs.md, lemmas 23 and 24).
#pragma once

#include <array>
#include <optional>

#include "backend/monitor.hpp"
#include "base/aligned_buffer.hpp"
#include "base/uninitialized.hpp"
#include "cpu/furthest/bit_band.hpp"
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
    BitBand bits;
    CigarBuilder cigar;
    // Of pairs that were planned before strips: many have the same lengths, or about the same.
    struct Planned {
        struct Key {
            std::uint64_t m = 0, n = 0;
            Penalties penalties;
            std::int64_t min_score = 0;
            bool needs_path = false;
            int threads = 0;
            bool operator==(Key const &) const = default;
        } key;
        std::optional<FurthestPlan> plan;
    };
    std::array<Planned, 16> planned;

    // Gives all back if it is more than a thread may keep.
    void trim(std::uint64_t most = most_kept);
};

// Nothing if the sequences are not as similar as the plan asks for.  Neither is empty; the scheme is uniform.  The
// score is too_low_score where it is known to be below request.min_score.
std::optional<PairResult> align_furthest(PairView const & pair, Penalties const & penalties,
                                         KernelTable const & kernels, Request const & request,
                                         FurthestPlan const & plan, FurthestMemory & memory, Monitor & monitor);

} // namespace nwgpu::cpu
