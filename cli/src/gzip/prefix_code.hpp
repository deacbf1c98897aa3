// SPDX-License-Identifier: BSD-3-Clause
// The prefix codes of deflate (RFC 1951, 3.2) as tables: the next bits of a stream are an index, the entry says what
// they begin with.
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace cli {

// Entries, by bits.  `used` are the bits of the stream that an entry uses up, extra bits included.  `code` of them are
// the code without extra bits.
//
//   0 to 4   used; of a second table, which follows where a code has more bits than an index: its index bits
//
// Literals and lengths.  Up to three literals whose codes fit into the index are one entry, so that the letters of DNA
// need a look at the table for three of them.
//
//   5, 6     how many literals, 0 to 3; the literals are bits 8 to 31
//   7        neither literals nor a length: bit 8, the end of the block; bit 9, no code; else bits 12 to 31, where the
//            second table begins
//   8 to 16  base: the least length; 17 to 20  code
//
// Distances.
//
//   5 to 8   code; 16 to 31  base
//   9        no distance: bit 10, no code; else bits 16 to 31, where the second table begins
constexpr std::uint32_t used_bits = 0x1f;

namespace letter_entry {
constexpr std::uint32_t literals = 0x60, special = 0x80, end_of_block = 0x100, no_code = 0x200, base = 0x1ff,
                        code = 0xf;
constexpr unsigned literals_at = 5, bytes_at = 8, base_at = 8, code_at = 17, place_at = 12;
} // namespace letter_entry

namespace distance_entry {
constexpr std::uint32_t code = 0xf, special = 0x200, no_code = 0x400;
constexpr unsigned code_at = 5, base_at = 16, place_at = 16;
} // namespace distance_entry

constexpr unsigned letter_bits = 12, distance_bits = 9; // of an index
constexpr unsigned most_code_bits = 15, letter_symbols = 288, distance_symbols = 32;

// A symbol whose code has more bits than an index needs a second table of at most that many entries.
using LetterTable =
    std::array<std::uint32_t, (1u << letter_bits) + letter_symbols *(1u << (most_code_bits - letter_bits))>;
using DistanceTable =
    std::array<std::uint32_t, (1u << distance_bits) + distance_symbols *(1u << (most_code_bits - distance_bits))>;

// From the number of bits of each symbol's code, 0 where it has none.  False where these are no prefix code: too many
// codes, or too few, but for a single one of one bit, or none at all.
bool make_letter_table(std::span<std::uint8_t const> lengths, LetterTable & table);
bool make_distance_table(std::span<std::uint8_t const> lengths, DistanceTable & table);

} // namespace cli
