// SPDX-License-Identifier: BSD-3-Clause
// Letters of four kinds, in two bits each; the few that are of none of them go beside the others.
#pragma once

#include <array>
#include <cstdint>

#include "base/ceil_div.hpp"

namespace nwgpu {

using FourLetters = std::array<std::uint8_t, 4>; // by kind

// Of a block.  Its byte k has the kinds of letters k, k + 64, k + 128 and k + 192, those of the first one in its lowest
// bits.
constexpr std::uint64_t two_bit_letters = 256, two_bit_bytes = two_bit_letters / 4;

// Writes whole blocks, up to the first one that has letters of no kind, which count as of kind 0 there.  Returns how
// many blocks are before that one: `blocks` if there is none.
using ToTwoBits = std::uint64_t (*)(std::uint8_t const * letters, std::uint64_t blocks, FourLetters const & four,
                                    std::uint8_t * to);

// A letter of no kind.
struct StrayLetter {
    std::uint32_t position = 0, letter = 0;
};

// Of so many letters in memory: their blocks, and the strays behind them.
struct TwoBitLayout {
    std::uint64_t letters = 0;

    std::uint64_t blocks() const { return ceil_div(letters, two_bit_letters); }
    std::uint64_t strays_at() const { return blocks() * two_bit_bytes; }
    // With more of them, letters are as quick as they are.
    std::uint64_t most_strays() const { return letters / 512; }
    std::uint64_t bytes(std::uint64_t strays) const { return strays_at() + strays * sizeof(StrayLetter); }
    std::uint64_t most_bytes() const { return bytes(most_strays()); }
};

} // namespace nwgpu
