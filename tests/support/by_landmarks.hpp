// SPDX-License-Identifier: BSD-3-Clause
// Pairs that are cut at landmarks (docs/proofs.md, lemma 43), and the oracle's answers for them.
#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "cpu/kernels/kernel_table.hpp"
#include "cpu/landmarks/align_along_changes.hpp"
#include "cpu/landmarks/align_by_landmarks.hpp"
#include "reference/oracle.hpp"
#include "support/cases.hpp"

namespace nwgpu::test {

// Of the first pair.
inline std::optional<PairResult> by_landmarks(PairSet const & set, Scoring const & scoring, Request const & request,
                                              std::string const & isa, cpu::ByLandmarks::Limits const & limits = {},
                                              int threads = 1)
{
    Progress const silent;
    Team team{threads};
    Monitor monitor{silent, 1, team};
    return cpu::ByLandmarks{limits}.align(set.view(0), cpu::Scheme{scoring}, cpu::kernel_table(isa), request,
                                          threads > 1 ? &team : nullptr, cpu::ByLandmarks::usual_strip_bytes, monitor);
}

// Of the first pair, along changes that lie apart, between few words of such a length.
inline std::optional<PairResult> along_changes(PairSet const & set, Scoring const & scoring, Request const & request,
                                               std::string const & isa, cpu::FewWords::Length letters)
{
    cpu::Scheme const scheme{scoring};
    cpu::Losses const losses = cpu::Losses::of(scoring);
    auto const inner = cpu::InnerSequence::of(set.view(0), request.mode);
    if (!inner || losses.match < 1 || losses.mismatch < 1 || losses.extend < 1)
        return std::nullopt;
    Progress const silent;
    Team team{1};
    Monitor monitor{silent, 1, team};
    PairView const turned = inner->turned(set.view(0));
    cpu::ApartSoFar apart; // short pairs have their changes close to each other
    return cpu::AlongChanges{
        turned, *inner, scheme, cpu::kernel_table(isa), request, cpu::ByLandmarks::usual_strip_bytes, monitor}
        .align(letters, apart);
}

inline void expect_oracles(PairResult const & result, PairSet const & set, Scoring const & scoring,
                           Request const & request, std::string const & words)
{
    PairResult const expected = reference::align(set.view(0), scoring, request.mode, request.style);
    EXPECT_EQ(result.score, expected.score) << words;
    EXPECT_EQ(result.span, expected.span) << words;
    EXPECT_EQ(cigar_text(result.runs), cigar_text(expected.runs)) << words;
}

// Whether a short pair has an answer, with limits by which boxes of all kinds are met.
inline bool is_proven_by_landmarks(PairSet const & set, Scoring const & scoring, Mode const & mode,
                                   std::string const & isa, std::string const & words, int threads = 1)
{
    bool proven = false;
    for (CigarStyle const style : {CigarStyle::eqx, CigarStyle::m}) {
        Request const request{mode, Output::cigar, style};
        auto const result = by_landmarks(set, scoring, request, isa,
                                         {.letters = 32,
                                          .inner = 32,
                                          .letters_of_box = 64,
                                          .in_lanes = 24,
                                          .boxes_at_once = 3,
                                          .few_words = std::nullopt},
                                         threads);
        if (!result)
            continue;
        proven = true;
        expect_oracles(*result, set, scoring, request, words + " isa=" + isa);
    }
    return proven;
}

// One letter, or up to `most`.
inline void change_letters(Random & random, std::string & text, std::uint64_t at, std::string const & letters,
                           std::uint64_t most)
{
    std::uint64_t const kind = random.below(4), length = random.chance(0.8) ? 1 : 1 + random.below(most);
    if (kind == 0)
        text.erase(at, length);
    else if (kind == 1)
        text.insert(at, random_sequence(random, length, letters));
    else
        text[at] = letters[random.below(letters.size())];
}

} // namespace nwgpu::test
