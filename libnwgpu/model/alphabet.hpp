// SPDX-License-Identifier: BSD-3-Clause
// The letter codes that come with the library, for match/mismatch scoring.
#pragma once

#include <string_view>

#include "model/scoring.hpp"

namespace nwgpu {

// "dna": ACGT and the IUPAC codes, each its own letter, U = T.  "protein": A-Z and '*'.  Case is folded in both, and
// every other byte is invalid.  NULL for another name.
LetterCodes const * alphabet_codes(std::string_view name);

// Upper case of an ASCII letter, whatever the locale; other bytes as they are.
constexpr char fold_case(char letter)
{
    return letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 32) : letter;
}

// Gives `letter`, and its other case, the code `code`.
constexpr void set_code(LetterCodes & codes, char letter, std::uint8_t code)
{
    char const upper = fold_case(letter);
    codes[static_cast<std::uint8_t>(upper)] = code;
    if (upper >= 'A' && upper <= 'Z')
        codes[static_cast<std::uint8_t>(upper + 32)] = code;
}

// Codes 0, 1, 2, ... for the letters in their order.
constexpr LetterCodes codes_of(std::string_view letters)
{
    LetterCodes codes{};
    codes.fill(invalid_code);
    for (std::size_t i = 0; i < letters.size(); ++i)
        set_code(codes, letters[i], static_cast<std::uint8_t>(i));
    return codes;
}

} // namespace nwgpu
