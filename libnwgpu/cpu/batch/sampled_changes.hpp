// SPDX-License-Identifier: BSD-3-Clause
// How different many short pairs are, as far as the first and last changes of some of them tell.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/equal_letters.hpp"
#include "cpu/kernels/kernels.hpp"
#include "model/batch.hpp"

namespace nwgpu::cpu {

struct SampledChanges {
    std::uint64_t pairs = 0;
    std::uint64_t columns = 0; // of a pair, of its shorter sequence
    std::int64_t changes = 0;  // of a pair
};

// Of some pairs, and of many pairs one of so many; those that takes(pair) are looked at.
template <class Takes>
SampledChanges sample_changes(KernelTable const & kernels, Batch const & batch, std::span<std::uint64_t const> pairs,
                              Takes const & takes)
{
    constexpr std::size_t samples = 4, pairs_per_sample = 16, most_samples = 256;
    std::uint64_t letters = 0, columns = 0, found = 0;
    std::size_t const wanted = std::min(most_samples, samples + pairs.size() / pairs_per_sample);
    for (std::size_t k = 0; k < pairs.size(); k += pairs.size() / wanted + 1) {
        PairView const pair = batch.view(pairs[k]);
        if (!takes(pair))
            continue;
        std::uint64_t const most = std::min(pair.m, pair.n);
        letters += kernels.equal_letters(pair.query, pair.target, most) + 1 +
                   equal_letters_before(pair.query + pair.m, pair.target + pair.n, most) + 1;
        columns += most;
        ++found;
    }
    if (found == 0)
        return {};
    return {found, columns / found, static_cast<std::int64_t>(2 * columns / letters)};
}

} // namespace nwgpu::cpu
