// SPDX-License-Identifier: BSD-3-Clause
// A long pair of some differences, with a uniform scheme, in place of a band: small pairs between words that all best
// paths are proven to cross (docs/proofs.md, lemma 43).  Global, or with free ends of one sequence, or local, if all or
// most of the other one lies within it.
#pragma once

#include <cstdint>
#include <optional>

#include "backend/monitor.hpp"
#include "base/team.hpp"
#include "cpu/furthest/few_changes.hpp"
#include "cpu/furthest/tries_so_far.hpp"
#include "cpu/kernels/kernels.hpp"
#include "cpu/kernels/scheme.hpp"
#include "cpu/landmarks/align_along_changes.hpp"
#include "model/batch.hpp"
#include "model/mode.hpp"
#include "model/result.hpp"

namespace nwgpu::cpu {

// Of a thread, and of one call.
class ByLandmarks {
public:
    struct Limits {
        std::uint64_t letters = 2048;        // of both sequences, at least: shorter pairs are computed as soon
        std::uint64_t inner = 1024;          // the same of the one without free ends, if the other one has some
        std::uint64_t letters_of_box = 1024; // from so many on, of both, what lies between words is cut again
        std::uint64_t in_lanes = 256;        // at most, of each, where it goes in lanes
        std::uint64_t boxes_at_once = 1024;  // small ones, at most, of a thread that shares a pair
        // Of words, where few are looked for at first (align_along_changes.hpp); nothing: they are not.
        std::optional<FewWords::Length> few_words = FewWords::Length::usual;
    };

    // Of each thread, for what lies between words and is computed by strips: with the least, a few pairs take longer.
    static constexpr std::uint64_t usual_strip_bytes = std::uint64_t{1} << 24,
                                   least_strip_bytes = std::uint64_t{1} << 21;

    explicit ByLandmarks(Limits const & limits) : limits_{limits} {}
    ByLandmarks() : ByLandmarks(Limits{}) {}

    // Nothing where it is not for such pairs, or too little is proven.  O(m + n) time and memory, beside what lies
    // between words.  `team`: whose threads share the pair; null: this thread has it alone.
    std::optional<PairResult> align(PairView const & pair, Scheme const & scheme, KernelTable const & kernels,
                                    Request const & request, Team * team, std::uint64_t strip_bytes, Monitor & monitor);

    // Gives back what is kept for the next pair.
    void trim() { apart_.trim(); }

    // Upper bound of what is allocated for a pair of such lengths, by so many threads; 0: nothing is tried.
    static std::uint64_t bytes(PairView const & pair, Scheme const & scheme, Request const & request, int threads,
                               std::uint64_t strip_bytes);

private:
    Limits limits_;
    TriesSoFar tries_{2}, along_changes_{4}, long_words_{4}; // the last of pairs with free ends
    ApartSoFar apart_{AlongChanges::limits};
};

} // namespace nwgpu::cpu
