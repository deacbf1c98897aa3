// SPDX-License-Identifier: BSD-3-Clause
#include "cpu/band.hpp"

#include <algorithm>

namespace nwgpu::cpu {

Band band_around(PairView const & pair, std::uint64_t half_width)
{
    auto const end = static_cast<std::int64_t>(pair.n) - static_cast<std::int64_t>(pair.m); // diagonal of the last cell
    auto const d = static_cast<std::int64_t>(half_width);
    return {std::min<std::int64_t>(0, end) - d, std::max<std::int64_t>(0, end) + d};
}

BandProof::BandProof(PairView const & pair, Scoring const & scoring)
{
    // The best that all letters of a sequence could score, and the least that one letter in a gap takes from it.
    std::int64_t query_sum = 0, target_sum = 0, query_least = INT64_MAX, target_least = INT64_MAX;
    for (std::uint64_t i = 0; i < pair.m; ++i) {
        std::int64_t const best = std::max<std::int64_t>(0, scoring.best_of_query(pair.query[i]));
        query_sum += best;
        query_least = std::min(query_least, best);
    }
    for (std::uint64_t j = 0; j < pair.n; ++j) {
        std::int64_t const best = std::max<std::int64_t>(0, scoring.best_of_target(pair.target[j]));
        target_sum += best;
        target_least = std::min(target_least, best);
    }
    std::int64_t const insertions =
        std::max<std::int64_t>(0, static_cast<std::int64_t>(pair.m) - static_cast<std::int64_t>(pair.n)) + 1;
    std::int64_t const deletions =
        std::max<std::int64_t>(0, static_cast<std::int64_t>(pair.n) - static_cast<std::int64_t>(pair.m)) + 1;
    std::int64_t const gaps = 2 * scoring.gap().open + (insertions + deletions) * scoring.gap().extend;
    std::int64_t const query_base = query_sum - insertions * query_least,
                       target_base = target_sum - deletions * target_least;
    bool const by_query = query_base <= target_base;
    base_ = std::min(query_base, target_base) - gaps;
    step_ = (by_query ? query_least : target_least) + 2 * scoring.gap().extend;
}

std::optional<std::uint64_t> BandProof::half_width(std::int64_t score) const
{
    if (base_ < score)
        return 0;
    if (step_ <= 0)
        return std::nullopt;
    return static_cast<std::uint64_t>((base_ - score) / step_ + 1); // base - d * step < score
}

} // namespace nwgpu::cpu
