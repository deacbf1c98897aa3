// SPDX-License-Identifier: BSD-3-Clause
// The pairs of a piece that several engines take from its front, chunk by chunk.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <vector>

#include "base/ceil_div.hpp"

namespace nwgpu {

// Every member may be called by any thread at any time.
class PairQueue {
    struct Open { // that a taker has and has not done
        std::atomic<std::uint64_t> pairs{0}, chunks{0};
    };

public:
    // The pairs of a piece, by their positions there; so many engines take them.
    explicit PairQueue(std::uint64_t pairs, std::size_t takers = 1) : pairs_{pairs}, open_(takers), here_{takers} {}

    std::uint64_t left() const { return pairs_ - next_.load(std::memory_order_relaxed); }

    // One engine's hand.
    class Taker {
    public:
        Taker(PairQueue & queue, std::size_t number) : queue_{queue}, own_{queue.open_[number]} {}

        std::uint64_t left() const { return queue_.left(); }
        // Whether it is this one's turn: none has fewer pairs that it has not done.  Also while it has no more than one
        // chunk at work, or a slow one would keep it from working.  At once: false also while another one takes some.
        bool may_take()
        {
            std::unique_lock const lock{queue_.mutex_, std::try_to_lock};
            if (!lock)
                return false;
            return own_.chunks < 2 ||
                   std::ranges::none_of(queue_.open_, [&](Open const & other) { return other.pairs < own_.pairs; });
        }
        // Calls choose(first, most), which returns where the next chunk ends: of the `most` pairs from position `first`
        // on, as many as it likes.  The chunks of a round, one for each taker, are equally long: half of what each
        // still has to do, unless `least` are more; in the last round all that is left, `least` each at most, or 5/4 of
        // that where several would else have a round of small ones.
        template <class Choose>
        void take(std::uint64_t least, Choose const & choose)
        {
            std::lock_guard const lock{queue_.mutex_};
            std::uint64_t const first = queue_.next_, last = choose(first, queue_.most_of_turn(least));
            own_.pairs += last - first;
            ++own_.chunks;
            queue_.next_ = last;
        }
        // The same without taking any: look(first).
        template <class Look>
        void look(Look const & look)
        {
            std::lock_guard const lock{queue_.mutex_};
            look(queue_.next_.load());
        }
        // A chunk of so many pairs.
        void done(std::uint64_t pairs)
        {
            own_.pairs -= pairs;
            --own_.chunks;
        }
        // It takes no more; nobody waits for it.
        void leave()
        {
            std::lock_guard const lock{queue_.mutex_};
            own_.pairs = gone;
            queue_.here_ -= queue_.here_ > 1; // it divides
            queue_.turns_left_ = std::min(queue_.turns_left_, std::uint64_t{queue_.here_});
        }

    private:
        PairQueue & queue_;
        Open & own_;
    };

private:
    static constexpr std::uint64_t gone = UINT64_MAX;

    // Of the next taker in its round.
    std::uint64_t most_of_turn(std::uint64_t least)
    {
        if (turns_left_ == 0) {
            bool const is_last_round = left() <= here_ * (here_ > 1 ? least + least / 4 : least);
            most_ = is_last_round ? ceil_div(left(), here_) : std::max(least, left() / (2 * here_));
            turns_left_ = here_;
        }
        --turns_left_;
        return std::min(most_, left());
    }

    std::uint64_t const pairs_;
    std::atomic<std::uint64_t> next_{0};      // changes with the mutex
    std::mutex mutex_;                        // of what follows
    std::vector<Open> open_;                  // of each taker
    std::size_t here_;                        // takers that have not gone
    std::uint64_t most_ = 0, turns_left_ = 0; // of this round
};

} // namespace nwgpu
