// SPDX-License-Identifier: BSD-3-Clause
// Global pairs that are cut at words which all best paths cross (docs/proofs.md, lemma 43): the oracle's answers
// wherever one is said to be proven, and that long similar pairs are.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

#include "cpu/batch/small_pairs.hpp"
#include "cpu/kernels/kernel_table.hpp"
#include "cpu/landmarks/landmark_row.hpp"
#include "cpu/pair/word_places.hpp"
#include "reference/oracle.hpp"
#include "support/by_landmarks.hpp"

namespace nwgpu::cpu {
namespace {

using test::by_landmarks;
using test::change_letters;
using test::is_proven_by_landmarks;
using test::PairSet;
using test::Random;
using test::random_sequence;
using test::SequencePair;

// What paths beside the usual one may be as good as.
enum class Trick {
    none,
    repeats,  // of a short unit, in both sequences, in one of them perhaps once less
    long_gap, // of letters that lie elsewhere, too, or of others
    shifted,  // some words that are nearly the same a few letters further on
    poor,     // two or three letters
};

SequencePair tricky_pair(Random & random, Trick trick)
{
    std::string const letters = std::string{"ACGT"}.substr(0, trick == Trick::poor ? 2 + random.below(2) : 4);
    std::uint64_t const length = 64 + random.below(400);
    std::string text = random_sequence(random, length, letters);
    std::uint64_t const from = random.below(length), unit = 1 + random.below(24);
    if (trick == Trick::repeats)
        for (std::uint64_t k = from + unit, to = std::min(length, from + random.below(150)); k < to; ++k)
            text[k] = text[k - unit];
    std::string other = text;
    if (trick == Trick::repeats && random.chance(0.5)) // one unit less
        other.erase(from, unit);
    if (trick == Trick::shifted)
        for (int times = 0; times < 3; ++times) {
            std::uint64_t const at = random.below(length - 40), apart = 1 + random.below(4),
                                words = 8 + random.below(24);
            for (std::uint64_t k = at + apart; k < at + words; ++k)
                text[k] = text[k - apart];
            other = text;
        }
    for (std::uint64_t k = random.below(2 + random.below(length / 8)); k > 0 && other.size() > 16; --k)
        change_letters(random, other, random.chance(0.1) ? random.below(8) : random.below(other.size()), letters, 6);
    if (trick == Trick::long_gap) {
        std::uint64_t const at = random.below(other.size()), more = 1 + random.below(120);
        if (random.chance(0.5))
            other.erase(at, std::min<std::uint64_t>(more, other.size() - std::min<std::size_t>(other.size(), 20)));
        else
            other.insert(at, random.chance(0.5) ? text.substr(random.below(length / 2), more)
                                                : random_sequence(random, more, letters));
    }
    return random.chance(0.5) ? SequencePair{text, other} : SequencePair{other, text};
}

TEST(LandmarksBetween, IsTheOraclesWhereItIsProven)
{
    std::uint64_t const count = test::is_thorough() ? 200000 : 10000;
    std::vector<std::uint64_t> proven(5);
    for (std::uint64_t seed = 1; seed <= count; ++seed) {
        Random random{seed};
        std::size_t const trick = random.below(proven.size());
        Scoring const & scoring = test::schemes_of_gaps()[random.below(test::schemes_of_gaps().size())];
        PairSet const set{{tricky_pair(random, static_cast<Trick>(trick))}, scoring};
        auto const isas = available_isas();
        proven[trick] +=
            is_proven_by_landmarks(set, scoring, Mode{}, isas[random.below(isas.size())],
                                   "LandmarksBetween seed=" + std::to_string(seed), seed % 16 == 0 ? 3 : 1);
    }
    for (std::size_t trick = 0; trick < proven.size(); ++trick)
        EXPECT_GT(proven[trick], count / 50) << trick;
}

// With the limits that calls have.
TEST(LandmarksBetween, LongPairsAreProven)
{
    Scoring const scoring = Scoring::uniform(2, 4, {4, 2});
    Random random{3};
    std::string const isa = available_isas().front();
    for (auto const & [length, divergence] : {std::pair{3000, 0.05}, {20000, 0.02}, {20000, 0.08}}) {
        auto const letters = static_cast<std::uint64_t>(length);
        PairSet const set{{random_pair(random, test::Model::mutated, letters, letters, "ACGT", divergence)}, scoring};
        auto const path = by_landmarks(set, scoring, {Mode{}, Output::cigar}, isa);
        ASSERT_TRUE(path) << length << " " << divergence;
        auto const expected =
            test::run(set, scoring, {Mode{}, Output::cigar}, {.threads = 1, .isa = isa, .tuning = {.furthest = -1}});
        EXPECT_EQ(path->score, expected[0].score);
        EXPECT_EQ(cigar_text(path->runs), cigar_text(expected[0].runs));
        for (Output const output : {Output::score, Output::end, Output::span}) {
            auto const less = by_landmarks(set, scoring, {Mode{}, output}, isa);
            ASSERT_TRUE(less);
            EXPECT_EQ(less->score, path->score);
            EXPECT_TRUE(less->runs.empty());
            EXPECT_EQ(less->span.query_begin, output == Output::span ? 0 : no_position);
            EXPECT_EQ(less->span.target_end, set.view(0).n);
        }
    }
}

// What it is not for, and what is too different.
TEST(LandmarksBetween, OthersAreLeft)
{
    Scoring const scoring = Scoring::uniform(2, 4, {4, 2});
    Random random{4};
    std::string const isa = available_isas().front(), text = random_sequence(random, 3000, "ACGT");
    PairSet const set{{{text, text.substr(0, 2900)}}, scoring},
        apart{{{text, random_sequence(random, 3000, "ACGT")}}, scoring};
    EXPECT_TRUE(by_landmarks(set, scoring, {Mode{}, Output::cigar}, isa));
    EXPECT_FALSE(by_landmarks(apart, scoring, {Mode{}, Output::cigar}, isa));
    EXPECT_FALSE(by_landmarks(set, scoring, {Mode{}, Output::cigar}, isa, {.letters = 2901}));
    for (Mode const & mode : {Mode{.extend = true}, Mode{.free_query_begin = true, .free_target_end = true},
                              Mode{.ties = Ties::last_end}, Mode{.band = Diagonals{-200, 200}}})
        EXPECT_FALSE(by_landmarks(set, scoring, {mode, Output::cigar}, isa)) << test::name(mode);
    Scoring const extreme = Scoring::uniform(50, 49, {99, 20}), no_cost = Scoring::uniform(0, 1, {1, 0});
    for (Scoring const & other : {extreme, no_cost})
        EXPECT_FALSE(by_landmarks(PairSet{{{text, text}}, other}, other, {Mode{}, Output::cigar}, isa));
}

// A word between two that lose as much as it costs is not proven; one that they do not lose enough for is.
TEST(LandmarkRow, AWordIsProvenWhereItsNeighboursLoseLess)
{
    Scoring const scoring = Scoring::uniform(2, 4, {4, 2}); // a word costs 6
    Random random{5};
    std::string const text = random_sequence(random, 80, "ACGT");
    PairSet const set{{{text, text}}, scoring};
    PairView const pair = set.view(0);
    LandmarkRow row{pair, scoring, nullptr};
    Progress const silent;
    Team team{1};
    Monitor monitor{silent, 1, team};
    ASSERT_TRUE(row.find({-80, 80}, monitor));
    ASSERT_EQ(row.boxes(), 11u);
    ASSERT_EQ(row.letters(), 8u);
    auto const crossed = [&](std::int64_t before, std::int64_t behind) { // word 4
        std::vector<std::int64_t> losses(row.boxes());
        losses[4] = before;
        losses[5] = behind;
        EXPECT_TRUE(row.prove(losses, {}, monitor));
        EXPECT_TRUE(row.is_crossed(0) && row.is_crossed(9));
        return row.is_crossed(4);
    };
    EXPECT_TRUE(crossed(0, 0));
    EXPECT_TRUE(crossed(5, 0));
    EXPECT_TRUE(crossed(3, 2));
    EXPECT_FALSE(crossed(6, 0));
    EXPECT_FALSE(crossed(3, 3));
    EXPECT_FALSE(crossed(0, 6));
}

// Words that begin and end alike, as those of a satellite, are found as soon as any others.
TEST(WordPlaces, RepeatsTakeNoLonger)
{
    constexpr std::uint64_t words = 8000;
    Random random{6};
    auto const satellite = [&] {
        std::string text;
        for (std::uint64_t word = 0; word < words; ++word)
            text += "AACCGGTT" + random_sequence(random, 16, "ACGT") + "TGCATGCA";
        return text;
    };
    Scoring const scoring = Scoring::uniform(2, 4, {4, 2});
    PairSet const set{{{satellite(), satellite()},
                       {random_sequence(random, 32 * words, "ACGT"), random_sequence(random, 32 * words, "ACGT")}},
                      scoring};
    std::chrono::duration<double> least[2];
    for (std::uint64_t p = 0; p < 2; ++p)
        for (int trial = 0; trial < 3; ++trial) {
            auto const begin = std::chrono::steady_clock::now();
            auto const letters = static_cast<std::int64_t>(32 * words);
            EXPECT_TRUE(find_long_places(set.view(p), {-letters, letters}, nullptr).all.empty());
            std::chrono::duration<double> const time = std::chrono::steady_clock::now() - begin;
            least[p] = trial == 0 ? time : std::min(least[p], time);
        }
    EXPECT_LT(least[0] / least[1], 20) << "a list for all words takes hundreds of times as long";
}

TEST(SmallPairsInLanes, AreTheOracles)
{
    std::uint64_t const count = test::is_thorough() ? 4000 : 200;
    for (std::uint64_t seed = 1; seed <= count; ++seed) {
        Random random{seed};
        Scoring const & scoring = test::schemes_of_gaps()[random.below(test::schemes_of_gaps().size())];
        std::vector<SequencePair> pairs(1 + random.below(100));
        for (SequencePair & pair : pairs) {
            std::uint64_t const most = random.chance(0.9) ? 30 : SmallPairs::most_letters;
            pair = {random_sequence(random, 1 + random.below(most), "ACG"),
                    random_sequence(random, 1 + random.below(most), "ACG")};
        }
        PairSet const set{pairs, scoring};
        std::vector<PairView> views(set.count());
        for (std::uint64_t p = 0; p < set.count(); ++p)
            views[p] = set.view(p);
        auto const isas = available_isas();
        std::string const isa = isas[random.below(isas.size())], words = "SmallPairs seed=" + std::to_string(seed);
        Scheme const scheme{scoring};
        SmallPairs small_pairs{scheme, kernel_table(isa)};
        std::vector<SmallPairs::Answer> answers(views.size()), scores(views.size());
        CigarStyle const style = random.chance(0.5) ? CigarStyle::eqx : CigarStyle::m;
        Progress const silent;
        Team team{1};
        Monitor monitor{silent, 1, team};
        small_pairs.align(views, {}, nullptr, scores, monitor);
        std::vector<std::int64_t> known; // of one call in two, and hardly less
        if (random.chance(0.5))
            for (SmallPairs::Answer const & answer : scores)
                known.push_back(answer.score - static_cast<std::int64_t>(random.below(3)));
        small_pairs.align(views, known, &style, answers, monitor);
        for (std::uint64_t p = 0; p < set.count(); ++p) {
            PairResult const expected = reference::align(views[p], scoring, Mode{}, style);
            ASSERT_EQ(answers[p].score, expected.score) << words << " pair " << p << " isa=" << isa;
            ASSERT_EQ(scores[p].score, expected.score) << words << " pair " << p << " isa=" << isa;
            Runs const runs{small_pairs.runs(answers[p]).begin(), small_pairs.runs(answers[p]).end()};
            ASSERT_EQ(cigar_text(runs), cigar_text(expected.runs)) << words << " pair " << p << " isa=" << isa;
            ASSERT_TRUE(small_pairs.runs(scores[p]).empty());
        }
    }
}

} // namespace
} // namespace nwgpu::cpu
