// SPDX-License-Identifier: BSD-3-Clause
// Pairs of a piece whose score and end are known, and whose paths are looked for (lane_paths.hpp), of all threads: the
// more there are, the closer together are the diagonals that those of a group end on.
#pragma once

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include "model/batch.hpp"
#include "path/band.hpp"

namespace nwgpu::cpu {

struct PathShape { // of a pair or a group
    std::uint64_t rows = 0, cols = 0;
    path::Band band, kept; // kept: diagonals with trace bits
};

struct LocatedPair {
    std::uint32_t which; // index of piece.pairs
    std::int64_t score;
    PairView pair;                           // what is left of it
    std::uint64_t query_begin, target_begin; // of that
    PathShape shape;

    std::int64_t last_diagonal() const { return static_cast<std::int64_t>(pair.n) - static_cast<std::int64_t>(pair.m); }
    // Pairs of a group have one: their targets are at least 70 % as long as the longest.
    int length_class() const { return static_cast<int>(std::bit_width(pair.n * pair.n)); }
};

// Any thread may call any function at any time.
class LocatedPairs {
public:
    // Of so many groups of lanes, each of which adds no more pairs than a vector has lanes; no more threads than this.
    LocatedPairs(std::size_t groups, std::size_t lanes, std::size_t threads);

    void add(LocatedPair const & pair);
    // A group has no more to add.
    void end_group() { groups_left_.fetch_sub(1, std::memory_order_acq_rel); }

    // Moves as many as there are lanes, of one length class those whose ends are closest together, to `to`, in the
    // order of their diagonals; returns how many.  None, if there are not enough for so many groups; when all groups
    // have ended, one is what is left of a class.
    enum class Wanted { several_groups, one_group, any };
    std::size_t take(Wanted wanted, LocatedPair * to);

private:
    static constexpr std::size_t several = 4;

    std::size_t const lanes_;
    std::atomic<std::size_t> groups_left_;
    std::mutex mutex_; // of what follows
    std::vector<LocatedPair> pairs_;
};

} // namespace nwgpu::cpu
