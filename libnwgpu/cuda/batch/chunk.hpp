// SPDX-License-Identifier: BSD-3-Clause
// Which pairs of a piece are computed together, and what they take.  Pure.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

#include "backend/backend.hpp"
#include "cuda/batch/job.hpp"
#include "cuda/batch/scheme.hpp"
#include "cuda/batch/shape.hpp"

namespace nwgpu::cuda::batch {

// Shape::index() by rows.
using ClassOfRows = std::array<std::uint8_t, most_rows + 1>;

// What a call asks of its batches.
struct Work {
    Scheme scheme;
    bool stores = false; // residues
    bool path = false, cigar = false;
    ClassOfRows const * classes = nullptr;

    int bits() const { return stores ? scheme.bits : 0; }
    bool suits(PairView const & pair) const;
};
// None where no pair suits.
std::optional<Work> make_work(Scoring const & scoring, Request const & request);

// Of some pairs in a row.
struct Sums {
    std::uint64_t pairs = 0, suited = 0; // all, and those that suit: the others count nothing
    std::uint64_t cells = 0, query_letters = 0, target_letters = 0, runs = 0;
    std::uint64_t stored = 0;  // bytes of residues, but for the last warp of each class
    std::uint32_t longest = 0; // target
    std::uint32_t classes = 0; // a bit each
    std::uint64_t first_query = UINT64_MAX, last_query = 0, first_target = UINT64_MAX, last_target = 0;

    void add(Sums const & other);
    // Upper bound for all of these pairs in one chunk.
    std::uint64_t stored_bytes(int bits) const;
};
// `pairs`, if any, gets what Cutter::next() says.
Sums sums_of(Piece const & piece, Work const & work, std::uint64_t first, std::uint64_t last,
             ChunkPair * pairs = nullptr);

// Of a chunk, at most.
struct Limits {
    std::uint64_t pairs = 0, letters = 0, stored = 0, runs = 0, cells = 0;

    bool hold(Sums const & sums, int bits) const
    {
        return sums.pairs <= pairs && sums.query_letters + sums.target_letters <= letters &&
               sums.stored_bytes(bits) <= stored && sums.runs <= runs && sums.cells <= cells;
    }
};
// For a chunk that may take so much memory, and all chunks at once so many bytes of the host (0: no limit).
Limits limits_for(std::uint64_t device_bytes, std::uint64_t host_bytes, Work const & work);
// Of the device, beside small tables.
std::uint64_t device_bytes(Limits const & limits);
// Page-locked.
std::uint64_t host_bytes(Limits const & limits);

} // namespace nwgpu::cuda::batch
