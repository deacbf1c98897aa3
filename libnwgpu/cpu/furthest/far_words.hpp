// SPDX-License-Identifier: BSD-3-Clause
// Words beside changes that lie apart, on diagonals far from the path (docs/proofs.md, lemma 34): where there are many
// diagonals, one look at the target tells of all words which are equal to it on none of them.
#pragma once

#include <algorithm>
#include <cstdint>

#include "cpu/furthest/penalties.hpp"
#include "cpu/furthest/separate_changes.hpp"

namespace nwgpu::cpu {

// Few words of random letters are somewhere else by chance, and there is room for some of them between changes.
constexpr int far_word_letters = 12;

// So many words one behind the other that are lost cost as much (lemma 29).
inline std::int64_t far_words_for(std::int64_t cost, Penalties const & costs)
{
    std::int64_t const one = std::min({costs.mismatch, costs.open + costs.extend, far_word_letters * costs.extend}),
                       two = std::min(2 * one, costs.open + 2 * costs.extend), left = cost % two;
    return 2 * (cost / two) + (left == 0 ? 0 : left <= one ? 1 : 2);
}

// Notes for the places of the job's far words whether one of these is equal to the target on a diagonal low to high
// that is far from the place's.  False: the caller has stopped, and not all is noted.
bool find_far_words(SeparateChanges & job, std::int64_t low, std::int64_t high);

} // namespace nwgpu::cpu
