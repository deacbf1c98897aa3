// SPDX-License-Identifier: BSD-3-Clause
// The tie rule as a walk over trace bits, from the end of a path to its begin, block by block.  The engines and the
// published algorithms walk with this code; only cpu/pair/align_antidiagonals.cpp, for bands and other ties, has a walk
// of its own. reference/oracle.hpp states the same rule on scores, docs/exactness.md in words.  Why bits are enough:
// docs/proofs.md, lemma 5.
#pragma once

#include <algorithm>
#include <cstdint>

#include "model/batch.hpp"
#include "model/cigar.hpp"
#include "model/mode.hpp"
#include "model/result.hpp"

namespace nwgpu::path {

// What happens next at cell (i, j).  A gap walked into the cell is pending: the cell's `opens` bit tells whether the
// gap was opened from this cell's H or goes on.  So a walk can stop between any two blocks.
enum class State { h, pending_insertion, pending_deletion };

struct Cursor {
    std::uint64_t i = 0, j = 0; // letters of query and target before the cell's boundary: cell (i, j) of the matrix
    State state = State::h;
    bool stopped = false; // the path begins here, inside
};

// Adds the cells that the diagonal attains one after the other from (i, j) on, `most` at most, to the CIGAR; returns
// how many they are.
template <class Bits>
std::uint64_t add_diagonals(Bits const & bits, std::uint64_t i, std::uint64_t j, std::uint64_t most,
                            PairView const & pair, CigarStyle style, CigarBuilder & cigar)
{
    if constexpr (requires { bits.add_diagonals(i, j, most, style, cigar); }) {
        return bits.add_diagonals(i, j, most, style, cigar);
    } else {
        std::uint64_t n = 0;
        if constexpr (requires { bits.diagonals(i, j, most); }) {
            n = bits.diagonals(i, j, most);
        } else {
            while (n < most && bits.diagonal(i - n, j - n))
                ++n;
        }
        if (n > 0 && style == CigarStyle::m)
            cigar.add(CigarOp::match, n);
        else
            cigar.add_letters(pair.query + i - n, pair.target + j - n, n);
        return n;
    }
}

// Walks until the cursor leaves the block whose first row and column are given: to i == row_begin or j == col_begin, or
// to a stop.  Bits: vertical(i, j), horizontal(i, j), e_opens(i, j) and f_opens(i, j) for cells of the block, and one
// of diagonal(i, j); diagonals(i, j, most), how many there are one after the other; add_diagonals(i, j, most, style,
// cigar) as above.  `floored`: a cell that no direction attains is a stop.
template <class Bits>
void walk(Bits const & bits, std::uint64_t row_begin, std::uint64_t col_begin, PairView const & pair, CigarStyle style,
          bool floored, Cursor & cursor, CigarBuilder & cigar)
{
    std::uint64_t i = cursor.i, j = cursor.j;
    State state = cursor.state;
    bool stopped = cursor.stopped;
    while (i > row_begin && j > col_begin) {
        if (state == State::pending_insertion && bits.f_opens(i, j))
            state = State::h;
        else if (state == State::pending_deletion && bits.e_opens(i, j))
            state = State::h;
        if (state == State::h) {
            // Most steps of a path are here.
            std::uint64_t const most = std::min(i - row_begin, j - col_begin);
            std::uint64_t const n = add_diagonals(bits, i, j, most, pair, style, cigar);
            i -= n;
            j -= n;
            if (n == most)
                break;
            if (bits.vertical(i, j)) {
                state = State::pending_insertion;
            } else if (!floored || bits.horizontal(i, j)) {
                state = State::pending_deletion;
            } else {
                stopped = true;
                break;
            }
        }
        if (state == State::pending_insertion) {
            cigar.add(CigarOp::insertion);
            --i;
        } else {
            cigar.add(CigarOp::deletion);
            --j;
        }
    }
    cursor = {i, j, state, stopped};
}

// Beyond the first row or column only one way is left; then the begin and the runs are known.
inline void finish(Mode const & mode, Cursor cursor, CigarBuilder & cigar, PairResult & result)
{
    if (!mode.begins_anywhere() && !mode.free_query_begin && cursor.i > 0) {
        cigar.add(CigarOp::insertion, cursor.i);
        cursor.i = 0;
    }
    if (!mode.begins_anywhere() && !mode.free_target_begin && cursor.j > 0) {
        cigar.add(CigarOp::deletion, cursor.j);
        cursor.j = 0;
    }
    result.span.query_begin = cursor.i;
    result.span.target_begin = cursor.j;
    cigar.finish(result.runs);
}

} // namespace nwgpu::path
