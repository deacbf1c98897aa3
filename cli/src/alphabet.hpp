// SPDX-License-Identifier: BSD-3-Clause
// Which letters sequences may have: DNA or protein, told or detected, and what to do with other letters.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>

namespace cli {

enum class AlphabetKind { detect, dna, protein };

// Protein unless at least nine letters of ten are A, C, G, T, U or N.
AlphabetKind detect_alphabet(std::span<std::uint8_t const> query, std::span<std::uint8_t const> target);

struct Alphabet {
    AlphabetKind kind = AlphabetKind::dna;
    std::string name = "DNA alphabet";     // for messages: "DNA alphabet", "matrix BLOSUM62"
    std::array<std::uint8_t, 256> codes{}; // as nwgpu_scoring::letter_codes: 255 = not allowed
    bool mask = false;                     // turn other letters into N (DNA) or X (protein)

    bool dna() const { return kind == AlphabetKind::dna; }
};

// Checks, or masks, the letters of one record; `where` ("file:line: record 'x'") begins the message of the Failure.
void check_letters(std::span<std::uint8_t> letters, Alphabet const & alphabet, std::string const & where);

} // namespace cli
