// SPDX-License-Identifier: BSD-3-Clause
#include "cpu/pair/antidiagonals_plan.hpp"

#include "base/allocated.hpp"
#include "base/ceil_div.hpp"
#include "base/error.hpp"
#include "cpu/kernels/scheme.hpp"
#include "path/most_runs.hpp"

namespace nwgpu::cpu {

namespace {

constexpr std::uint64_t default_trace_bytes = 4 << 20;
constexpr std::uint64_t least_trace_bytes = 1 << 16;
constexpr std::uint64_t most_cuts = 16;
constexpr std::uint64_t small_bytes = 4096, cache_line = 64; // small objects; alignment of the trace

// Of antidiagonals of at most so many rows, and what lies beside them.
std::uint64_t snapshot_bytes(std::uint64_t rows, std::uint64_t entry)
{
    return sizeof(Snapshot<std::int64_t>) + allocated(4 * entry * (rows + 2), 4);
}

} // namespace

PairPlan plan_antidiagonals(std::uint64_t m, std::uint64_t n, Scoring const & scoring, Request const & request,
                            std::uint64_t max_bytes, Tuning const & tuning)
{
    GapCost const gap = scoring.gap();
    std::int64_t const step = std::max({scoring.max_score(), -scoring.min_score(), gap.open + gap.extend});
    // |H|, |E| and |F| of cells that a path reaches; all others stay below.
    double const most = static_cast<double>(step) * (static_cast<double>(m) + static_cast<double>(n) + 4);
    PairPlan plan;
    plan.kind = FieldKind::antidiagonals;
    plan.width = most < 4e8 ? 32 : 64;
    plan.max_trace_bytes = tuning.max_trace_bytes > 0 ? tuning.max_trace_bytes : default_trace_bytes;

    std::uint64_t const entry = static_cast<std::uint64_t>(plan.width) / 8,
                        wide = widest(m, n, band_of(m, n, request.mode));
    std::uint64_t const letters = static_cast<std::uint64_t>(scoring.size());
    std::uint64_t const whole_trace = (m + n + 1) * (wide + antidiagonal_margin);
    bool const needs_path = request.output >= Output::span, banded = request.mode.band.has_value();
    std::uint64_t const base =
        small_bytes + Scheme::bytes(scoring) +
        allocated(entry * (6 * (m + 1 + 2 * antidiagonal_margin) + m + n + 4 * antidiagonal_margin + letters * letters),
                  9) +
        (needs_path ? CigarBuilder::bytes(path::most_runs(m, n, banded)) : 0);
    // Kept antidiagonals: of the whole band, then of cones that are the lower the more cuts there are.
    auto const kept_bytes = [&] {
        std::uint64_t bytes = 0, rows = wide, antidiagonals = m + n + 1;
        while (antidiagonals > 1 && antidiagonals * (rows + antidiagonal_margin) > plan.max_trace_bytes) {
            bytes += allocated((plan.cuts - 1) * snapshot_bytes(rows, entry));
            antidiagonals = ceil_div(antidiagonals, plan.cuts);
            rows = std::min(wide, antidiagonals + 1);
        }
        return bytes;
    };
    for (plan.cuts = most_cuts;;) {
        plan.keep_grid = needs_path && whole_trace > plan.max_trace_bytes;
        plan.bytes = base;
        if (needs_path)
            plan.bytes +=
                allocated((plan.keep_grid ? std::max(plan.max_trace_bytes, wide + antidiagonal_margin) : whole_trace) +
                          cache_line);
        if (plan.keep_grid)
            plan.bytes += kept_bytes();
        if (max_bytes == 0 || plan.bytes <= max_bytes || !needs_path)
            break;
        if (plan.max_trace_bytes > least_trace_bytes)
            plan.max_trace_bytes /= 2;
        else if (plan.cuts > 2)
            plan.cuts /= 2;
        else
            break;
    }
    if (max_bytes != 0 && plan.bytes > max_bytes)
        throw Error{Status::memory_limit, "a pair of " + std::to_string(m) + " x " + std::to_string(n) + " needs " +
                                              std::to_string(plan.bytes) + " bytes, more than the limit leaves"};
    plan.work = std::min(static_cast<double>(m) * static_cast<double>(n),
                         static_cast<double>(wide) * static_cast<double>(m + n));
    return plan;
}

std::string describe_antidiagonals(PairPlan const & plan, std::uint64_t m, std::uint64_t n, Request const & request)
{
    return std::to_string(m) + " x " + std::to_string(n) + " by antidiagonals of up to " +
           std::to_string(widest(m, n, band_of(m, n, request.mode))) + " cells, " + std::to_string(plan.width) +
           " bits" +
           (request.output < Output::span ? ", score only"
            : plan.keep_grid              ? ", some kept for the path"
                                          : ", full trace");
}

} // namespace nwgpu::cpu
