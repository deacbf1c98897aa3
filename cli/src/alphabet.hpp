// SPDX-License-Identifier: BSD-3-Clause
// Which letters sequences may have: DNA or protein, told or detected, and what to do with other letters.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>

namespace cli {

enum class AlphabetKind { detect, dna, protein };

// Protein unless at least nine letters of ten are A, C, G, T, U or N.  Throws Failure where one of the two is DNA and
// the other a protein.
AlphabetKind detect_alphabet(std::span<std::uint8_t const> query, std::span<std::uint8_t const> target);

constexpr std::uint32_t base_codes = 4; // of A, C, G and T; the codes of ambiguous letters follow

struct Alphabet {
    AlphabetKind kind = AlphabetKind::dna;
    std::string name = "DNA alphabet";     // for messages: "DNA alphabet", "matrix BLOSUM62"
    std::array<std::uint8_t, 256> codes{}; // as nwgpu_scoring::letter_codes: 255 = not allowed
    bool mask = false;                     // turn other letters into N (DNA) or X (protein)

    bool dna() const { return kind == AlphabetKind::dna; }
    // All codes of the letters, each bit that one of them has.
    std::uint8_t join_codes(std::span<std::uint8_t const> letters) const
    {
        std::uint8_t any = 0;
        for (std::uint8_t const letter : letters)
            any |= codes[letter];
        return any;
    }
};

// Whether there are codes other than those of A, C, G and T: letters that are not allowed, too.
bool is_ambiguous(std::span<std::uint8_t const> letters, Alphabet const & alphabet);

struct LetterCheck {
    bool ambiguous = false; // codes other than those of A, C, G and T; means something with the DNA alphabet only
    std::string fault;      // "letter 'J' at position 7 is not in the DNA alphabet", or nothing
};
// Checks, or masks, the letters of one record.
LetterCheck check_letters(std::span<std::uint8_t> letters, Alphabet const & alphabet);

} // namespace cli
