// SPDX-License-Identifier: BSD-3-Clause
// The pairs of a piece, dealt out to several places that work at the same time: the GPUs of a host, the ranks of a
// world.  A share is some pairs for one place.  Long pairs are shares of their own and go first, the longest before
// the others; then come stretches of the other pairs, each a part of what a place still has to do, so that they get
// shorter; in the end each place gets one more, equally long.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <vector>

#include "backend/backend.hpp"

namespace nwgpu::places {

// What one place takes, about: only how these compare matters much.
struct Speed {
    double pair_seconds = 0, letter_seconds = 0, cell_seconds = 0;
    double least_seconds = 0;                // of a share: less does not pay for the way to the place
    std::uint64_t most_letters = UINT64_MAX; // of a share of several pairs
    // Of what a place still has to do, the next share: the more alike places are, and the surer these numbers, the
    // more.
    double part = 0.5;
};

using Share = std::vector<std::uint64_t>; // pairs, ascending; empty: none

// Every member may be called by any thread at any time.
class Deal {
public:
    // Of the list of large pairs, and of the copies of the pairs in shares.
    static constexpr std::uint64_t bytes_per_pair = 3 * sizeof(std::uint64_t);

    Deal(Piece const & piece, std::size_t places, Speed const & speed);

    // Of one place, for all pairs.
    double seconds() const { return seconds_; }
    // The next share; none where all pairs are dealt out, though some may come back.
    Share take();
    // The same; waits where pairs may come back.  None: every share has ended.
    Share wait_and_take();
    // What each share that was taken is ended with.  `left`: pairs of it for another place.
    void end(Share && left = {});
    // No more shares are given; who waits is told.
    void stop();
    // Whether each share that was taken has ended, and none is left.
    bool has_ended();

private:
    double seconds_of(std::uint64_t p) const;
    double total_seconds() const;
    Share next();

    Piece const piece_;
    Speed const speed_;
    double const places_;
    double const seconds_, large_seconds_;
    std::mutex mutex_; // of what follows
    std::condition_variable changed_;
    double left_;                      // seconds, of pairs that are not dealt out
    double last_ = 0;                  // of the last shares; 0: these are still to come
    std::vector<std::uint64_t> large_; // the largest last
    std::size_t next_ = 0;             // of the others, in piece_.pairs
    std::vector<Share> returned_;
    std::size_t taken_ = 0; // shares that have not ended
    bool stopped_ = false;
};

} // namespace nwgpu::places
