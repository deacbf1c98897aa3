// SPDX-License-Identifier: BSD-3-Clause
// Detection of the alphabet from the first records, and the check of every letter read.
#include "alphabet.hpp"

#include "failure.hpp"

#include <cstdio>
#include <string_view>

namespace cli {

namespace {

std::string printable(std::uint8_t letter)
{
    if (letter > ' ' && letter < 0x7f)
        return text("letter '", static_cast<char>(letter), "'");
    char byte[16];
    std::snprintf(byte, sizeof byte, "byte 0x%02x", letter);
    return byte;
}

} // namespace

AlphabetKind detect_alphabet(std::span<std::uint8_t const> query, std::span<std::uint8_t const> target)
{
    std::array<bool, 256> is_base{};
    for (char const base : std::string_view("ACGTUNacgtun"))
        is_base[static_cast<unsigned char>(base)] = true;
    std::uint64_t bases = 0;
    for (auto const letters : {query, target})
        for (std::uint8_t const letter : letters)
            bases += is_base[letter];
    std::uint64_t const all = query.size() + target.size();
    return bases >= all - all / 10 ? AlphabetKind::dna : AlphabetKind::protein;
}

void check_letters(std::span<std::uint8_t> letters, Alphabet const & alphabet, std::string const & where)
{
    std::uint8_t any = 0; // codes are below 128
    for (std::uint8_t const letter : letters)
        any |= alphabet.codes[letter];
    if (any != 255)
        return;
    std::uint8_t const masked = alphabet.dna() ? 'N' : 'X';
    for (std::size_t i = 0; i < letters.size(); ++i) {
        if (alphabet.codes[letters[i]] != 255)
            continue;
        if (!alphabet.mask)
            throw Failure(text(where, ": ", printable(letters[i]), " at position ", i + 1, " is not in the ",
                               alphabet.name, " (--mask reads it as ", static_cast<char>(masked), ")"));
        if (alphabet.codes[masked] == 255)
            throw Failure(text(where, ": --mask needs the letter ", static_cast<char>(masked), ", which is not in the ",
                               alphabet.name));
        letters[i] = masked;
    }
}

} // namespace cli
