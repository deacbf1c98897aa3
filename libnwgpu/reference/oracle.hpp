// SPDX-License-Identifier: BSD-3-Clause
// The oracle: the plain O(mn) recurrence with the tie rule written out, and a verifier that re-scores a CIGAR from
// the two sequences alone.  Slow, quadratic in memory, and what everything else is tested against.
//
// THE DEFINITION.  Rows i = 0..m are query letters, columns j = 0..n target letters, s(i, j) the score of query
// letter i with target letter j, and a gap of k letters costs open + k * extend.
//
//   E(i, j) = max(E(i, j-1) - extend, H(i, j-1) - open - extend)   gap in the query: consumes target, CIGAR D
//   F(i, j) = max(F(i-1, j) - extend, H(i-1, j) - open - extend)   gap in the target: consumes query, CIGAR I
//   H(i, j) = max(H(i-1, j-1) + s(i, j), F(i, j), E(i, j) [, 0 if it begins anywhere])
//
// A path begins anywhere if the mode is local or extend_left, and ends anywhere if it is local or extend.
//
// Borders: H(0, 0) = 0.  H(0, j) = E(0, j) = -(open + j * extend), but H(0, j) = 0 if the path begins anywhere or
// free_target_begin.  H(i, 0) = F(i, 0) = -(open + i * extend), but H(i, 0) = 0 if it begins anywhere or
// free_query_begin.  E(i, 0) and F(0, j) are minus infinity.
//
// Score and end: the greatest H among the cells where a path may end: (m, n); all (i, n) if free_query_end; all
// (m, j) if free_target_end; every cell if it ends anywhere.  Of several the first in column-major order: the smallest
// target end j, then the smallest query end i.  Where the score of local, extend or extend_left is 0, the alignment is
// empty: at (m, n) of extend_left, else at (0, 0).
//
// Path, walked back from there; the first rule that applies decides:
//   aligned, row 0     stop if it begins anywhere or free_target_begin; else the rest of the target is a gap (D)
//   aligned, column 0  stop if it begins anywhere or free_query_begin; else the rest of the query is a gap (I)
//   aligned, at (i, j) diagonal if H(i, j) = H(i-1, j-1) + s(i, j); else the F gap if H = F; else the E gap if H = E;
//                      else (H is 0 by the floor alone) stop.  So a path keeps a prefix of score 0.
//   F gap, at (i, j)   take one I and go to (i-1, j); stay in the gap if F(i, j) = F(i-1, j) - extend
//   E gap, at (i, j)   take one D and go to (i, j-1); stay in the gap if E(i, j) = E(i, j-1) - extend
//
// BAND.  With a band only the cells (i, j) with lower <= j - i <= upper exist: all others are minus infinity, and so is
// a border cell to which a gap of the border would have to lead from outside.  Where no cell of a path's end is
// reached, there is no alignment.
//
// OTHER TIES.  Ties::last_end takes the last of several ends, in column-major order.  Ties::gaps_first does so too, and
// its path prefers the E gap to the F gap, and that to the diagonal.
//
// SEVERAL LOCAL ALIGNMENTS (after Waterman and Eggert 1987, doi:10.1016/0022-2836(87)90478-5).  The first is the best;
// each further one is the best, by the rules above, where the pairs of letters that earlier ones align may not be
// aligned again: s(i, j) is minus infinity for them.  Gaps may lie anywhere.  The list ends where no positive score is
// left.
//
// This is the choice of SeqAn3 with sequence1 = target and sequence2 = query.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/batch.hpp"
#include "model/mode.hpp"
#include "model/result.hpp"
#include "model/scoring.hpp"

namespace nwgpu::reference {

// Always computes everything (output level cigar).  Throws Error invalid_argument when the band holds no path.
PairResult align(PairView const & pair, Scoring const & scoring, Mode const & mode, CigarStyle style = CigarStyle::eqx);

// At most `top` local alignments, best first; one that is empty where nothing has a positive score.
std::vector<PairResult> align_top(PairView const & pair, Scoring const & scoring, std::uint32_t top,
                                  CigarStyle style = CigarStyle::eqx);

// Score of the path that `runs` describes over all of `pair`.  Throws Error invalid_argument when the runs do not
// cover exactly both sequences, when = or X does not hold, or when an operation is none of M I D = X.
std::int64_t cigar_score(PairView const & pair, Scoring const & scoring, std::span<std::uint32_t const> runs);

} // namespace nwgpu::reference
