// SPDX-License-Identifier: BSD-3-Clause
// The two built-in alphabets, as tables made at compile time.
#include "model/alphabet.hpp"

namespace nwgpu {

namespace {

constexpr LetterCodes dna_codes()
{
    LetterCodes codes = codes_of("ACGTRYSWKMBDHVN");
    set_code(codes, 'U', codes['T']);
    return codes;
}

constexpr LetterCodes dna = dna_codes();
constexpr LetterCodes protein = codes_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ*");

} // namespace

LetterCodes const * alphabet_codes(std::string_view name)
{
    if (name == "dna")
        return &dna;
    if (name == "protein")
        return &protein;
    return nullptr;
}

} // namespace nwgpu
