// SPDX-License-Identifier: BSD-3-Clause
// Which pairs of a piece are computed as couples (couple.hpp): of two queries of nearly equal length those with the
// same targets, and many of one that has no partner.  Pure.
#pragma once

#include <cstdint>
#include <vector>

#include "backend/backend.hpp"
#include "base/team.hpp"
#include "base/uninitialized.hpp"
#include "cuda/batch/chunk.hpp"

namespace nwgpu::cuda::batch {

// From which on two queries are worth a chunk of their own: cells of the two with the targets that they have in common;
// of one without a partner with its targets.
constexpr std::uint64_t least_couple_cells = 1'000'000'000;

// A piece's pairs in another order: those of couples are neighbours, the ones with the longer query second, and those
// that are no couple's come behind all of them.
struct Couples {
    Array<std::uint64_t> pairs;
    std::vector<CoupleStretch> stretches; // of each two queries, or one; positions there, ascending

    bool empty() const { return stretches.empty(); }
};

// Whether so many pairs of a query without a partner are couples of two targets, if they have `least_cells` cells.
// `suits_device`: BatchWork::room_for_targets.  Where tests ask for few cells, as many pairs are enough.
bool is_worth_alone(std::uint64_t rows, std::uint64_t pairs, std::uint64_t least_cells, bool suits_device);

// Only where each query's pairs lie together, in the order of their targets.  `least_cells`: least_couple_cells, but in
// tests.
Couples find_couples(Piece const & piece, BatchWork const & work, std::uint64_t least_cells, Team & team);

// Whether there may be any, from a look at a few pairs.
bool may_have_couples(Piece const & piece, BatchWork const & work);

} // namespace nwgpu::cuda::batch
