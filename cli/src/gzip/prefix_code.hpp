// SPDX-License-Identifier: BSD-3-Clause
// The prefix codes of deflate (RFC 1951, 3.2) as tables: the next bits of a stream are an index, the entry says what
// they begin with.
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace cli {

// Both tables: the lowest bits of an entry say how many bits of the stream it uses up, extra bits included.
constexpr std::uint32_t used_bits = 0x1f;

// Literals and lengths.  Up to three literals whose codes fit into the index are one entry, so that the letters of DNA
// need a look at the table for three of them.
namespace letter_entry {
constexpr std::uint32_t literals = 0x60; // how many, at literals_at; they are the bytes from bytes_at on
constexpr unsigned literals_at = 5, bytes_at = 8;
// Without literals, a length: the least value, and how long its code is without extra bits; or what is special: the
// place of a second table, with as many index bits as are "used", or the end of a block, or no code.
constexpr std::uint32_t special = 0x80;
constexpr std::uint32_t base = 0x1ff, code = 0xf;
constexpr unsigned base_at = 8, code_at = 17;
constexpr std::uint32_t end_of_block = 0x100, no_code = 0x200;
constexpr unsigned place_at = 12;
} // namespace letter_entry

// Distances, likewise.
namespace distance_entry {
constexpr std::uint32_t code = 0xf;
constexpr unsigned code_at = 5, base_at = 16;
constexpr std::uint32_t special = 0x200, no_code = 0x400;
constexpr unsigned place_at = 16;
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
