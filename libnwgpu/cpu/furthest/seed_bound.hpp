// SPDX-License-Identifier: BSD-3-Clause
// Which words of the query occur in the target, and where: what the rest of a path costs at least, for fronts (Words).
// The seed heuristic, with matches that are pruned where they are passed, of Ivanov, Bichsel and Vechev (2022,
// doi:10.1007/978-3-031-04749-7_7) and Groot Koerkamp and Ivanov (2024, doi:10.1093/bioinformatics/btae032), for
// affine gaps (docs/proofs.md, lemma 29).
#pragma once

#include <cstdint>
#include <span>

#include "base/uninitialized.hpp"
#include "cpu/furthest/fronts.hpp"
#include "cpu/furthest/penalties.hpp"
#include "cpu/furthest/word_lists.hpp"
#include "model/batch.hpp"

namespace nwgpu::cpu {

class SeedBound {
public:
    static constexpr int usual_bits = 4;

    // Of paths whose penalty is not above `total`, by words of 2^bits letters, 4 to 16; it lives until the next call.
    Words bound(PairView const & pair, Penalties const & penalties, std::int64_t total, int bits = usual_bits);

    // Of each word of 2^usual_bits letters on which diagonal it occurs in the target, of all diagonals: else
    // Words::lost or Words::often.  They live until the next call.
    std::span<std::int32_t const> find(PairView const & pair);

    std::uint64_t bytes() const;
    // Upper bound of what is allocated for a query of m letters, by words of the usual length.
    static std::uint64_t bytes_for(std::uint64_t m);

private:
    template <int word_bits>
    void find_words(PairView const & pair, std::int64_t low, std::int64_t high);

    WordLists lists_;
    Array<std::int32_t> diagonals_, costs_, often_before_;
};

} // namespace nwgpu::cpu
