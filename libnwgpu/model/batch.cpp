// SPDX-License-Identifier: BSD-3-Clause
// Turning letters into codes, once per call, so that no engine ever sees a letter.
#include "model/batch.hpp"

#include <algorithm>
#include <cstring>
#include <string>

namespace nwgpu {

CodedSequences::CodedSequences(RawSequences const & raw, Scoring const & scoring, int threads) :
    raw_{raw}, first_invalid_(raw.count(), UINT64_MAX)
{
    bool const same = scoring.letters_are_codes();
    if (same && raw.margin >= padding) {
        first_ = raw.bytes.data();
        return;
    }
    storage_ = std::make_unique_for_overwrite<std::uint8_t[]>(bytes_for(raw));
    std::uint8_t * const first = storage_.get() + padding;
    first_ = first;
    std::fill_n(first - padding, padding, std::uint8_t{0});
    std::fill_n(first + raw.bytes.size(), padding, std::uint8_t{0});
    if (same) {
        std::ranges::copy(raw.bytes, first);
        return;
    }
    auto const code = [&](std::uint64_t i) {
        std::uint8_t * const begin = first + raw.offsets[i];
        std::uint8_t * const end = std::transform(raw.data(i), raw.data(i) + raw.length(i), begin,
                                                  [&](std::uint8_t byte) { return scoring.codes()[byte]; });
        if (scoring.any_byte())
            return;
        if (void const * const invalid = std::memchr(begin, invalid_code, raw.length(i))) {
            first_invalid_[i] = static_cast<std::uint64_t>(static_cast<std::uint8_t const *>(invalid) - begin);
            std::replace(begin, end, invalid_code, std::uint8_t{0}); // what engines read beside others must be a code
        }
    };
    if (threads == 1 || raw.bytes.size() <= 65536) { // OpenMP's team of one thread would take longer than short ones
        for (std::uint64_t i = 0; i < raw.count(); ++i)
            code(i);
        return;
    }
#pragma omp parallel for num_threads(threads)
    for (std::uint64_t i = 0; i < raw.count(); ++i)
        code(i);
}

std::string CodedSequences::why_invalid(std::uint64_t i) const
{
    std::uint64_t const position = first_invalid(i);
    std::uint8_t const letter = raw_.data(i)[position];
    bool const printable = letter > 32 && letter < 127;
    std::string const shown = printable ? std::string{'\''} + static_cast<char>(letter) + '\'' : std::to_string(letter);
    return "letter " + shown + " at position " + std::to_string(position) + " is not in the alphabet";
}

} // namespace nwgpu
