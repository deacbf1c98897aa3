// SPDX-License-Identifier: BSD-3-Clause
#include "cpu/furthest/far_words.hpp"

#include <cstdlib>

#include "backend/looks.hpp"

namespace nwgpu::cpu {

bool find_far_words(SeparateChanges & job, std::int64_t low, std::int64_t high)
{
    SeparateChanges::Memory & memory = *job.memory;
    auto const begin_of = [&](std::uint64_t word) { return memory.far[word].begin; };
    Looks looks{job.monitor};
    memory.lists.take<far_word_letters>(job.sequences.query, memory.far.size(), begin_of, looks);
    return memory.lists.find<far_word_letters>(
        job.sequences.query, job.sequences.target, static_cast<std::uint64_t>(job.sequences.n), low, high, begin_of,
        [&](std::uint64_t word, std::int64_t diagonal) {
            auto & place = memory.places[static_cast<std::size_t>(memory.far[word].place)];
            bool const is_far = std::abs(diagonal - place.diagonal) > job.limits.near;
            place.is_elsewhere = place.is_elsewhere || is_far;
            return !is_far;
        },
        looks);
}

} // namespace nwgpu::cpu
