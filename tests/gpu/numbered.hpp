// SPDX-License-Identifier: BSD-3-Clause
// One pair as the kernels of a batch see it, for their code on the host.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <vector>

#include "cuda/batch/batch_scheme.hpp"
#include "cuda/batch/job.hpp"
#include "support/cases.hpp"

namespace nwgpu::test {

// Letters of one pair, numbered, with the margins that walks read.
struct Numbered {
    std::vector<std::uint8_t> letters;
    cuda::batch::ChunkPair pair;
    cuda::batch::LetterTable table;
    std::vector<std::uint32_t> words; // GroupArgs::scores

    Numbered(PairView const & view, Scoring const & scoring, cuda::batch::BatchScheme const & scheme)
    {
        std::array<std::uint8_t, 256> letter_of{}; // a code
        for (std::size_t letter = 0; letter < 256; ++letter)
            letter_of[scoring.codes()[letter]] = static_cast<std::uint8_t>(letter);
        std::bitset<256> seen;
        for (std::uint64_t k = 0; k < view.m; ++k)
            seen[letter_of[view.query[k]]] = true;
        for (std::uint64_t k = 0; k < view.n; ++k)
            seen[letter_of[view.target[k]]] = true;
        constexpr std::uint32_t margin = cuda::batch::letter_margin;
        table = make_letters(seen, scoring, scheme).value();
        letters.resize(3 * margin + view.m + view.n);
        pair = {margin, static_cast<std::uint32_t>(2 * margin + view.m), static_cast<std::uint16_t>(view.m),
                static_cast<std::uint16_t>(view.n)};
        for (std::uint64_t k = 0; k < view.m; ++k)
            letters[pair.query + k] = table.number[letter_of[view.query[k]]];
        for (std::uint64_t k = 0; k < view.n; ++k)
            letters[pair.target + k] = table.number[letter_of[view.target[k]]];
        auto const count = static_cast<std::uint32_t>(table.letters), row = (count + 4) / 4;
        words.assign((count + 1) * row, 0xc0c0c0c0u);
        auto * const bytes = reinterpret_cast<std::int8_t *>(words.data());
        for (std::uint32_t q = 0; q < count; ++q)
            for (std::uint32_t t = 0; t < count; ++t)
                bytes[q * row * 4 + t] = static_cast<std::int8_t>(table.scores[q * count + t] + 2 * scheme.drift);
    }
};

} // namespace nwgpu::test
