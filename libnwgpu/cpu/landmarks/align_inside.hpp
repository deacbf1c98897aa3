// SPDX-License-Identifier: BSD-3-Clause
// A long sequence that lies within another one with few changes, with free ends or local: long reads and where they
// come from.  Its path is that of a global alignment with the part of the other one where it lies, but for what lies
// before the first and behind the last word that all best paths are proven to cross, which is computed by itself
// (docs/proofs.md, lemma 42).
#pragma once

#include <cstdint>
#include <optional>

#include "backend/monitor.hpp"
#include "cpu/furthest/align_furthest.hpp"
#include "cpu/furthest/few_changes.hpp"
#include "cpu/kernels/kernels.hpp"
#include "cpu/kernels/scheme.hpp"
#include "model/batch.hpp"
#include "model/mode.hpp"
#include "model/result.hpp"

namespace nwgpu::cpu {

// Of a thread, and of one call.
class InsideSoFar {
public:
    struct Limits {
        std::uint64_t inner = 1024; // letters of the inner sequence, at least: shorter ones are computed as soon
        // The ends are computed, by one thread, if they have so much fewer cells than the pair, and no more than that.
        std::uint64_t parts = 64, cells_of_end = 1 << 22;
    };

    explicit InsideSoFar(Limits const & limits) : limits_{limits} {}
    InsideSoFar() : InsideSoFar(Limits{}) {}

    // Nothing where it is not for such pairs, or no answer is proven.  O(m + n) time and memory, but for the ends.
    std::optional<PairResult> align(PairView const & pair, Scheme const & scheme, KernelTable const & kernels,
                                    Request const & request, FurthestMemory & memory, Monitor & monitor);

    // Upper bound of what is allocated for a pair of such lengths, and may be kept; 0: nothing is tried.  Where memory
    // has no limit.
    static std::uint64_t bytes(PairView const & pair, Scoring const & scoring, Request const & request);

private:
    Limits limits_;
    TriesSoFar tries_{2};
    std::optional<ApartSoFar> apart_;
};

} // namespace nwgpu::cpu
