// SPDX-License-Identifier: BSD-3-Clause
// Properties that need no oracle: what more freedom, swapped or reversed sequences, scaled costs and the CIGAR do to
// the score.
#include <gtest/gtest.h>

#include <algorithm>

#include "groups.hpp"

namespace nwgpu::test {
namespace {

std::vector<PairResult> run_mode(Group const & group, PairSet const & set, Mode const & mode,
                                 Output output = Output::score)
{
    return run(set, group.scheme->scoring, {mode, output, CigarStyle::eqx}, group.options);
}

std::string words(Group const & group, std::uint64_t p)
{
    return "reproduce: " + group.words() + " scheme=" + group.scheme->name + " mode=" + name(group.mode) +
           " pair=" + std::to_string(p) + " " + describe(group.options);
}

TEST(InvariantsProperty, CigarScoresTheScore)
{
    for_groups(0.1, 700, [](Group const & group) {
        PairSet const set{group.pairs, group.scheme->scoring};
        auto const results = run_mode(group, set, group.mode, Output::cigar);
        for (std::uint64_t p = 0; p < set.count(); ++p)
            expect_consistent(set, p, group.scheme->scoring, group.mode, results.at(p), words(group, p));
    });
}

TEST(InvariantsProperty, MoreFreedomNeverLowersTheScore)
{
    for_groups(0.1, 400, [](Group const & group) {
        PairSet const set{group.pairs, group.scheme->scoring};
        Mode const all_free{false, true, true, true, true};
        auto const global = run_mode(group, set, {});
        auto const chosen = run_mode(group, set, group.mode.may_be_empty() ? Mode{} : group.mode);
        auto const free = run_mode(group, set, all_free);
        auto const local = run_mode(group, set, {.local = true});
        for (std::uint64_t p = 0; p < set.count(); ++p) {
            EXPECT_LE(global.at(p).score, chosen.at(p).score) << words(group, p);
            EXPECT_LE(chosen.at(p).score, free.at(p).score) << words(group, p);
            EXPECT_LE(free.at(p).score, local.at(p).score) << words(group, p);
            EXPECT_GE(free.at(p).score, 0) << words(group, p); // the empty alignment
        }
    });
}

TEST(InvariantsProperty, SwappingSequencesKeepsTheScore)
{
    for_groups(0.1, 400, [](Group const & group) {
        if (!group.scheme->symmetric)
            return;
        std::vector<SequencePair> swapped;
        for (SequencePair const & pair : group.pairs)
            swapped.push_back({pair.target, pair.query});
        PairSet const set{group.pairs, group.scheme->scoring}, swapped_set{swapped, group.scheme->scoring};
        Mode const & m = group.mode;
        Mode swapped_mode{m.local, m.free_target_begin, m.free_target_end, m.free_query_begin, m.free_query_end};
        swapped_mode.extend = m.extend;
        swapped_mode.extend_left = m.extend_left;
        auto const expected = run_mode(group, set, m), actual = run_mode(group, swapped_set, swapped_mode);
        for (std::uint64_t p = 0; p < set.count(); ++p)
            EXPECT_EQ(expected.at(p).score, actual.at(p).score) << words(group, p);
    });
}

TEST(InvariantsProperty, ReversingBothSequencesKeepsTheScore)
{
    for_groups(0.1, 400, [](Group const & group) {
        std::vector<SequencePair> reversed;
        for (auto const & [query, target] : group.pairs)
            reversed.push_back({{query.rbegin(), query.rend()}, {target.rbegin(), target.rend()}});
        PairSet const set{group.pairs, group.scheme->scoring}, reversed_set{reversed, group.scheme->scoring};
        Mode const & m = group.mode;
        Mode reversed_mode{m.local, m.free_query_end, m.free_query_begin, m.free_target_end, m.free_target_begin};
        reversed_mode.extend = m.extend_left;
        reversed_mode.extend_left = m.extend;
        auto const expected = run_mode(group, set, m), actual = run_mode(group, reversed_set, reversed_mode);
        for (std::uint64_t p = 0; p < set.count(); ++p)
            EXPECT_EQ(expected.at(p).score, actual.at(p).score) << words(group, p);
    });
}

// All scores and costs times a factor: the same alignment, computed in wider numbers.
TEST(InvariantsProperty, ScaledCostsGiveTheSameAlignment)
{
    for_groups(0.1, 400, [](Group const & group) {
        Scoring const & s = group.scheme->scoring;
        if (!s.is_uniform() || !s.any_byte())
            return;
        PairSet const set{group.pairs, s};
        auto const base = run_mode(group, set, group.mode, Output::cigar);
        for (std::int64_t const factor : {30, 1000, 250000}) {
            if (std::max({s.match(), s.mismatch(), s.gap().open, s.gap().extend}) * factor > max_cost)
                continue;
            Scoring const scaled = Scoring::uniform(s.match() * factor, s.mismatch() * factor,
                                                    {s.gap().open * factor, s.gap().extend * factor});
            auto results = run(set, scaled, {group.mode, Output::cigar, CigarStyle::eqx}, group.options);
            for (std::uint64_t p = 0; p < set.count(); ++p) {
                PairResult expected = base.at(p);
                expected.score *= factor;
                EXPECT_EQ(expected, results.at(p)) << words(group, p) << " factor=" << factor;
            }
        }
    });
}

// A matrix that says what match and mismatch say gives the same alignment: two kernels, one answer.
TEST(InvariantsProperty, MatrixOfMatchAndMismatchIsTheSame)
{
    for_groups(0.1, 400, [](Group const & group) {
        Scoring const & s = group.scheme->scoring;
        if (!s.is_uniform() || !s.any_byte())
            return;
        std::string const & letters = group.scheme->letters;
        int const size = static_cast<int>(letters.size());
        LetterCodes codes;
        codes.fill(invalid_code);
        std::vector<std::int32_t> scores;
        for (int a = 0; a < size; ++a) {
            codes[static_cast<std::uint8_t>(letters[a])] = static_cast<std::uint8_t>(a);
            for (int b = 0; b < size; ++b)
                scores.push_back(static_cast<std::int32_t>(a == b ? s.match() : -s.mismatch()));
        }
        Scoring const matrix = Scoring::matrix(scores, size, codes, s.gap());
        PairSet const set{group.pairs, s}, matrix_set{group.pairs, matrix};
        Request const request{group.mode, Output::cigar, CigarStyle::eqx};
        auto const expected = run(set, s, request, group.options),
                   actual = run(matrix_set, matrix, request, group.options);
        for (std::uint64_t p = 0; p < set.count(); ++p)
            EXPECT_EQ(expected.at(p), actual.at(p)) << words(group, p);
    });
}

} // namespace
} // namespace nwgpu::test
