// SPDX-License-Identifier: BSD-3-Clause
// The built-in letter codes.
#include "model/alphabet.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

namespace nwgpu {
namespace {

TEST(Alphabet, DnaKnowsIupacAndFoldsCase)
{
    LetterCodes const & dna = *alphabet_codes("dna");
    std::string const letters = "ACGTRYSWKMBDHVN";
    std::set<int> codes;
    for (char const letter : letters) {
        codes.insert(dna[static_cast<std::uint8_t>(letter)]);
        EXPECT_EQ(dna[static_cast<std::uint8_t>(letter)], dna[static_cast<std::uint8_t>(letter + 32)]);
    }
    EXPECT_EQ(codes.size(), letters.size()) << "each its own code";
    EXPECT_EQ(dna['U'], dna['T']);
    EXPECT_EQ(dna['u'], dna['t']);
    EXPECT_EQ(std::ranges::count(dna, invalid_code), 256 - 2 * 16);
    EXPECT_EQ(dna['X'], invalid_code);
    EXPECT_EQ(dna['*'], invalid_code);
}

TEST(Alphabet, ProteinKnowsAllLettersAndStop)
{
    LetterCodes const & protein = *alphabet_codes("protein");
    EXPECT_EQ(std::ranges::count(protein, invalid_code), 256 - 53);
    EXPECT_EQ(protein['w'], protein['W']);
    EXPECT_NE(protein['*'], invalid_code);
    EXPECT_NE(protein['U'], protein['T']);
    EXPECT_EQ(protein['-'], invalid_code);
    EXPECT_EQ(protein[0], invalid_code);
}

TEST(Alphabet, OtherNamesAreUnknown)
{
    EXPECT_EQ(alphabet_codes("rna"), nullptr);
    EXPECT_EQ(alphabet_codes("DNA"), nullptr);
    EXPECT_EQ(alphabet_codes(""), nullptr);
}

} // namespace
} // namespace nwgpu
