// SPDX-License-Identifier: BSD-3-Clause
#include "cuda/plan/column_parts.hpp"

#include <algorithm>

namespace nwgpu::cuda {

namespace {

constexpr std::uint64_t most_parts = 4096, least_overlaps = 4; // as many times the overlap a part is long
constexpr double worth = 0.8;                                  // of the whole matrix's seconds

} // namespace

std::optional<ColumnParts> plan_column_parts(PairPlan const & whole, PairFacts const & pair, std::uint64_t overlap,
                                             DeviceFacts const & device)
{
    if (whole.traced || pair.tuning.parts < 0)
        return std::nullopt;
    bool const forced = pair.tuning.parts > 0;
    ColumnParts best;
    best.seconds = forced ? 1e300 : worth * whole.seconds;
    std::uint64_t const most = std::min(most_parts, pair.n / (least_overlaps * std::max<std::uint64_t>(1, overlap)));
    for (std::uint64_t count = forced ? static_cast<std::uint64_t>(pair.tuning.parts) : 2; forced || count <= most;
         count += std::max<std::uint64_t>(1, count / 4)) {
        ColumnParts parts{count, overlap, {}, {}, 0, 0};
        PairFacts one = pair;
        one.n = std::min(pair.n, ceil_div(pair.n, count) + overlap);
        parts.sweep = plan_sweep(one.m, one.n, count, one, device, one.m);
        parts.seconds = parts.sweep.seconds;
        parts.bytes = kept_entry(pair) * count * (2 * one.n + pair.m + 1) + pair.m + pair.n +
                      64 * count * ceil_div(pair.m, parts.sweep.strip_rows);
        if (pair.path) {
            parts.path = plan_pair(one, device);
            parts.seconds += parts.path.seconds;
            parts.bytes = std::max(parts.bytes, parts.path.bytes);
        }
        if (parts.bytes <= device.budget && parts.seconds < best.seconds)
            best = parts;
        if (forced)
            break;
    }
    if (best.count == 0)
        return std::nullopt;
    return best;
}

} // namespace nwgpu::cuda
