// SPDX-License-Identifier: BSD-3-Clause
// Pairs of unit costs side by side, one per lane of a vector: a word of 16, 32 or 64 bits holds the cells of one column
// on the diagonals of a narrow band (bit_batch.hpp): plain data.  After Myers (1999) and Hyyro (2003).  A word's window
// moves down by a row with every column: bit b of column j is row j - offset + b, on diagonal offset - b.
//
//   inputs    bits of the letters' numbers, of which there are four
//   cell      three bits: as much as the one before on the diagonal; one more than the one above; one more than the one
//             to the left
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace nwgpu::cpu {

struct BitLanes {
    static constexpr int most_lanes = 32, least_width = 16, most_width = 64;
    static constexpr std::int64_t block = 64; // letters
    // Of the cells of a column.  not_above: the second bit's complement, of the next column's rows: bit b tells of bit
    // b + 1.
    enum Plane { same, not_above, left, planes };
    // Of letters: low and high bits of their numbers.
    enum { query_low, query_high, target_low, target_high, letter_planes };

    // Bits of letters, the first one's highest: [blocks][letter_planes][lanes], a lane's at place_of().  Block 0 of the
    // query ends with the rows of column 1; there is one more than of the target.
    std::uint64_t const * letters = nullptr;
    std::uint64_t inside[most_lanes]; // bits of column 1 that are rows of the matrix

    std::int64_t begin = 0, end = 0; // columns begin + 1 .. end; begin is a multiple of `block`
    std::uint8_t * state = nullptr;  // [4] vectors: where the columns up to begin ended, and those up to end
    std::uint8_t * steps = nullptr;  // [columns][planes] vectors, from column 1 on

    // Words of 64 bits are cut into those of two lanes, and of four, by shifts alone.
    static std::size_t place_of(std::size_t lane, int width, std::size_t lanes)
    {
        if (std::endian::native == std::endian::big)
            lane ^= static_cast<std::size_t>(most_width / width - 1);
        if (width == 64)
            return lane;
        return width == 32 ? lane % 2 * (lanes / 2) + lane / 2 : (lane % 2 * 2 + lane / 2 % 2) * (lanes / 4) + lane / 4;
    }
};

// Four letters and their numbers: two neighbouring bits of the letter.
//
// The kernel letter_bits(of, letters, begin, end, to, plane, step) writes bits of the numbers of letters 0 .. end - 1,
// of which those before `begin` belong to others, in words of 64 letters, the first one's highest: word k of the low
// bits to to[k * step], that of the high ones `plane` behind it.  It reads up to 63 letters behind the last one, and
// says false if some letter is none of the four.
struct LetterBits {
    int shift = 0;
    std::uint8_t letter[4] = {};

    int number(std::uint8_t code) const { return code >> shift & 3; }
};

} // namespace nwgpu::cpu
