// SPDX-License-Identifier: BSD-3-Clause
// The tie rule as questions to bits of cells, of unit costs (docs/proofs.md, lemma 31).
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/equal_letters.hpp"
#include "model/batch.hpp"
#include "model/cigar_style.hpp"

namespace nwgpu::cpu {

// What a bit tells of a cell: as much as the one before on the diagonal; one more than the one above; one more than the
// one to the left.
enum class CellBit { same, above, left };

// From the end to row 0 or column 0: end_i and end_j.  Returns what the path costs, with a gap from there to the begin.
// `bits` tells of cell (i, j), 1 .. m and 1 .. n, whether it is in its band, inside(i, j), and if so is(bit, i, j).
// A path that leaves the band ends there, and one that costs more than `most`.
template <class Bits>
std::int64_t walk_bits(Bits const & bits, PairView const & pair, std::int64_t most, CigarStyle style,
                       CigarBuilder & cigar, std::uint64_t & end_i, std::uint64_t & end_j)
{
    CigarOp const same_letters = op_of_equal(style), two_letters = op_of_different(style);
    auto i = static_cast<std::int64_t>(pair.m), j = static_cast<std::int64_t>(pair.n);
    std::int64_t cost = 0;
    // Where the distance is higher than expected, the path may leave the band, and any way out will do.
    auto const is_inside = [&] { return i > 0 && j > 0 && bits.inside(i, j); };
    while (i > 0 && j > 0 && cost <= most) {
        auto const equal = static_cast<std::int64_t>(
            equal_letters_before(pair.query + i, pair.target + j, static_cast<std::uint64_t>(std::min(i, j))));
        if (equal > 0) {
            cigar.add(same_letters, static_cast<std::uint64_t>(equal));
            i -= equal;
            j -= equal;
        } else if (!bits.is(CellBit::same, i, j)) {
            cigar.add(two_letters);
            --i;
            --j;
            ++cost;
        } else if (bits.is(CellBit::above, i, j)) {
            do { // a longer gap attains only with all shorter ones
                cigar.add(CigarOp::insertion);
                --i;
                ++cost;
            } while (is_inside() && bits.is(CellBit::above, i, j));
        } else {
            do {
                cigar.add(CigarOp::deletion);
                --j;
                ++cost;
            } while (is_inside() && bits.is(CellBit::left, i, j));
        }
        if (i > 0 && j > 0 && !is_inside())
            break;
    }
    end_i = static_cast<std::uint64_t>(i);
    end_j = static_cast<std::uint64_t>(j);
    return cost + i + j;
}

} // namespace nwgpu::cpu
