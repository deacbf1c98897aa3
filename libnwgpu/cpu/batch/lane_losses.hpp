// SPDX-License-Identifier: BSD-3-Clause
// How wide a band pairs in lanes are given (lane_batch.hpp).  A pair loses some of the most that its lengths allow it
// to score, and what it loses says which diagonals its best paths can be on (docs/proofs.md, lemma 38).  Neighbours
// lose about as much: each group of lanes tells what the next ones are expected to lose.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>

#include "path/band.hpp"

namespace nwgpu::cpu {

// Cells of a matrix that lie in a band.
double cells_in_band(std::uint64_t rows, std::uint64_t cols, path::Band const & band);

// Of one engine, shared by its threads, from call to call: what it says changes the time of a call alone.
class LaneLosses {
public:
    // What pairs of the next group lose, as a part of the most that they can score; 1: nothing is known, or it is more
    // than makes a band worth its while.
    double expected() const { return expected_.load(std::memory_order_relaxed); }

    struct Seen { // of a pair of a group
        double lost;
        double cells; // in the band that proves it
    };
    // Of a group of so many cells, in which a pair that is not proven has a second turn in all of them.  Sorts `seen`.
    void learn(std::span<Seen> seen, double all_cells);

    // Of pairs that lanes are worth only in narrow bands: whether the scores of a group are looked at, or its pairs go
    // alone.  After a look in vain, one group at a time is looked at, and many are left out in between.
    bool may_look()
    {
        if (left_out_ > 0 && left_out_-- > 0)
            return false;
        return !in_vain_ || !is_looking_.exchange(true);
    }
    void end_look(bool in_vain)
    {
        in_vain_ = in_vain;
        left_out_ = in_vain ? groups_left_out : 0;
        is_looking_ = false;
    }

private:
    std::atomic<double> expected_{1};
    static constexpr int groups_left_out = 31;
    std::atomic<int> left_out_{0}; // so many groups go alone
    std::atomic<bool> in_vain_{false}, is_looking_{false};
};

} // namespace nwgpu::cpu
