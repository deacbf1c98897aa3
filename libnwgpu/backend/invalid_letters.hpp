// SPDX-License-Identifier: BSD-3-Clause
// Pairs with a letter outside the alphabet.  Where the engine makes codes (Backend::takes_letters), nobody knows them
// before codes are made for those pairs that the engine could not take.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/answers.hpp"
#include "model/batch.hpp"

namespace nwgpu {

inline void fail_letter(Batch const & batch, std::uint64_t p, Answers & answers)
{
    auto const fail = [&](Failures::Side side, CodedSequences const & sequences, std::uint64_t i) {
        std::uint64_t const position = sequences.first_invalid(i);
        answers.fail_letter(p, side, sequences.letter(i, position), position);
    };
    Pair const pair = batch.pairs[p];
    if (!batch.queries.is_valid(pair.query))
        fail(Failures::Side::query, batch.queries, pair.query);
    else
        fail(Failures::Side::target, batch.targets, pair.target);
}

// Fails a pair with a letter that has no code, also where the letters are not looked at by anyone else.
inline bool fail_if_invalid(Batch const & batch, std::uint64_t p, Scoring const & scoring, Answers & answers)
{
    if (!batch.is_valid(p)) {
        fail_letter(batch, p, answers);
        return true;
    }
    if (!batch.are_letters() || scoring.any_byte())
        return false;
    auto const fails = [&](Failures::Side side, CodedSequences const & sequences, std::uint64_t i) {
        std::uint64_t position = 0;
        while (position < sequences.length(i) && scoring.codes()[sequences.letter(i, position)] != invalid_code)
            ++position;
        if (position < sequences.length(i))
            answers.fail_letter(p, side, sequences.letter(i, position), position);
        return position < sequences.length(i);
    };
    Pair const pair = batch.pairs[p];
    return fails(Failures::Side::query, batch.queries, pair.query) ||
           fails(Failures::Side::target, batch.targets, pair.target);
}

// Makes codes, if there are none yet; fails the pairs that have none, and returns the others.
inline std::vector<std::uint64_t> code_pairs(Batch const & batch, std::span<std::uint64_t const> pairs,
                                             Answers & answers)
{
    batch.code();
    std::vector<std::uint64_t> valid;
    valid.reserve(pairs.size());
    for (std::uint64_t const p : pairs)
        if (batch.is_valid(p))
            valid.push_back(p);
        else
            fail_letter(batch, p, answers);
    return valid;
}

} // namespace nwgpu
