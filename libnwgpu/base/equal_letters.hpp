// SPDX-License-Identifier: BSD-3-Clause
// Letters eight at a time; equal ones on a diagonal, as walks meet them: from the end backwards.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace nwgpu {

// As a number, of which the first one is the lowest byte.
inline std::uint64_t eight_letters(std::uint8_t const * from)
{
    std::uint64_t bytes;
    std::memcpy(&bytes, from, 8);
    return std::endian::native == std::endian::big ? __builtin_bswap64(bytes) : bytes;
}

// Bit k: whether letters k are equal, of up to 64, rounded up to eights.
inline std::uint64_t equal_letters(std::uint8_t const * a, std::uint8_t const * b, int n)
{
    constexpr std::uint64_t ones = 0x0101010101010101, low_bits = 0x7f * ones;
    std::uint64_t equal = 0;
    for (int k = 0; k < n; k += 8) {
        std::uint64_t const difference = eight_letters(a + k) ^ eight_letters(b + k);
        std::uint64_t const bytes = ~((((difference & low_bits) + low_bits) | difference) >> 7) & ones;
        equal |= bytes * 0x0102040810204080 >> 56 << k; // bit 0 of every byte, side by side
    }
    return equal;
}

// How many of the last letters before both ends are equal, `most` at most.
inline std::uint64_t equal_letters_before(std::uint8_t const * query_end, std::uint8_t const * target_end,
                                          std::uint64_t most)
{
    std::uint64_t equal = 0;
    auto const difference = [&](std::uint64_t before) {
        return eight_letters(query_end - equal - before) ^ eight_letters(target_end - equal - before);
    };
    for (; equal + 8 <= most; equal += 8) {
        if (std::uint64_t const different = difference(8))
            return equal + static_cast<std::uint64_t>(std::countl_zero(different)) / 8;
        while (equal + 40 <= most && (difference(16) | difference(24) | difference(32) | difference(40)) == 0)
            equal += 32;
    }
    while (equal < most &&
           query_end[-static_cast<std::ptrdiff_t>(equal) - 1] == target_end[-static_cast<std::ptrdiff_t>(equal) - 1])
        ++equal;
    return equal;
}

} // namespace nwgpu
