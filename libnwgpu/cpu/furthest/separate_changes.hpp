// SPDX-License-Identifier: BSD-3-Clause
// Changes that lie apart in two sequences, and a proof that no path has a lower penalty (docs/proofs.md, lemma 34):
// letters are compared once along the path, and those around each place with changes on all diagonals that a best path
// may have.  A place has one change, or some that lie close together.
#pragma once

#include <cstdint>

#include "cpu/furthest/penalties.hpp"

namespace nwgpu::cpu {

struct SeparateChanges {
    static constexpr std::int64_t most_cost = 31;                     // of a place
    enum class Kind : std::uint8_t { mismatch, insertion, deletion }; // of one letter; an insertion is of the query
    struct Change {
        std::int64_t at; // query letters before it
        Kind kind;
    };
    struct Place {
        std::int64_t at;    // query letters before its first change
        std::int64_t last;  // its last letter that is not equal for sure
        std::int64_t clear; // letters of the query from here on are equal in one way alone
        std::int64_t cost;
        std::int64_t diagonal; // on which the path comes
        // Of several changes: the first letter that differs on the diagonal on which a path comes, and the last one on
        // that on which it leaves.
        std::int64_t first_different, last_different;
    };

    // Where so many changes are on average closer than that, or the query is shorter, pairs are left to other ways,
    // which are about as quick.
    struct Limits {
        std::int64_t changes = 4, letters_apart = 25, letters = 0;
    };

    struct Sequences {
        std::uint8_t const *query = nullptr, *target = nullptr;
        std::int64_t m = 0, n = 0;
    };

    // In.  128 letters before and behind both sequences can be read.
    Sequences sequences;
    std::int64_t equal = 0; // letters at the begin of both, at least
    Penalties costs;
    Limits limits;
    // Out: the changes of the path that the tie rule takes, in order; `count` is negative if they are not separate.
    std::int64_t count = -1, places = 0, penalty = 0;
    // Memory for so many of each; the place behind the last one is written, too.
    std::int64_t most = 0;
    Change * changes = nullptr;
    Place * place = nullptr;
};

} // namespace nwgpu::cpu
