// SPDX-License-Identifier: BSD-3-Clause
#include "cpu/furthest/far_words.hpp"

#include <algorithm>
#include <cstdlib>

#include "backend/looks.hpp"

namespace nwgpu::cpu {

bool find_far_words(SeparateChanges & job, std::int64_t low, std::int64_t high)
{
    constexpr std::int64_t letters_per_look = 1 << 19;
    SeparateChanges::Memory & memory = *job.memory;
    auto const begin_of = [&](std::uint64_t word) { return memory.far[word].begin; };
    Looks looks{job.monitor};
    memory.lists.take<far_word_letters>(job.sequences.query, memory.far.size(), begin_of, looks);
    for (std::int64_t first = 0; first < job.sequences.n; first += letters_per_look) {
        if (!looks.look())
            return false;
        std::int64_t const letters = std::min(job.sequences.n - first, letters_per_look + far_word_letters - 1);
        memory.lists.find<far_word_letters>(
            job.sequences.query, job.sequences.target + first, static_cast<std::uint64_t>(letters), low - first,
            high - first, begin_of, [&](std::uint64_t word, std::int64_t diagonal) {
                auto & place = memory.places[static_cast<std::size_t>(memory.far[word].place)];
                bool const is_far = std::abs(diagonal + first - place.diagonal) > job.limits.near;
                place.is_elsewhere = place.is_elsewhere || is_far;
                return !is_far;
            });
    }
    return true;
}

} // namespace nwgpu::cpu
