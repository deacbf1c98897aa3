// SPDX-License-Identifier: BSD-3-Clause
// Whether a pair is first tried by furthest-reaching points, and how much time and memory that may take: pure decisions
// from lengths, scheme and limits.
#pragma once

#include <cstdint>
#include <optional>

#include "cpu/furthest/fronts.hpp"
#include "cpu/furthest/furthest_time.hpp"
#include "cpu/furthest/kept_fronts.hpp"
#include "cpu/furthest/penalties.hpp"
#include "cpu/kernels/kernels.hpp"
#include "cpu/options.hpp"
#include "model/mode.hpp"

namespace nwgpu::cpu {

struct FurthestPlan {
    bool tried = false;
    bool forced = false;            // for tests: whatever the sequences look like
    int width = 0;                  // bits of a number
    std::int64_t most_penalty = 0;  // pairs of higher penalties are quicker in another way, or below a least score
    bool decides = false;           // those of higher penalties are below a least score
    std::uint64_t free_points = 0;  // take no time, in proportion to the other way
    std::uint64_t first_points = 0; // before an upper bound is looked for
    std::uint64_t most_points = 0;  // of exact fronts
    FrontRoom room;                 // of those that are kept for the path
    std::int64_t spacing = 0;       // for tests: that of snapshots, however few points there are
    int word_bits = 0;              // for tests: words of 2^word_bits letters, however few points there are
    std::int64_t lag = 0;           // of the fronts that find an upper bound
    std::uint64_t bit_bytes = 0;    // that a band of bits may take; 0: none
    std::uint64_t bytes = 0;        // upper bound of what is allocated, but for the CIGAR
    bool cut = false;               // by the bytes that may be allocated
};

// Scores below `min_score` are of no interest.
FurthestPlan plan_furthest(std::uint64_t m, std::uint64_t n, Penalties const & penalties, std::int64_t min_score,
                           bool needs_path, OtherWay const & other, std::int64_t forced_points);

// Where the numbers of fronts lie for penalties up to plan.most_penalty; without memory yet.
Fronts lay_out_fronts(std::uint64_t m, std::uint64_t n, Penalties const & penalties, FurthestPlan const & plan);
// What m_ring, e_ring, f_ring and limits take, one behind the other.
std::uint64_t bytes_of(Fronts const & fronts, int width);

// Furthest-reaching points may take so much where the other way takes less.
constexpr std::uint64_t little_bytes = 1 << 24;
bool may_try_furthest(Scoring const & scoring, Request const & request, Tuning const & tuning);
// Of a pair of a request, with so many bytes.
FurthestPlan plan_furthest_within(std::uint64_t bytes, std::uint64_t m, std::uint64_t n, Penalties const & penalties,
                                  KernelTable const & kernels, Request const & request, int threads,
                                  Tuning const & tuning);
// Where memory has no limit: whether furthest-reaching points may be planned before all else, and of which penalties.
std::optional<Penalties> penalties_before_strips(Scoring const & scoring, Request const & request,
                                                 Tuning const & tuning);
// Those of the pair's plan.  Nothing where only the whole plan tells.
std::optional<FurthestPlan> plan_before_strips(std::uint64_t m, std::uint64_t n, Penalties const & penalties,
                                               KernelTable const & kernels, Request const & request, int threads,
                                               Tuning const & tuning);

} // namespace nwgpu::cpu
