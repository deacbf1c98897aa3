// SPDX-License-Identifier: BSD-3-Clause
// Pairs of which one sequence lies within the other one with few changes (docs/proofs.md, lemma 43): the oracle's
// answers wherever one is said to be proven, and that long reads are.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "cpu/furthest/one_diagonal.hpp"
#include "support/by_landmarks.hpp"

namespace nwgpu::cpu {
namespace {

using test::along_changes;
using test::by_landmarks;
using test::change_letters;
using test::expect_oracles;
using test::is_proven_by_landmarks;
using test::PairSet;
using test::Random;
using test::random_sequence;
using test::SequencePair;

// The query is the inner sequence of the first four, the target of the others.
Mode const local{.local = true}, both{.free_target_begin = true, .free_target_end = true};
std::vector<Mode> const modes{local,
                              both,
                              {.free_target_begin = true},
                              {.free_target_end = true},
                              local,
                              {.free_query_begin = true, .free_query_end = true},
                              {.free_query_begin = true},
                              {.free_query_end = true}};
constexpr std::size_t query_inside = 4;

// What other alignments may be as good as.
enum class Trick {
    none,
    repeats,     // of a short unit, in both sequences
    copy,        // all letters once more, with other changes
    ends_nearby, // the first or the last letters once more, on another diagonal
    shifted,     // a gap between words behind a begin, or before an end, that is nearly as good without it
    worthless,   // first or last letters that score nothing, or hardly more or less
};

// Some whose words cost no more than their letters are worth.
std::vector<Scoring> const & schemes()
{
    static std::vector<Scoring> const all = [] {
        std::vector<Scoring> some = test::schemes_of_gaps();
        for (Scoring const & scoring :
             {Scoring::uniform(1, 9, {16, 2}), Scoring::uniform(1, 7, {12, 2}), Scoring::uniform(2, 16, {28, 4})})
            some.insert(some.end(), 2, scoring);
        return some;
    }();
    return all;
}

// A change behind so many equal letters as pay for it, at the begin; turned round, at the end.
SequencePair worthless_pair(Random & random, Scoring const & scoring, std::uint64_t before, std::uint64_t behind)
{
    Losses const losses = Losses::of(scoring);
    std::uint64_t const gap = 1 + random.below(2);
    std::int64_t const match = losses.match, mismatch = losses.mismatch - match,
                       of_gap = losses.open + static_cast<std::int64_t>(gap) * losses.extend;
    bool const is_gap = random.chance(0.7);
    std::int64_t const change = is_gap ? of_gap : mismatch,
                       paid = std::max<std::int64_t>(1, change / std::max<std::int64_t>(1, match)) + 1 -
                              static_cast<std::int64_t>(random.below(3));
    std::string const first =
                          random_sequence(random, static_cast<std::uint64_t>(std::max<std::int64_t>(1, paid)), "ACGT"),
                      rest = random_sequence(random, 64 + random.below(200), "ACGT");
    std::string text = first + rest, outer = text;
    (random.chance(0.5) ? text : outer).erase(first.size(), is_gap ? gap : 0);
    if (!is_gap)
        text[first.size()] = outer[first.size()] == 'A' ? 'C' : 'A';
    for (std::uint64_t k = random.below(3); k > 0; --k)
        change_letters(random, text, first.size() + 30 + random.below(20), "ACGT", 4);
    outer = random_sequence(random, before, "ACGT") + outer + random_sequence(random, behind, "ACGT");
    if (random.chance(0.5)) {
        std::ranges::reverse(text);
        std::ranges::reverse(outer);
    }
    return {text, outer};
}

// Words that are nearly the same some letters further on, and that gap between them and all others.
SequencePair shifted_pair(Random & random, std::uint64_t before, std::uint64_t behind)
{
    std::uint64_t const unit = 1 + random.below(3), length = 16 * (1 + random.below(3));
    std::string words = random_sequence(random, unit, "ACGT");
    while (words.size() < length + unit)
        words += words[words.size() - unit];
    for (std::uint64_t k = random.below(4); k > 0; --k)
        for (std::uint64_t at = random.below(words.size()), letter = random.below(4); at < words.size(); at += unit)
            words[at] = "ACGT"[letter];
    std::string const rest = random_sequence(random, 16 * (4 + random.below(12)), "ACGT"),
                      first = random_sequence(random, before, "ACGT"), last = random_sequence(random, behind, "ACGT");
    std::string changed = rest; // two letters of a word: more than one change needs
    for (std::uint64_t k = random.chance(0.5) ? 0 : random.below(5); k > 0; --k)
        for (std::uint64_t at = random.below(rest.size() - 2), end = at + 3; at < end; at += 2)
            changed[at] = "ACGT"[random.below(4)];
    if (random.chance(0.5))
        return {words.substr(0, length) + changed, first + words + rest + last};
    return {changed + words.substr(unit), first + rest + words + last};
}

SequencePair tricky_pair(Random & random, Trick trick, Scoring const & scoring, bool free_begin, bool free_end)
{
    std::string const letters = std::string{"ACGT"}.substr(0, random.chance(0.6) ? 4 : 2 + random.below(2));
    std::uint64_t const inner = 64 + random.below(300), before = random.below(free_begin ? 60 : 2),
                        behind = random.below(free_end ? 60 : 2);
    if (trick == Trick::shifted)
        return shifted_pair(random, before, behind);
    if (trick == Trick::worthless)
        return worthless_pair(random, scoring, before, behind);
    std::string outer = random_sequence(random, before + inner + behind, letters);
    if (trick == Trick::repeats) {
        std::uint64_t const from = random.below(outer.size()), unit = 1 + random.below(20);
        std::uint64_t const to = std::min<std::uint64_t>(outer.size(), from + random.below(100));
        for (std::uint64_t k = from + unit; k < to; ++k)
            outer[k] = outer[k - unit];
    }
    std::string text = outer.substr(before, inner);
    std::uint64_t const near = random.below(inner - 8);
    for (std::uint64_t k = random.below(random.chance(0.5) ? 4 : 12); k > 0; --k) {
        double const where = static_cast<double>(random.below(1000)) / 1000;
        std::uint64_t const at = where < 0.2   ? random.below(24)
                                 : where < 0.4 ? text.size() - 1 - random.below(24)
                                 : where < 0.5 ? std::min(text.size() - 1, near + random.below(8))
                                               : random.below(text.size());
        std::uint64_t const beside_words[] = {at, at, at - at % 8, at + (text.size() - at) % 8};
        change_letters(random, text, std::min(beside_words[random.below(4)], text.size() - 1), letters, 4);
    }
    if (trick == Trick::copy) {
        std::string copy = outer.substr(before, inner);
        for (std::uint64_t k = random.below(6); k > 0; --k)
            change_letters(random, copy, random.below(copy.size()), letters, 4);
        outer = random.chance(0.5) ? copy + outer : outer + copy;
    }
    if (random.chance(0.15)) // the inner sequence is longer than the outer one, perhaps
        outer = outer.substr(random.chance(0.5) ? before + random.below(12) : 0, inner);
    if (trick == Trick::ends_nearby) {
        std::uint64_t const length = 1 + random.below(40), apart = 1 + random.below(12);
        if (behind >= apart && text.size() > length && outer.size() >= behind + length)
            outer.replace(outer.size() - behind + apart - std::min(length, inner), std::min(length, inner), text,
                          text.size() - std::min(length, inner), std::min(length, inner));
        if (before >= apart)
            outer.replace(before - apart, std::min(length, text.size()), text, 0, std::min(length, text.size()));
    }
    return {text, outer};
}

struct TrickyCase {
    explicit TrickyCase(Random & random) :
        which{random.below(modes.size())},
        mode{modes[which]},
        scoring{schemes()[random.below(schemes().size())]},
        set{{pair_of(random)}, scoring}
    {}

    std::size_t const which; // of the modes
    Mode const & mode;
    Scoring const & scoring;
    PairSet const set;

private:
    SequencePair pair_of(Random & random) const
    {
        SequencePair pair = tricky_pair(random, static_cast<Trick>(random.below(6)), scoring,
                                        mode.local || mode.free_target_begin || mode.free_query_begin,
                                        mode.local || mode.free_target_end || mode.free_query_end);
        if (which >= query_inside)
            std::swap(pair.query, pair.target);
        return pair;
    }
};

TEST(LandmarksInside, IsTheOraclesWhereItIsProven)
{
    std::uint64_t const count = test::is_thorough() ? 200000 : 10000;
    std::vector<std::uint64_t> proven(modes.size());
    for (std::uint64_t seed = 1; seed <= count; ++seed) {
        Random random{seed};
        TrickyCase const it{random};
        auto const isas = available_isas();
        proven[it.which] +=
            is_proven_by_landmarks(it.set, it.scoring, it.mode, isas[random.below(isas.size())],
                                   "LandmarksInside seed=" + std::to_string(seed), seed % 16 == 0 ? 3 : 1);
    }
    for (std::size_t which = 0; which < modes.size(); ++which)
        EXPECT_GT(proven[which], count / 100) << test::name(modes[which]) << " " << which;
}

TEST(LandmarksInside, AlongChangesIsTheOracles)
{
    std::uint64_t const count = test::is_thorough() ? 400000 : 20000;
    std::vector<std::uint64_t> proven(modes.size());
    for (std::uint64_t seed = 1; seed <= count; ++seed) {
        Random random{seed};
        TrickyCase const it{random};
        auto const isas = available_isas();
        std::string const & isa = isas[random.below(isas.size())];
        Request const request{it.mode, Output::cigar, random.chance(0.5) ? CigarStyle::eqx : CigarStyle::m};
        auto const result = along_changes(it.set, it.scoring, request, isa,
                                          random.chance(0.9) ? FewWords::Length::for_tests : FewWords::Length::usual);
        if (!result)
            continue;
        ++proven[it.which];
        expect_oracles(*result, it.set, it.scoring, request,
                       "AlongChangesIsTheOracles seed=" + std::to_string(seed) + " isa=" + isa);
    }
    for (std::size_t which = 0; which < modes.size(); ++which)
        EXPECT_GT(proven[which], count / 100) << test::name(modes[which]) << " " << which;
}

// Reads of 3000 letters with a change in 300 on average, in 3400 letters.
TEST(LandmarksInside, LongReadsAreProven)
{
    Scoring const scoring = Scoring::uniform(2, 4, {4, 2});
    Random random{3};
    for (Mode const & mode : {local, both}) {
        int proven = 0;
        constexpr int count = 20;
        for (int k = 0; k < count; ++k) {
            std::string const outer = random_sequence(random, 3400, "ACGT");
            std::string read = outer.substr(random.below(401), 3000);
            for (int changes = 0; changes < 10; ++changes)
                change_letters(random, read, random.below(read.size() - 4), "ACGT", 4);
            PairSet const set{{{read, outer}}, scoring};
            auto const result = by_landmarks(set, scoring, {mode, Output::cigar}, available_isas().front(), {});
            proven += result.has_value();
            auto const score = by_landmarks(set, scoring, {mode, Output::score}, available_isas().front(), {});
            auto const end = by_landmarks(set, scoring, {mode, Output::end}, available_isas().front(), {});
            ASSERT_EQ(score.has_value(), result.has_value());
            ASSERT_EQ(end.has_value(), result.has_value());
            if (!result)
                continue;
            EXPECT_EQ(score->score, result->score);
            EXPECT_EQ(end->span.target_end, result->span.target_end);
            EXPECT_EQ(end->span.query_begin, no_position);
            EXPECT_TRUE(end->runs.empty() && score->runs.empty());
        }
        EXPECT_GT(proven, count / 2) << test::name(mode);
    }
}

// What a try along changes takes is not lacking afterwards.
TEST(LandmarksInside, ATryInVainTakesNothingFromOtherWays)
{
    Scoring const scoring = Scoring::uniform(2, 4, {4, 2});
    Random random{9};
    std::string const isa = available_isas().front();
    int answered = 0;
    for (int k = 0; k < 2000; ++k) {
        std::uint64_t const letters = 1100 + random.below(1500), noisy = 100 + random.below(300);
        std::string const outer = random_sequence(random, letters + 300, "ACGT");
        std::string read = outer.substr(random.below(301), letters);
        for (std::uint64_t changes = noisy / 6; changes > 0; --changes) {
            std::uint64_t const at = random.below(noisy);
            change_letters(random, read, random.chance(0.5) ? at : read.size() - 5 - at, "ACGT", 4);
        }
        PairSet const set{{{read, outer}}, scoring};
        if (!by_landmarks(set, scoring, {both, Output::score}, isa, {.few_words = std::nullopt}))
            continue;
        ++answered;
        EXPECT_TRUE(by_landmarks(set, scoring, {both, Output::score}, isa)) << "read " << k;
    }
    EXPECT_GT(answered, 1000);
}

// A prefix of score 0 belongs to a local path, though an extension of that score is empty.
TEST(LandmarksInside, PrefixesOfScoreZeroAreKept)
{
    Scoring const scoring = Scoring::uniform(1, 7, {12, 2});
    std::string const query = "TGGCGACATAGTTATGACATTGGCATGCTCTTAGGACCCCTGGCGACGCTAGACTGAGAGAACAGTATGTATTCTA",
                      target = "GTTGTCGTTGAACAGCTGGCGACGTAGTTATGACATTGGCATGCTCTTAGGACCCCTGGCGACGCTAGACTGAGAGAACAGTATG"
                               "TATTCTAAGCCGTTCAGAGGCCCGTCAACTGACACGCGTGTCTAGGCCGTGCGTC";
    PairSet const set{{{query, target}}, scoring};
    for (std::string const & isa : available_isas())
        is_proven_by_landmarks(set, scoring, local, isa, "PrefixesOfScoreZeroAreKept");
}

// What it is not for.
TEST(LandmarksInside, OthersAreLeft)
{
    Scoring const scoring = Scoring::uniform(2, 4, {4, 2});
    Random random{4};
    std::string const outer = random_sequence(random, 3000, "ACGT"), read = outer.substr(300, 2000);
    PairSet const set{{{read, outer}}, scoring}, other_way{{{outer, read}}, scoring};
    std::string const isa = available_isas().front();
    EXPECT_TRUE(by_landmarks(set, scoring, {both, Output::cigar}, isa, {}));
    EXPECT_FALSE(by_landmarks(other_way, scoring, {both, Output::cigar}, isa, {}));
    EXPECT_TRUE(by_landmarks(other_way, scoring, {local, Output::cigar}, isa, {}));
    EXPECT_FALSE(by_landmarks(set, scoring, {both, Output::cigar}, isa, {.inner = 2001}));
    for (Mode const & mode : {Mode{.extend = true}, Mode{.local = true, .ties = Ties::last_end},
                              Mode{.free_query_end = true, .free_target_begin = true},
                              Mode{.free_target_begin = true, .free_target_end = true, .band = Diagonals{0, 2000}}})
        EXPECT_FALSE(by_landmarks(set, scoring, {mode, Output::cigar}, isa, {})) << test::name(mode);
    EXPECT_FALSE(by_landmarks(set, scoring, {local, Output::cigar, CigarStyle::eqx, 2}, isa, {}));
    Scoring const free_letters = Scoring::uniform(2, 4, {4, 0}); // of gaps
    for (Mode const & mode : {Mode{}, both, local})
        EXPECT_FALSE(
            by_landmarks(PairSet{{{read, outer}}, free_letters}, free_letters, {mode, Output::cigar}, isa, {}));
    Scoring const no_match = Scoring::uniform(0, 1, {1, 1});
    EXPECT_FALSE(by_landmarks(PairSet{{{read, outer}}, no_match}, no_match, {both, Output::cigar}, isa, {}));
}

} // namespace
} // namespace nwgpu::cpu
