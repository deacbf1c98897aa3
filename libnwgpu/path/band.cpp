// SPDX-License-Identifier: BSD-3-Clause
#include "path/band.hpp"

#include <array>

namespace nwgpu::path {

namespace {

struct Best {
    std::int64_t sum, least;
};

// The best that all letters of a sequence could score, and the least that one letter in a gap takes from it.
template <class BestOfCode>
Best best_of(std::uint8_t const * codes, std::uint64_t length, bool uniform, BestOfCode const & best_of_code)
{
    if (uniform && length > 0) {
        std::int64_t const best = std::max<std::int64_t>(0, best_of_code(codes[0]));
        return {static_cast<std::int64_t>(length) * best, best};
    }
    std::array<std::int64_t, 256> count{};
    for (std::uint64_t k = 0; k < length; ++k)
        ++count[codes[k]];
    Best all{0, INT64_MAX};
    for (int code = 0; code < 256; ++code)
        if (count[code] > 0) {
            std::int64_t const best = std::max<std::int64_t>(0, best_of_code(static_cast<std::uint8_t>(code)));
            all.sum += count[code] * best;
            all.least = std::min(all.least, best);
        }
    return all;
}

} // namespace

Band band_around(PairView const & pair, std::uint64_t half_width)
{
    auto const end = static_cast<std::int64_t>(pair.n) - static_cast<std::int64_t>(pair.m); // diagonal of the last cell
    auto const d = static_cast<std::int64_t>(half_width);
    return {std::min<std::int64_t>(0, end) - d, std::max<std::int64_t>(0, end) + d};
}

BandProof::BandProof(PairView const & pair, Scoring const & scoring)
{
    bool const uniform = scoring.is_uniform();
    auto const [query_sum, query_least] =
        best_of(pair.query, pair.m, uniform, [&](std::uint8_t code) { return scoring.best_of_query(code); });
    auto const [target_sum, target_least] =
        best_of(pair.target, pair.n, uniform, [&](std::uint8_t code) { return scoring.best_of_target(code); });
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

Band proven_band(PairView const & pair, Mode const & mode, Scoring const & scoring, std::int64_t score)
{
    GapCost const gap = scoring.gap();
    auto const match = std::max<std::int64_t>(0, scoring.max_score()), m = static_cast<std::int64_t>(pair.m),
               n = static_cast<std::int64_t>(pair.n);
    // A path on diagonal d, `longer` or more above the main one, aligns `shorter` - d letters at most; before it d
    // letters of one sequence are left over, behind it d - `longer` of the other one, in gaps unless those ends are
    // free.
    auto const farthest = [&](std::int64_t letters, std::int64_t longer, bool free_begin, bool free_end) {
        std::int64_t const gaps = !free_begin + !free_end, step = match + gaps * gap.extend,
                           spare = match * letters - gaps * gap.open + (free_end ? 0 : longer * gap.extend) - score;
        return step == 0 ? Band{}.high : std::max({std::int64_t{0}, longer, spare / step});
    };
    bool const begins = mode.begins_anywhere(), ends = mode.ends_anywhere();
    return {-farthest(m, m - n, begins || mode.free_query_begin, ends || mode.free_target_end),
            farthest(n, n - m, begins || mode.free_target_begin, ends || mode.free_query_end)};
}

Band proven_band_to_end(PairView const & pair, Mode const & begins, Scoring const & scoring, std::int64_t score)
{
    GapCost const gap = scoring.gap();
    auto const match = std::max<std::int64_t>(0, scoring.max_score()), m = static_cast<std::int64_t>(pair.m),
               n = static_cast<std::int64_t>(pair.n);
    // A path that is k diagonals beside the last one has k letters of one sequence in gaps before its end.  All letters
    // of the other one may be aligned, or all but k of that one.
    auto const farthest = [&](std::int64_t other, std::int64_t gapped) {
        std::int64_t k = Band{}.high / 2;
        if (gap.extend > 0)
            k = (match * other - gap.open - score) / gap.extend;
        if (match + gap.extend > 0)
            k = std::min(k, (match * gapped - gap.open - score) / (match + gap.extend));
        return std::max<std::int64_t>(0, k);
    };
    Band const band = proven_band(pair, begins, scoring, score);
    return {std::max(band.low, n - m - farthest(m, n)), std::min(band.high, n - m + farthest(n, m))};
}

std::uint64_t too_long_gap(std::uint64_t letters, Scoring const & scoring, std::int64_t score)
{
    GapCost const gap = scoring.gap();
    std::int64_t const match = std::max<std::int64_t>(1, scoring.max_score()),
                       lost = match * static_cast<std::int64_t>(letters) - gap.open - score;
    return static_cast<std::uint64_t>(std::max<std::int64_t>(0, lost / (match + gap.extend)) + 1);
}

std::uint64_t free_ends_half_width(PairView const & pair, Mode const & mode, Scoring const & scoring,
                                   std::int64_t score)
{
    return too_long_gap(mode.free_query_begin || mode.free_query_end ? pair.n : pair.m, scoring, score);
}

} // namespace nwgpu::path
