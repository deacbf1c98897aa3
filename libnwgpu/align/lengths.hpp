// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "backend/backend.hpp"
#include "base/pieces.hpp"

namespace nwgpu {

struct Lengths { // of sequences
    std::uint64_t shortest = UINT64_MAX, longest = 0, sum = 0;
};

inline Lengths lengths_of(CodedSequences const & sequences, Team & team)
{
    std::vector<Lengths> of_pieces(ceil_div(sequences.count(), piece_entries));
    for_pieces(&team, sequences.count(), [&](std::uint64_t begin, std::uint64_t end) {
        Lengths here;
        for (std::uint64_t i = begin; i < end; ++i) {
            here.shortest = std::min(here.shortest, sequences.length(i));
            here.longest = std::max(here.longest, sequences.length(i));
            here.sum += sequences.length(i);
        }
        of_pieces[begin / piece_entries] = here;
    });
    Lengths all;
    for (Lengths const & here : of_pieces)
        all = {std::min(all.shortest, here.shortest), std::max(all.longest, here.longest), all.sum + here.sum};
    return all;
}

} // namespace nwgpu
