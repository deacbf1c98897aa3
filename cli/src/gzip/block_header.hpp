// SPDX-License-Identifier: BSD-3-Clause
// Headers of deflate's blocks (RFC 1951, 3.2.3 to 3.2.7), and the search for one where nothing says that one begins.
#pragma once

#include "gzip/bit_reader.hpp"
#include "gzip/prefix_code.hpp"

#include <cstdint>
#include <optional>

namespace cli {

struct BlockCodes {
    LetterTable letters;
    DistanceTable distances;
};

// A block with codes of its own is the only kind that can be found, and only one that is not the last of its stream:
// its header begins with these bits.
constexpr std::uint32_t findable = 0b100, findable_bits = 3;
// No header has more bytes.
constexpr std::size_t most_header_bytes = 320;

// Of a block with codes of its own, behind the first three bits.  False where it is none.
bool read_codes(BitReader & reader, BlockCodes & codes);
BlockCodes const & fixed_codes();

// The first bit from `from` to `to` where a block seems to begin that can be found; the piece must go on for
// most_header_bytes behind `to`, or end the file.
std::optional<std::uint64_t> find_block(Piece const & piece, std::uint64_t from, std::uint64_t to);

} // namespace cli
