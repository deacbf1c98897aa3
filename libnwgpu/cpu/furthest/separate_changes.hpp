// SPDX-License-Identifier: BSD-3-Clause
// Changes that lie apart in two sequences, and a proof that no path has a lower penalty (docs/proofs.md, lemma 34):
// letters are compared once along the path, and those around each change on all diagonals that a best path may have.
#pragma once

#include <array>
#include <cstdint>

#include "cpu/furthest/penalties.hpp"

namespace nwgpu::cpu {

struct SeparateChanges {
    static constexpr int most = 128;
    enum class Kind : std::uint8_t { mismatch, insertion, deletion }; // of one letter; an insertion is of the query
    struct Change {
        std::int64_t at = 0;    // query letters before it, of the places for a gap the first one
        std::int64_t last = 0;  // the last one
        std::int64_t clear = 0; // letters of the query from here on are equal in one way alone
        std::int64_t diagonal = 0;
        Kind kind = Kind::mismatch;
    };

    // In.  64 letters before and behind both sequences can be read.
    std::uint8_t const *query = nullptr, *target = nullptr;
    std::int64_t m = 0, n = 0;
    Penalties costs;
    // Out: the changes of the path that the tie rule takes, in order; `count` is negative if they are not separate.
    int count = -1;
    std::int64_t penalty = 0;
    std::array<Change, most> changes;
};

} // namespace nwgpu::cpu
