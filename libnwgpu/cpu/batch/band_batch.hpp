// SPDX-License-Identifier: BSD-3-Clause
// Many global pairs of some differences: one pair per lane of a vector, in a band of diagonals around their ends that
// their scores prove wide enough (band_group.hpp; docs/proofs.md, lemmas 17 and 33).  All threads of a call take groups
// of neighbours in the order of lengths.  Pairs whose band is not wide enough have the width that the score of its best
// path asks for in a second turn; those that are too different, too few for the lanes, or whose path leaves the rows
// that trace bits are kept of, are left to others.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "backend/monitor.hpp"
#include "base/team.hpp"
#include "base/uninitialized.hpp"
#include "cpu/batch/band_group.hpp"
#include "cpu/furthest/penalties.hpp"
#include "cpu/kernels/kernels.hpp"
#include "cpu/kernels/scheme.hpp"
#include "model/answers.hpp"
#include "model/batch.hpp"
#include "model/mode.hpp"

namespace nwgpu::cpu {

class BandBatch {
public:
    static constexpr std::uint64_t most_letters = 4096; // of a sequence
    // While it works, at most, beside what threads keep.
    static constexpr std::uint64_t bytes_per_pair = 64;
    // Whether lanes have kernels for these scores.
    static bool takes(Scheme const & scheme);
    // Fewer pairs are left to others.
    static std::size_t least_lanes(KernelTable const & kernels)
    {
        return std::max<std::size_t>(2, static_cast<std::size_t>(kernels.lanes) / 3);
    }

    // Of a scheme that it takes, and a batch with no empty sequences; `pairs` and all else live longer than this, and
    // the team may be null.  `forced`: however few pairs there are for the lanes, and however different.
    BandBatch(Scheme const & scheme, KernelTable const & kernels, Request const & request, bool forced,
              Batch const & batch, std::span<std::uint64_t> pairs, Team * team);

    // Takes part, on any number of threads at the same time, until nothing is left to begin.  Puts the answers of some.
    void work(BandMemory & memory, AnswerWriter & writer, Monitor & monitor);
    // For one of several threads, whose work() has ended: a long pair that will have no second turn for want of more of
    // them, which is the thread's now; waits while others may still add some.  Nothing: there are none, or the caller
    // has stopped.
    std::optional<std::uint64_t> take_lone(Monitor & monitor);
    // When all have ended: leaves pairs without an answer at the begin of `pairs`, in the order in which they were
    // given.  Returns how many those are.
    std::size_t keep_others();
    // Of those, so many had no second turn for want of more of them.
    std::size_t lonely() const { return open_.size(); }

private:
    struct Entry { // one of the pairs, by whose key neighbours are alike
        std::uint32_t key, index;
    };
    struct Open { // a pair that its band has not proven
        std::uint32_t index;
        std::uint64_t half_width; // that would
    };

    void sort(Team * team);
    std::uint64_t first_half_width(std::span<std::uint64_t const> pairs) const;
    std::uint64_t widened(double mean, double deviation, std::uint64_t usual) const;
    bool suits(std::uint64_t half_width, std::uint64_t usual, std::size_t pairs, std::uint64_t columns) const;
    void first_turn(BandGroup & group, std::span<Entry const> entries, AnswerWriter & writer, Monitor & monitor);
    void learn(std::span<BandGroup::Outcome const> outcomes, std::uint64_t columns);
    std::vector<Open> take_open();
    bool are_too_few() const;
    void ring();
    void second_turn(BandGroup & group, std::vector<Open> & open, AnswerWriter & writer, Monitor & monitor);
    void keep_open(std::span<BandGroup::Outcome const> outcomes);
    std::size_t lanes() const { return static_cast<std::size_t>(kernels_.lanes); }
    std::size_t least() const { return forced_ ? 1 : least_lanes(kernels_); }

    Scheme const & scheme_;
    Penalties const penalties_;
    KernelTable const & kernels_;
    Request const & request_;
    bool const forced_;
    Batch const & batch_;
    std::span<std::uint64_t> const pairs_;
    Team * const team_;
    std::size_t const least_at_end_; // pairs of a group, where other threads would have nothing else to do
    double const deviations_;        // of what pairs need, that bands are wider than the mean

    Array<Entry> entries_;
    std::vector<std::uint8_t> answered_;      // by their indices
    std::atomic<std::uint64_t> half_width_;   // of the next group; 0: not known
    std::atomic<int> left_out_{0};            // so many groups are
    std::atomic<std::uint64_t> next_{0};      // group
    std::atomic<std::uint64_t> under_way_{0}; // groups whose first turn has not ended
    std::atomic<std::uint64_t> in_work_{0};   // threads
    std::mutex mutex_;                        // of what follows
    std::vector<Open> open_;
    std::size_t opened_ = 0; // so many were there, with those that have been taken
    bool is_sorted_ = false; // those that are most alike last
};

} // namespace nwgpu::cpu
