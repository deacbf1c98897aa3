// SPDX-License-Identifier: BSD-3-Clause
// Global alignments of rectangles of one matrix, most of them small.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "backend/monitor.hpp"
#include "cpu/batch/small_pairs.hpp"
#include "cpu/furthest/few_changes.hpp"
#include "cpu/furthest/penalties.hpp"
#include "cpu/landmarks/inner_sequence.hpp"
#include "cpu/landmarks/landmark_row.hpp"
#include "model/mode.hpp"

namespace nwgpu::cpu {

// Of all boxes of a pair, whatever thread aligns them.
class BoxBudget {
public:
    explicit BoxBudget(PairView const & pair);

    // All of the pair takes so many cells: no more than half of them are worth it.
    void limit(std::uint64_t cells);
    // Of a box by strips; false: all of them would take about as long as all of the pair.
    bool take(std::uint64_t cells);
    // Cells that the monitor knows of.
    std::uint64_t counted() const { return counted_.load(std::memory_order_relaxed); }
    void count(std::uint64_t cells) { counted_.fetch_add(cells, std::memory_order_relaxed); }

private:
    std::atomic<std::uint64_t> left_; // those far from their diagonals not counted
    std::atomic<std::uint64_t> counted_{0};
};

// Of a thread.
class Boxes {
public:
    // The pair is turned: its query is the inner sequence.  Paths are as the pair has them that is not.  All of them
    // live longer than this.  `in_lanes`: letters of each sequence at most, of boxes that go in lanes.  `threads`: that
    // may share a long one.  `strip_bytes`: of this thread, for a box by strips.
    Boxes(PairView const & turned, InnerSequence const & inner, Scheme const & scheme, KernelTable const & kernels,
          Request const & request, std::uint64_t in_lanes, int threads, std::uint64_t strip_bytes, BoxBudget & budget,
          Monitor & monitor);

    using Answer = SmallPairs::Answer;
    // The answer of a large pair, in another way than by strips.
    using AlignLarge = std::function<std::optional<PairResult>(PairView const &, Request const &)>;
    // Of `which` of the boxes.  False: the budget is spent, or the caller has stopped.
    // `known`: what paths through boxes score at least; empty: not known.
    bool align(std::span<std::uint32_t const> which, std::span<Box const> boxes, std::span<std::int64_t const> known,
               AlignLarge const & align_large, std::span<Answer> answers);
    // One box in the given mode, by strips; nothing as above.  `known`: what a path through it scores at least.
    std::optional<PairResult> align(Box const & box, Mode const & mode,
                                    std::optional<std::int64_t> known = std::nullopt);

    // A path that is known.
    Answer keep(std::int64_t score, std::span<std::uint32_t const> runs) { return small_.keep(score, runs); }
    Answer keep(std::int64_t score, CigarOp op, std::uint64_t length); // of one run
    std::span<std::uint32_t const> runs(Answer const & answer) const { return small_.runs(answer); }
    void clear() { small_.clear(); }

    // Boxes of so many letters that are computed by strips are global, may be shared, and take so much more for each
    // letter.
    static constexpr std::uint64_t long_letters = 1 << 16, bytes_per_letter = 32;
    // Best paths of pairs that differ in an eighth of their letters, or hardly more, are so far from the main diagonals
    // at most.
    static std::uint64_t usual_half_width(PairView const & pair) { return std::min(pair.m, pair.n) / 8 + 64; }

private:
    bool has_path() const { return request_.output == Output::cigar; }
    PairView part(Box const & box) const
    {
        return inner_.turned({pair_.query + box.i, box.rows(), pair_.target + box.j, box.cols()});
    }
    Answer gap(Box const & box);
    bool is_simple(PairView const & pair, Request const & request, Answer & answer);

    PairView const pair_;
    InnerSequence const inner_;
    Scheme const & scheme_;
    KernelTable const & kernels_;
    Request const & request_;
    std::uint64_t const in_lanes_;
    int const threads_;
    std::uint64_t const strip_bytes_;
    BoxBudget & budget_;
    Monitor & monitor_;
    Penalties const penalties_;
    SmallPairs small_;
    ApartSoFar apart_; // never looked for
    PairResult simple_;
    std::vector<PairView> parts_; // those for the lanes, and which boxes they are
    std::vector<std::uint32_t> boxes_of_parts_;
    std::vector<std::int64_t> known_of_parts_;
    std::vector<Answer> answers_of_parts_;
};

} // namespace nwgpu::cpu
