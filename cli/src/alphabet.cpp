// SPDX-License-Identifier: BSD-3-Clause
// Detection of the alphabet from the first records, and the check of every letter read.
#include "alphabet.hpp"

#include "failure.hpp"

#include <cstdio>
#include <string_view>

namespace cli {

namespace {

constexpr std::uint64_t sure_letters = 6; // so many of A, C, G, T, U and N are hardly a peptide

constexpr std::array<std::uint8_t, 8> bases{'A', 'C', 'G', 'T', 'a', 'c', 'g', 't'};

// Most reads have no other letters.  Without a branch or a table, and in bytes alone, so that compilers look at sixteen
// at once.
bool are_bases(std::span<std::uint8_t const> letters)
{
    constexpr std::uint8_t upper_case = 0xdf, a = 'A', c = 'C', g = 'G', t = 'T';
    std::uint8_t others = 0;
    for (std::uint8_t const letter : letters) {
        std::uint8_t const upper = letter & upper_case;
        std::uint8_t const other = upper == a || upper == c || upper == g || upper == t ? 0 : 1;
        others |= other;
    }
    return others == 0;
}

bool are_only_bases(std::span<std::uint8_t const> letters, Alphabet const & alphabet)
{
    return alphabet.dna() && are_bases(letters) && alphabet.join_codes(bases) < base_codes;
}

std::string shown(std::uint8_t letter)
{
    if (letter > ' ' && letter < 0x7f)
        return text("letter '", static_cast<char>(letter), "'");
    char byte[16];
    std::snprintf(byte, sizeof byte, "byte 0x%02x", letter);
    return byte;
}

std::array<bool, 256> set_of(std::string_view letters)
{
    std::array<bool, 256> set{};
    for (char const letter : letters)
        set[static_cast<unsigned char>(letter)] = set[static_cast<unsigned char>(letter | 32)] = true;
    return set;
}

struct Composition {
    std::uint64_t letters = 0, bases = 0;
    bool amino = false; // letters that no code of DNA is

    explicit Composition(std::span<std::uint8_t const> sequence)
    {
        static std::array<bool, 256> const is_base = set_of("ACGTUN"), is_amino = set_of("EFIJLOPQZX");
        for (std::uint8_t const letter : sequence) {
            letters += letter != '-' && letter != '.';
            bases += is_base[letter];
            amino |= is_amino[letter];
        }
    }
    bool dna() const { return bases >= letters - letters / 10; }
};

} // namespace

AlphabetKind detect_alphabet(std::span<std::uint8_t const> query, std::span<std::uint8_t const> target)
{
    Composition const first(query), second(target);
    auto const is_sure_dna = [](Composition const & of) { return of.dna() && of.letters >= sure_letters; };
    if ((is_sure_dna(first) && !second.dna() && second.amino) || (is_sure_dna(second) && !first.dna() && first.amino))
        throw Failure(text("the first query looks like ", first.dna() ? "DNA" : "a protein", ", the first target like ",
                           first.dna() ? "a protein" : "DNA", " (--protein or --dna says what both are)"));
    std::uint64_t const all = first.letters + second.letters;
    return first.bases + second.bases >= all - all / 10 ? AlphabetKind::dna : AlphabetKind::protein;
}

bool is_ambiguous(std::span<std::uint8_t const> letters, Alphabet const & alphabet)
{
    return !are_only_bases(letters, alphabet) && alphabet.join_codes(letters) >= base_codes;
}

LetterCheck check_letters(std::span<std::uint8_t> letters, Alphabet const & alphabet)
{
    if (are_only_bases(letters, alphabet))
        return {};
    std::uint8_t const any = alphabet.join_codes(letters); // codes are below 128
    if (any != 255)
        return {any >= base_codes, {}};
    std::uint8_t const masked = alphabet.dna() ? 'N' : 'X';
    for (std::size_t i = 0; i < letters.size(); ++i) {
        if (alphabet.codes[letters[i]] != 255)
            continue;
        if (!alphabet.mask && (letters[i] == '-' || letters[i] == '.'))
            return {true, text("gap characters in the input: ", shown(letters[i]), " at position ", i + 1,
                               "; align sequences without gaps")};
        if (!alphabet.mask)
            return {true, text(shown(letters[i]), " at position ", i + 1, " is not in the ", alphabet.name,
                               " (--mask reads it as ", static_cast<char>(masked), ")")};
        if (alphabet.codes[masked] == 255)
            throw Failure(
                text("--mask needs the letter ", static_cast<char>(masked), ", which is not in the ", alphabet.name));
        letters[i] = masked;
    }
    return {true, {}};
}

} // namespace cli
