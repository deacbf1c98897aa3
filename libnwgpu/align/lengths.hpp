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

    void add(std::uint64_t length)
    {
        shortest = std::min(shortest, length);
        longest = std::max(longest, length);
        sum += length;
    }
    void add(Lengths const & other)
    {
        shortest = std::min(shortest, other.shortest);
        longest = std::max(longest, other.longest);
        sum += other.sum;
    }
};

struct LengthsOfCall {
    Lengths queries, targets;
};

inline LengthsOfCall lengths_of(CodedSequences const & queries, CodedSequences const & targets, Team & team)
{
    std::uint64_t const of_queries = ceil_div(queries.count(), piece_entries);
    std::vector<Lengths> pieces(of_queries + ceil_div(targets.count(), piece_entries));
    for_each(&team, pieces.size(), [&](std::uint64_t k) {
        CodedSequences const & sequences = k < of_queries ? queries : targets;
        std::uint64_t const begin = (k < of_queries ? k : k - of_queries) * piece_entries;
        Lengths here;
        for (std::uint64_t i = begin; i < std::min(begin + piece_entries, sequences.count()); ++i)
            here.add(sequences.length(i));
        pieces[k] = here;
    });
    LengthsOfCall all;
    for (std::uint64_t k = 0; k < pieces.size(); ++k)
        (k < of_queries ? all.queries : all.targets).add(pieces[k]);
    return all;
}

} // namespace nwgpu
