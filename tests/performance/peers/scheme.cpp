// SPDX-License-Identifier: BSD-3-Clause
// The numbers behind scheme.hpp.  The BLOSUM62 table is written out here, not asked from any library, so that a wrong
// table in one of them shows up as a score mismatch.
#include "scheme.hpp"

#include <array>

namespace performance {

namespace {

constexpr std::string_view residues = "ARNDCQEGHILKMFPSTWYV";
constexpr std::string_view bases = "ACGT";

// clang-format off
constexpr std::array<std::int8_t, 400> blosum62 = {
     4, -1, -2, -2,  0, -1, -1,  0, -2, -1, -1, -1, -1, -2, -1,  1,  0, -3, -2,  0, // A
    -1,  5,  0, -2, -3,  1,  0, -2,  0, -3, -2,  2, -1, -3, -2, -1, -1, -3, -2, -3, // R
    -2,  0,  6,  1, -3,  0,  0,  0,  1, -3, -3,  0, -2, -3, -2,  1,  0, -4, -2, -3, // N
    -2, -2,  1,  6, -3,  0,  2, -1, -1, -3, -4, -1, -3, -3, -1,  0, -1, -4, -3, -3, // D
     0, -3, -3, -3,  9, -3, -4, -3, -3, -1, -1, -3, -1, -2, -3, -1, -1, -2, -2, -1, // C
    -1,  1,  0,  0, -3,  5,  2, -2,  0, -3, -2,  1,  0, -3, -1,  0, -1, -2, -1, -2, // Q
    -1,  0,  0,  2, -4,  2,  5, -2,  0, -3, -3,  1, -2, -3, -1,  0, -1, -3, -2, -2, // E
     0, -2,  0, -1, -3, -2, -2,  6, -2, -4, -4, -2, -3, -3, -2,  0, -2, -2, -3, -3, // G
    -2,  0,  1, -1, -3,  0,  0, -2,  8, -3, -3, -1, -2, -1, -2, -1, -2, -2,  2, -3, // H
    -1, -3, -3, -3, -1, -3, -3, -4, -3,  4,  2, -3,  1,  0, -3, -2, -1, -3, -1,  3, // I
    -1, -2, -3, -4, -1, -2, -3, -4, -3,  2,  4, -2,  2,  0, -3, -2, -1, -2, -1,  1, // L
    -1,  2,  0, -1, -3,  1,  1, -2, -1, -3, -2,  5, -1, -3, -1,  0, -1, -3, -2, -2, // K
    -1, -1, -2, -3, -1,  0, -2, -3, -2,  1,  2, -1,  5,  0, -2, -1, -1, -1, -1,  1, // M
    -2, -3, -3, -3, -2, -3, -3, -3, -1,  0,  0, -3,  0,  6, -4, -2, -2,  1,  3, -1, // F
    -1, -2, -2, -1, -3, -1, -1, -2, -2, -3, -3, -1, -2, -4,  7, -1, -1, -4, -3, -2, // P
     1, -1,  1,  0, -1,  0,  0,  0, -1, -2, -2,  0, -1, -2, -1,  4,  1, -3, -2, -2, // S
     0, -1,  0, -1, -1, -1, -1, -2, -2, -1, -1, -1, -1, -2, -1,  1,  5, -2, -2,  0, // T
    -3, -3, -4, -4, -2, -2, -3, -2, -2, -3, -2, -3, -1,  1, -4, -3, -2, 11,  2, -3, // W
    -2, -2, -2, -3, -2, -1, -2, -3,  2, -1, -1, -2, -1,  3, -3, -2, -2,  2,  7, -1, // Y
     0, -3, -3, -3, -1, -2, -2, -3, -3,  3,  1, -2,  1, -1, -2, -2,  0, -3, -1,  4, // V
};
// clang-format on

std::array<std::uint8_t, 256> code_table(std::string_view alphabet)
{
    std::array<std::uint8_t, 256> codes{};
    for (std::size_t i = 0; i < alphabet.size(); ++i)
        codes[static_cast<unsigned char>(alphabet[i])] = static_cast<std::uint8_t>(i);
    return codes;
}

} // namespace

Costs costs(Scheme scheme)
{
    switch (scheme) {
    case Scheme::dna:
        return {2, -4, 4, 2};
    case Scheme::penalties:
        return {0, -4, 6, 2};
    case Scheme::protein:
        return {0, 0, 11, 1};
    case Scheme::edit:
        break;
    }
    return {0, -1, 0, 1};
}

std::string_view letters(Scheme scheme) { return scheme == Scheme::protein ? residues : bases; }

std::vector<std::int8_t> matrix(Scheme scheme)
{
    if (scheme == Scheme::protein)
        return {blosum62.begin(), blosum62.end()};
    Costs const c = costs(scheme);
    std::vector<std::int8_t> scores(bases.size() * bases.size(), static_cast<std::int8_t>(c.mismatch));
    for (std::size_t i = 0; i < bases.size(); ++i)
        scores[i * bases.size() + i] = static_cast<std::int8_t>(c.match);
    return scores;
}

std::vector<std::uint8_t> encode(Scheme scheme, std::string_view sequence)
{
    static auto const protein_codes = code_table(residues);
    static auto const dna_codes = code_table(bases);
    auto const & codes = scheme == Scheme::protein ? protein_codes : dna_codes;
    std::vector<std::uint8_t> coded;
    coded.reserve(sequence.size());
    for (char letter : sequence)
        coded.push_back(codes[static_cast<unsigned char>(letter)]);
    return coded;
}

void append_run(std::vector<std::uint32_t> & runs, std::uint32_t op, std::uint32_t length)
{
    if (!runs.empty() && (runs.back() & 15u) == op)
        runs.back() += length << 4;
    else
        runs.push_back(length << 4 | op);
}

} // namespace performance
