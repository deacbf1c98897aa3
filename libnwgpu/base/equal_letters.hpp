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
