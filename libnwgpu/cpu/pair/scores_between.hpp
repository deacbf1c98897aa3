// SPDX-License-Identifier: BSD-3-Clause
// What paths score that go through cells which are known before, as words in common tell: each is a chain of global
// alignments in narrow bands, which threads compute at the same time. The best path scores as much or more, so proofs
// begin with it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "backend/monitor.hpp"
#include "cpu/kernels/kernels.hpp"
#include "cpu/kernels/scheme.hpp"
#include "model/batch.hpp"
#include "path/common_words.hpp"

namespace nwgpu::cpu {

class ScoresBetween {
public:
    // The pair lives longer than this.  Paths go through cells that are so many letters apart: bands are wider for
    // longer parts, but strips are as high.
    explicit ScoresBetween(PairView const & pair, std::uint64_t letters_apart = usual_apart) :
        pair_{pair}, letters_apart_{letters_apart}
    {}

    // A path from the first to the last of some cells, given by the letters before them, which go up in both sequences;
    // it goes through some of the others: those that are far enough apart, and those before and behind a long gap, so
    // that this is beside few letters of the other sequence.  Returns its number.
    std::size_t add(std::span<path::CommonWord const> cells);
    // Computes all of them, on all threads of the monitor's team if `threads` are more than one.  False: the scheme's
    // differences do not fit 8 bits.
    bool compute(Scheme const & scheme, KernelTable const & kernels, int threads, Monitor & monitor);
    std::int64_t score(std::size_t path) const { return scores_[path]; }

    static constexpr std::uint64_t usual_apart = 1 << 14;

private:
    struct Part { // of a path
        std::size_t path;
        path::CommonWord from, to;
        std::int64_t score = 0;
    };
    PairView part_of_pair(Part const & part) const
    {
        return {pair_.query + part.from.i, part.to.i - part.from.i, pair_.target + part.from.j,
                part.to.j - part.from.j};
    }

    PairView const pair_;
    std::uint64_t const letters_apart_;
    std::vector<Part> parts_;
    std::vector<std::int64_t> scores_; // of paths
};

// Of a global pair of long sequences with enough words in common: the score of a path through them; nothing else, and
// where memory ends. O(m + n) time beside narrow bands.
std::optional<std::int64_t> score_by_words(PairView const & pair, Scheme const & scheme, KernelTable const & kernels,
                                           int threads, Monitor & monitor);

} // namespace nwgpu::cpu
