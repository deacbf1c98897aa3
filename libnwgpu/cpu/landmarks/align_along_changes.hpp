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
    // Where changes lie closer, boxes between landmarks (boxes.hpp) are as quick.
    static constexpr SeparateChanges::Limits limits{
        .letters_apart = 50, .letters_apart_in_long = 110, .letters_apart_in_longest = 250};

    // The pair is turned: its query is the inner sequence.  What is given lives longer than this.
    AlongChanges(PairView const & turned, InnerSequence const & inner, Scheme const & scheme,
                 KernelTable const & kernels, Request const & request, Monitor & monitor);

    // Nothing if the changes do not lie apart, or too little is proven.  `letters`: of a word, 32 or 8.  What is given
    // is changed.
    std::optional<PairResult> align(std::uint64_t letters, LandmarkRow & row, FreeEnds & ends, Boxes & boxes,
                                    ApartSoFar & apart);

private:
    struct Part { // of the inner sequence
        std::uint64_t begin, end;
    };

    Box middle_of(LandmarkRow const & row) const;
    std::vector<std::uint64_t> words(std::uint64_t letters, std::uint64_t between) const;
    bool find_path(Box const & middle, ApartSoFar & apart);
    std::optional<PairResult> align_crossed(std::span<std::int64_t> losses, LandmarkRow & row, FreeEnds & ends,
                                            Boxes & boxes) const;
    Runs cut(Part const & part) const;

    PairView const & pair_;
    InnerSequence const & inner_;
    Scheme const & scheme_;
    Losses const losses_;
    KernelTable const & kernels_;
    Request const & request_;
    Monitor & monitor_;
    PairResult path_; // between the first word and the last one, or an end that is not free, in the style eqx
    Box middle_;      // where that is
};

} // namespace nwgpu::cpu
