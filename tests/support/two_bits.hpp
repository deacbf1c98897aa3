// SPDX-License-Identifier: BSD-3-Clause
// Letters in two bits each, one after the other, and letters for which there are none.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

#include "model/two_bits.hpp"
#include "support/random.hpp"

namespace nwgpu::test {

// So many letters of DNA, with too many strays, which those that are looked at, 16 in each of 64 places, do not tell.
inline std::string with_unseen_strays(Random & random, std::uint64_t count)
{
    std::string letters = random_sequence(random, count, "ACGT");
    for (std::uint64_t place = 0; place < 64; ++place)
        letters.replace(place * count / 64 + 16, 40, random_sequence(random, 40, "NRY"));
    return letters;
}

inline std::uint64_t slow_two_bits(std::uint8_t const * letters, std::uint64_t blocks, FourLetters const & four,
                                   std::uint8_t * to)
{
    for (std::uint64_t b = 0; b < blocks; ++b, letters += two_bit_letters, to += two_bit_bytes) {
        bool has_strays = false;
        std::fill_n(to, two_bit_bytes, std::uint8_t{0});
        for (std::uint64_t k = 0; k < two_bit_letters; ++k) {
            auto const kind = static_cast<unsigned>(std::ranges::find(four, letters[k]) - four.begin());
            has_strays |= kind == four.size();
            to[k % two_bit_bytes] |= static_cast<std::uint8_t>(kind % four.size() << k / two_bit_bytes * 2);
        }
        if (has_strays)
            return b;
    }
    return blocks;
}

// The k-th letter, but for strays.
inline std::uint8_t letter_at(std::uint8_t const * two_bits, std::uint64_t k, FourLetters const & four)
{
    std::uint64_t const block = k / two_bit_letters, in_block = k % two_bit_letters;
    return four[two_bits[block * two_bit_bytes + in_block % two_bit_bytes] >> in_block / two_bit_bytes * 2 & 3];
}

} // namespace nwgpu::test
