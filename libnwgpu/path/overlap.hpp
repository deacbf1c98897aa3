// SPDX-License-Identifier: BSD-3-Clause
// Overlapping search (paper B of docs/reproduction.md, 13.3.4), for local alignments of short queries.  The target is
// cut into parts that are searched apart from each other; each begins so many letters before its own columns that no
// alignment which ends there can begin earlier.  The paper estimates that number; the scoring proves one
// (docs/proofs.md, lemma 20).
//
//     part 0  |==========|                    = columns whose cells count
//     part 1         |...|==========|         . columns that the part before counts; their cells may be too low here
//     part 2                    |...|=====|
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "model/batch.hpp"

namespace nwgpu::path {

// The most target letters that a local alignment of positive score spans, or nothing where a gap may have any length.
// A gap of d letters costs open + d * extend, and all letters of the query together are worth at most `all`; so
// d < (all - open) / extend, and the other columns are at most one for each query letter.
inline std::optional<std::uint64_t> longest_span(PairView const & pair, Scoring const & scoring)
{
    std::int64_t all = 0;
    for (std::uint64_t i = 0; i < pair.m; ++i)
        all += std::max<std::int64_t>(0, scoring.best_of_query(pair.query[i]));
    std::int64_t const rest = all - scoring.gap().open;
    if (rest <= 0)
        return pair.m;
    if (scoring.gap().extend == 0)
        return std::nullopt;
    return pair.m + static_cast<std::uint64_t>((rest - 1) / scoring.gap().extend);
}

// Columns begin + 1 .. end are computed, those behind `counted` are the part's own.
struct OverlappingPart {
    std::uint64_t begin, counted, end;
};

inline std::vector<OverlappingPart> overlapping_parts(std::uint64_t columns, std::uint64_t parts, std::uint64_t overlap)
{
    std::vector<OverlappingPart> result;
    std::uint64_t const size = (columns + parts - 1) / parts;
    for (std::uint64_t from = 0; from < columns; from += size)
        result.push_back({from - std::min(from, overlap), from, std::min(columns, from + size)});
    return result;
}

} // namespace nwgpu::path
