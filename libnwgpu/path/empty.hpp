// SPDX-License-Identifier: BSD-3-Clause
// Pairs without a matrix.
#pragma once

#include <cstdint>

#include "model/batch.hpp"
#include "model/cigar.hpp"
#include "model/mode.hpp"
#include "model/result.hpp"
#include "path/end.hpp"

namespace nwgpu::path {

// One of the sequences is empty: no cells, one gap.
inline PairResult align_empty(PairView const & pair, Scoring const & scoring, Mode const & mode)
{
    PairResult result;
    result.span = {0, 0, 0, 0};
    if (mode.local || (pair.m == 0 && pair.n == 0))
        return result;
    bool const row = pair.m == 0; // cells (0, j), else (i, 0)
    std::uint64_t const length = row ? pair.n : pair.m;
    bool const free_begin = row ? mode.free_target_begin : mode.free_query_begin;
    bool const free_end = row ? mode.free_target_end : mode.free_query_end;
    // The first of the best ends: the origin when the end is free (no gap scores above 0).
    std::uint64_t const end = free_end ? 0 : length, begin = free_begin ? end : 0;
    result.score = free_end || free_begin ? 0 : gap_score(scoring.gap(), length);
    (row ? result.span.target_end : result.span.query_end) = end;
    (row ? result.span.target_begin : result.span.query_begin) = begin;
    CigarBuilder cigar;
    if (end > begin)
        cigar.add(row ? CigarOp::deletion : CigarOp::insertion, end - begin);
    cigar.finish(result.runs);
    return result;
}

} // namespace nwgpu::path
