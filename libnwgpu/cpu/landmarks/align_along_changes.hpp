// SPDX-License-Identifier: BSD-3-Clause
// A long pair of hardly any differences, within another sequence or local: between words that all best paths are proven
// to cross the best path is the one that is told from change to change (docs/proofs.md, lemma 43 (d)).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "backend/monitor.hpp"
#include "cpu/furthest/few_changes.hpp"
#include "cpu/furthest/one_diagonal.hpp"
#include "cpu/kernels/kernels.hpp"
#include "cpu/kernels/scheme.hpp"
#include "cpu/landmarks/boxes.hpp"
#include "cpu/landmarks/free_ends.hpp"
#include "cpu/landmarks/inner_sequence.hpp"
#include "cpu/landmarks/landmark_row.hpp"
#include "cpu/pair/word_places.hpp"
#include "model/batch.hpp"
#include "model/mode.hpp"
#include "model/result.hpp"

namespace nwgpu::cpu {

class AlongChanges {
public:
    // Where changes lie closer than this on average, boxes between landmarks (boxes.hpp) are as quick.
    static constexpr SeparateChanges::Limits limits{
        .letters_apart = 50, .letters_apart_in_long = 110, .letters_apart_in_longest = 250, .points_per_letter = 16};

    // The pair is turned: its query is the inner sequence.  What is given lives longer than this.
    AlongChanges(PairView const & turned, InnerSequence const & inner, Scheme const & scheme,
                 KernelTable const & kernels, Request const & request, std::uint64_t strip_bytes, Monitor & monitor);

    // Once.  Nothing if the changes do not lie apart, or too little is proven.
    std::optional<PairResult> align(FewWords::Length letters_of_word, ApartSoFar & apart);

    std::uint64_t counted() const { return budget_.counted(); } // cells that the monitor knows of

private:
    struct Letters { // of the inner sequence
        std::uint64_t begin, end;
    };

    std::vector<std::uint64_t> word_begins(std::uint64_t letters, std::uint64_t between) const;
    Box middle() const;
    bool find_path(ApartSoFar & apart);
    std::optional<PairResult> align_crossed(std::span<std::int64_t> losses);
    Runs cut(Letters const & letters) const;

    PairView const & pair_;
    InnerSequence const inner_;
    Scheme const & scheme_;
    Losses const losses_;
    KernelTable const & kernels_;
    Request const & request_;
    Monitor & monitor_;
    BoxBudget budget_; // other ways have their own, if this one fails
    Boxes boxes_;
    FreeEnds ends_;
    LandmarkRow row_;
    PairResult path_; // from the first word to the last one, or to an end that is not free, in the style eqx
    Box middle_;      // where that path is
};

} // namespace nwgpu::cpu
