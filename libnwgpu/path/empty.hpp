// SPDX-License-Identifier: BSD-3-Clause
// Pairs without a matrix.
#pragma once

#include <algorithm>
#include <cstdint>

#include "model/batch.hpp"
#include "model/cigar.hpp"
#include "model/mode.hpp"
#include "model/result.hpp"
#include "path/end.hpp"
#include "path/user_band.hpp"

namespace nwgpu::path {

// One of the sequences is empty: no letters to align, one gap at most.  Throws Error invalid_argument when the band
// holds no path.
inline PairResult align_empty(PairView const & pair, Scoring const & scoring, Mode const & mode)
{
    check_band(pair.m, pair.n, mode);
    bool const row = pair.m == 0; // cells (0, j), else (i, 0)
    std::uint64_t const length = row ? pair.n : pair.m;
    // Those that the band holds.
    std::uint64_t first = 0, last = length;
    if (mode.band) {
        auto const beyond = static_cast<std::int64_t>(length) + 1;
        auto const clip = [&](std::int64_t diagonal) { return std::clamp(diagonal, -beyond, beyond); };
        auto const least = row ? clip(mode.band->lower) : -clip(mode.band->upper);
        auto const most = row ? clip(mode.band->upper) : -clip(mode.band->lower);
        first = static_cast<std::uint64_t>(std::max<std::int64_t>(least, 0));
        last = std::min(length, static_cast<std::uint64_t>(std::max<std::int64_t>(most, 0)));
    }
    bool const free_begin = row ? mode.free_target_begin : mode.free_query_begin;
    bool const free_end = row ? mode.free_target_end : mode.free_query_end;

    PairResult result;
    result.span = {0, 0, 0, 0};
    if (mode.may_be_empty()) {
        result.span = empty_span(pair.m, pair.n, mode);
        return result;
    }
    // No gap scores above 0, and a longer one never more: the first end is a best one, and the last where all are
    // equal.
    bool const all_equal = free_begin || (scoring.gap().open == 0 && scoring.gap().extend == 0);
    std::uint64_t const end = !free_end || (mode.ties != Ties::first && all_equal) ? last : first;
    std::uint64_t const begin = free_begin ? end : 0;
    result.score = free_begin ? 0 : gap_score(scoring.gap(), end);
    (row ? result.span.target_end : result.span.query_end) = end;
    (row ? result.span.target_begin : result.span.query_begin) = begin;
    CigarBuilder cigar;
    if (end > begin)
        cigar.add(row ? CigarOp::deletion : CigarOp::insertion, end - begin);
    cigar.finish(result.runs);
    return result;
}

} // namespace nwgpu::path
