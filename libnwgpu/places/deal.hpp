// SPDX-License-Identifier: BSD-3-Clause
// The pairs of a piece, dealt out to several places that work at the same time: the GPUs of a host, the ranks of a
// world.  A share is some pairs for one place.  Long pairs are shares of their own and go first, the longest before
// the others; then come rounds of stretches of the other pairs, one for each place and equally long: a part of what a
// place still has to do, so that they get shorter from round to round; in the last round, all that is left.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <span>
#include <vector>

#include "backend/backend.hpp"
#include "base/team.hpp"

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

using Share = std::span<std::uint64_t const>; // pairs, ascending, which live as long as the deal; empty: none

// Every member may be called by any thread at any time.
class Deal {
public:
    // Of its lists, at most.
    static constexpr std::uint64_t bytes_per_pair = 2 * sizeof(std::uint64_t);

    // The pairs of the piece live longer than this; the threads of the team, if there is one, look at them.
    Deal(Piece const & piece, std::size_t places, Speed const & speed, Team * team = nullptr);

    // Of one place, for all pairs, for the longest, and for one.
    double seconds() const { return seconds_; }
    double longest_seconds() const { return longest_; }
    double seconds_of(std::uint64_t p) const;
    bool has_large_pairs() const { return !large_.empty(); } // which are shares of their own
    // The next share; none where all pairs are dealt out, though some may come back.
    Share take();
    // The same; waits where pairs may come back.  None: every share has ended.
    Share wait_and_take();
    // What each share that was taken is ended with.  `left`: pairs of it for another place.
    void end(std::vector<std::uint64_t> && left = {});
    // How long a place was at a share that take() gave: tells when the last round is due.
    void took(Share const & share, double seconds);
    // No more shares are given; who waits is told.
    void stop();
    // Whether each share that was taken has ended, and none is left.
    bool has_ended();

private:
    struct Block { // of neighbouring pairs
        double seconds = 0, longest = 0;
        std::uint64_t letters = 0;
    };

    std::uint64_t letters_of(std::uint64_t p) const;
    std::vector<Block> blocks_of(Share pairs, Team * team) const;
    Share next();

    Piece const piece_;
    Speed const speed_;
    std::size_t const places_;
    double seconds_ = 0, longest_ = 0;
    std::vector<std::uint64_t> short_;
    Share others_;              // than the large ones
    std::vector<Block> blocks_; // of the others
    std::mutex mutex_;          // of what follows
    std::condition_variable changed_;
    double left_ = 0; // seconds, of pairs that are not dealt out
    double last_ = 0; // of the last shares; 0: these are still to come
    double goal_ = 0; // of this round's shares: one for each place, all alike
    std::size_t round_left_ = 0;
    std::vector<std::uint64_t> large_; // the largest last
    std::size_t large_left_ = 0;
    std::size_t next_ = 0;                            // of the others
    std::deque<std::vector<std::uint64_t>> returned_; // lists stay where they are
    std::size_t returned_taken_ = 0;
    std::size_t taken_ = 0; // shares that have not ended
    struct Given {
        std::uint64_t const * pairs = nullptr;
        double seconds = 0;
    };
    std::vector<Given> given_;            // stretches, as they were predicted
    double predicted_ = 0, measured_ = 0; // of those that took() has told of
    bool stopped_ = false;
};

} // namespace nwgpu::places
