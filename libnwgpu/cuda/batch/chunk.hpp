// SPDX-License-Identifier: BSD-3-Clause
// Which pairs of a piece are computed together, and what they take.  Pure.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <numeric>
#include <optional>
#include <vector>

#include "backend/backend.hpp"
#include "cuda/batch/batch_scheme.hpp"
#include "cuda/batch/group_shape.hpp"
#include "cuda/batch/job.hpp"

namespace nwgpu::cuda::batch {

// GroupShape::index() by rows.
using ClassOfRows = std::array<std::uint8_t, most_rows + 1>;

// Pairs of a piece up to a position: couples of two, or the pairs of a query that has no partner.
struct CoupleStretch {
    std::uint64_t end = 0;
    std::uint32_t pairs = 2; // that stay together: of two queries; 1: of one, whose couples follow from their lengths
};

// What a call asks of its batches.
struct BatchWork {
    BatchScheme scheme;
    bool stores = false; // residues
    bool ends = false;   // of local pairs, which are found without residues
    bool path = false, cigar = false;
    ClassOfRows const * classes = nullptr;      // of groups
    bool one_query = false;                     // of all pairs
    bool has_rings = false;                     // pairs may be computed in bands
    bool has_chains = false;                    // of few pairs, each has the whole device sooner
    bool likely_couples = false;                // from a look at a few pairs of the piece; of one query, they are
    bool room_for_targets = true;               // the device has room for the words of two letters of a protein
    std::uint64_t longest_coupled = UINT64_MAX; // target of the only query: the others of its chunk wait for each strip
    bool may_couple = false;                    // whether couples have what is asked for
    bool long_couples = false; // count queries that are too long for groups as those of couples, before these are known
    std::vector<CoupleStretch> couples; // Couples::stretches of the piece; empty: it has none
    int forced_warps = 0;               // of chains, in place of all other classes that there are; 0: decide
    double width_per_row = 0.04;        // of a first band: as long reads with 5 % of differences need
    // Of the pairs of a piece whose first band proved nothing, what a band needs; empty: the first round.
    std::vector<std::uint32_t> half_widths;

    // Whether pairs of the only query are couples of two targets.
    bool is_lone() const { return one_query && likely_couples; }
    int bits() const { return stores ? scheme.bits : 0; }
    bool suits(PairView const & pair) const { return class_of(pair, first_half_width(pair)) >= 0; }
    // GroupShape::index() of what computes the pair with a band of this half-width, or with all cells; -1: nothing
    // here.
    int class_of(PairView const & pair, std::uint32_t half_width) const;
    // The same of a pair of a piece, by its position there.
    int class_of(PairView const & pair, std::uint64_t position) const
    {
        if (is_of_couple(position))
            return couple_class;
        return class_of(pair, half_widths.empty() ? first_half_width(pair) : half_widths[position]);
    }
    bool is_of_couple(std::uint64_t position) const { return !couples.empty() && position < couples.back().end; }
    // Of a position that is a couple's.
    CoupleStretch couples_at(std::uint64_t position) const
    {
        return *std::ranges::upper_bound(couples, position, {}, &CoupleStretch::end);
    }
    std::uint32_t pairs_together(std::uint64_t position) const
    {
        return is_of_couple(position) ? couples_at(position).pairs : 1;
    }
    BandRule band_rule() const { return {scheme.best, scheme.open, scheme.extend}; }
    // Of the widest ring, or of any, for a pair that suits.
    std::uint32_t most_half_width(PairView const & pair) const;
    // That are computed, as far as can be known; 0: it does not suit.
    double cells(PairView const & pair) const;
    // In its first round, of a pair that suits.
    GroupShape shape_of(PairView const & pair) const { return GroupShape::of(class_of(pair, first_half_width(pair))); }

private:
    std::uint32_t first_half_width(PairView const & pair) const
    {
        return 4 + static_cast<std::uint32_t>(width_per_row *
                                              static_cast<double>(std::min<std::uint64_t>(pair.m, most_chain_letters)));
    }
    struct Rings { // classes
        int first, end;
    };
    Rings rings_for(std::uint64_t m, std::uint64_t n) const;
    // The half-width that such a pair may need for this ring; negative: none.
    int serves(GroupShape const & ring, int m, int n) const;
};
// None where no pair suits.  `one_query`: all pairs have the same.
std::optional<BatchWork> make_work(Scoring const & scoring, Request const & request, bool one_query = false);

// Of some pairs in a row.
struct Sums {
    std::uint64_t pairs = 0, suited = 0;    // all, and those that suit: the others count nothing
    std::uint64_t cells = 0, all_cells = 0; // that are computed; of the matrices
    std::uint64_t query_letters = 0, target_letters = 0, runs = 0;
    std::uint64_t stored = 0;                               // bytes of residues, but for the last warp of each class
    std::uint64_t lines = 0;                                // bytes of couples, where there may be any
    std::uint32_t most_steps = 0, least_steps = UINT32_MAX; // of a pair
    std::uint64_t classes = 0;                              // a bit each
    std::array<std::uint32_t, kernel_count> lanes{};        // of all pairs, by kernel

    ChunkPair front;     // of those that suit
    bool in_rows = true; // they are all like that and lie behind it, as ChunkPair::behind() says

    bool has_rings() const { return (classes & ((1ull << first_group_chain) - 1)) >> group_classes != 0; }
    bool has_chains() const { return (classes & ((1ull << couple_class) - 1)) >> first_chain != 0; }
    bool has_couples() const { return classes >> couple_class != 0; } // and nothing else
    std::uint64_t warps_of_chains() const
    {
        return std::accumulate(lanes.begin() + first_chain_kernel, lanes.begin() + couple_kernel, std::uint64_t{0}) /
               32;
    }
    // Whether they are sorted as they are.
    bool are_alike() const { return suited == pairs && std::has_single_bit(classes) && least_steps == most_steps; }
    // Whether the first says all: then the device makes the others itself.
    bool are_in_rows() const { return suited == pairs && in_rows; }
    // Of a kernel of no chains, at most.
    std::uint64_t tickets(int kernel) const { return lanes[static_cast<std::size_t>(kernel)] / 32 + lane_counts; }
    std::uint64_t first_query = UINT64_MAX, last_query = 0, first_target = UINT64_MAX, last_target = 0;

    void add(Sums const & other);
    // Upper bound for all of these pairs in one chunk, of residues or lines.
    std::uint64_t stored_bytes(int bits) const;
};
// `pairs`, if any, gets what Cutter::next() says.
Sums sums_of(Piece const & piece, BatchWork const & work, std::uint64_t first, std::uint64_t last,
             ChunkPair * pairs = nullptr);

// Of a chunk, at most.
struct Limits {
    // Chains may have more cells, as long as their warps leave room for those of other chunks.
    static constexpr std::uint64_t warps_of_chains = 528; // a third of those that a large device has at a time
    std::uint64_t pairs = 0, letters = 0, stored = 0, runs = 0, cells = 0;

    bool hold(Sums const & sums, int bits) const
    {
        return sums.pairs <= pairs && sums.query_letters + sums.target_letters <= letters &&
               sums.stored_bytes(bits) <= stored && sums.runs <= runs &&
               (sums.cells <= cells || (sums.has_chains() && sums.warps_of_chains() <= warps_of_chains));
    }
};
// For a chunk that may take so much memory of the device and of the host (0: no limit).  Below the least, there is room
// for no chunk, or for very small ones.
constexpr std::uint64_t least_device_bytes = 4 << 20, least_host_bytes = 20 << 20;
Limits limits_for(std::uint64_t device_bytes, std::uint64_t host_bytes, BatchWork const & work);
// Of the device.
std::uint64_t device_bytes(Limits const & limits);
// Page-locked.
std::uint64_t host_bytes(Limits const & limits);

} // namespace nwgpu::cuda::batch
