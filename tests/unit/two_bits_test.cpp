// SPDX-License-Identifier: BSD-3-Clause
// Letters of four kinds in two bits each, by all instruction sets.
#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "cpu/kernels/kernel_table.hpp"
#include "cpu/options.hpp"
#include "support/two_bits.hpp"

namespace nwgpu::test {
namespace {

TEST(TwoBits, EachLetterHasItsKind)
{
    std::mt19937 random{5};
    constexpr std::uint64_t blocks = 5, count = blocks * two_bit_letters;
    for (std::string const & isa : cpu::available_isas())
        for (int round = 0; round < 200; ++round) {
            FourLetters four{};
            for (std::size_t k = 0; k < four.size(); ++k) // different ones, of all bytes
                four[k] = static_cast<std::uint8_t>(random() % 64 * 4 + k);
            std::vector<std::uint8_t> letters(count), found(blocks * two_bit_bytes, 77), expected = found;
            for (std::uint8_t & letter : letters)
                letter = four[random() % 4];
            std::uint64_t const stray = random() % (2 * count); // in no block, half of the time
            std::string const words =
                "TwoBits.EachLetterHasItsKind seed=5 isa=" + isa + " round=" + std::to_string(round);
            if (stray < count)
                letters[stray] ^= 4u << random() % 6;
            std::uint64_t const before = std::min(stray / two_bit_letters, blocks);
            ASSERT_EQ(slow_two_bits(letters.data(), blocks, four, expected.data()), before) << words;
            ASSERT_EQ(cpu::kernel_table(isa).to_two_bits(letters.data(), blocks, four, found.data()), before) << words;
            ASSERT_EQ(found, expected) << words;
            for (std::uint64_t k = 0; k < std::min((before + 1) * two_bit_letters, count); ++k)
                ASSERT_EQ(letter_at(found.data(), k, four), k == stray ? four[0] : letters[k]) << words << " k=" << k;
        }
}

} // namespace
} // namespace nwgpu::test
