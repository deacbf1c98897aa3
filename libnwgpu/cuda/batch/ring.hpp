// SPDX-License-Identifier: BSD-3-Clause
// Global pairs in a band: a ring of few lanes follows the diagonal.  When a block of rows has had its columns, its
// halves of the lane's registers begin the block that is 2 * lanes further down, so all lanes are always at work:
//
//     step t             block b is at column t - b - low, and begins in step b (rows + 1), at column b rows - low
//     block b            has `columns` columns; then block b + 2 lanes has its place
//     behind the last    column of the block above, what comes from above is that block's last cell and a gap
//     before the first   column of a block, what comes from the left is the cell above its first row and a gap
//
// Rows and columns count from 0; column -1 is the border, and columns before it count as its begin.  The numbers of a
// block are lower by `fall` than those of the block above, so that pairs of any length fit 16 bits.  Why the path is
// the right one: docs/proofs.md, lemma 28.
#pragma once

#include <cstdint>

#include "cuda/batch/group_shape.hpp"

namespace nwgpu::cuda::batch {

// Columns of a block.
__host__ __device__ inline int ring_columns(GroupShape const & ring) { return 2 * ring.lanes() * (ring.rows() + 1); }

// Diagonals on both sides of those that every path crosses, which all rows have; negative: the ring is too narrow.
__host__ __device__ inline int ring_half_width(GroupShape const & ring, int m, int n)
{
    int const free = ring_columns(ring) - ring.rows() - (m < n ? n - m : m - n);
    return free < 0 ? -1 : free / 2;
}

// How far the first column of a block is left of the diagonal of its first row.
__host__ __device__ inline int ring_low(GroupShape const & ring, int m, int n)
{
    return ring_half_width(ring, m, n) + (m > n ? m - n : 0);
}

// Steps of a warp for this pair, which is not empty.
__host__ __device__ inline std::uint32_t steps_of(GroupShape const & shape, int m, int n)
{
    return static_cast<std::uint32_t>(shape.ring ? n + (m - 1) / shape.rows() + ring_low(shape, m, n)
                                                 : n + 2 * shape.lanes());
}

// The lanes of a chain whose residues are stored: as many blocks of rows, two for each lane, at a time, those around
// the middle of the band.  Paths of similar pairs hardly leave the middle, and all of the band does not fit memory for
// as many pairs as keep a device busy.  0: of no ring chain, or nothing would be enough.
__host__ __device__ inline int stored_lanes(GroupShape const & shape, int m, int n)
{
    if (!shape.ring || !shape.is_chain())
        return 0;
    int const apart = m < n ? n - m : m - n, least = apart + 2 * (256 + 32 * shape.warps);
    for (int lanes = 16; lanes < shape.lanes(); lanes *= 2)
        if ((2 * lanes - 1) * (shape.rows() + 1) - shape.rows() >= least)
            return lanes;
    return 0;
}

// The first of the columns of each block that are stored, counted from the first of all.
__host__ __device__ inline int first_stored(GroupShape const & ring, int lanes_stored)
{
    return (ring.lanes() - lanes_stored) * (ring.rows() + 1);
}

// Of a pair whose numbers became too low for its ring.
constexpr std::int32_t no_score = INT32_MIN;

// The half-width of a band outside of which no path has this score, of which some path is known (lemma 17), with
// uniform column scores.  Scores in units of the scheme.
struct BandRule {
    int best = 0, open = 0, extend = 0;

    __host__ __device__ int half_width(int m, int n, int score) const
    {
        int const difference = m < n ? n - m : m - n, shorter = m < n ? m : n,
                  above = best * shorter - 2 * open - extend * difference - score;
        return above < 0 ? 0 : above / (best + 2 * extend);
    }
};

// Whether this score of the band's best path says that no other path is as good.
__host__ __device__ inline bool is_proven(GroupShape const & shape, BandRule const & rule, int m, int n, int score)
{
    return !shape.ring || (score != no_score && rule.half_width(m, n, score) <= ring_half_width(shape, m, n));
}

} // namespace nwgpu::cuda::batch
