// SPDX-License-Identifier: BSD-3-Clause
// What several engines, any of which may get any pair of a call, have kept of its letters: as much as the one that has
// the fewest, for which the others wait.
#pragma once

#include <algorithm>
#include <span>

#include "backend/backend.hpp"

namespace nwgpu::places {

// One engine at least.
inline double least_kept_part(std::span<Backend * const> engines, CodedSequences const & sequences)
{
    double least = 1;
    for (Backend * const engine : engines)
        least = std::min(least, engine->kept_part(sequences));
    return least;
}

inline Backend & with_fewest_letters(std::span<Backend * const> engines, Piece const & piece)
{
    return **std::ranges::max_element(engines, {}, [&](Backend * engine) {
        auto const to_copy = [&](CodedSequences const & side) {
            return (1 - engine->kept_part(side)) * static_cast<double>(side.letter_count());
        };
        return to_copy(piece.batch.queries) + to_copy(piece.batch.targets);
    });
}

} // namespace nwgpu::places
