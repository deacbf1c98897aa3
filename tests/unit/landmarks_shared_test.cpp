// SPDX-License-Identifier: BSD-3-Clause
// Pairs whose landmarks (docs/proofs.md, lemma 43) several threads look for, and whose boxes they share: the same as
// with one thread.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include "cpu/landmarks/landmark_row.hpp"
#include "cpu/pair/word_places.hpp"
#include "support/by_landmarks.hpp"

namespace nwgpu::cpu {
namespace {

using test::by_landmarks;
using test::PairSet;
using test::Random;
using test::random_pair;
using test::random_sequence;
using test::SequencePair;

using Place = std::tuple<std::uint32_t, std::int64_t>;
std::vector<Place> places_of(WordPlaces const & places)
{
    std::vector<Place> all;
    for (WordPlaces::Place const & place : places.all)
        if (places.count[place.word] < WordPlaces::most)
            all.emplace_back(place.word, place.diagonal);
    return all;
}

// In the order of the target, whatever part of it a thread has; of words with many places not all are noted.
TEST(WordPlaces, OfPartsOfTheTargetAreTheSame)
{
    Scoring const scoring = Scoring::uniform(2, 4, {4, 2});
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
        Random random{seed};
        std::uint64_t const letters = 150000 + random.below(100000);
        SequencePair pair = random_pair(random, test::Model::mutated, letters, letters, "ACGT", 0.05);
        std::string const again = pair.query.substr(random.below(pair.query.size() / 2), 3000);
        for (std::uint64_t copies = random.below(4); copies > 0; --copies)
            pair.target.insert(random.below(pair.target.size()), again);
        PairSet const set{{pair}, scoring};
        PairView const view = set.view(0);
        auto const m = static_cast<std::int64_t>(view.m), n = static_cast<std::int64_t>(view.n);
        auto const half_width = static_cast<std::int64_t>(random.below(30000));
        path::Band const bands[]{
            {-m, n}, {std::min<std::int64_t>(0, n - m) - half_width, half_width}, {7000, 90000}, {-90000, -7000}};
        path::Band const & band = bands[random.below(std::size(bands))];
        for (int threads : {2, 3, 7}) {
            Team team{threads};
            WordPlaces const one = find_places(view, band), several = find_places(view, band, nullptr, &team),
                             one_long = find_long_places(view, band, nullptr),
                             several_long = find_long_places(view, band, nullptr, &team);
            std::string const words = "WordPlaces seed=" + std::to_string(seed) + " threads=" + std::to_string(threads);
            ASSERT_EQ(one.letters, several.letters) << words;
            ASSERT_FALSE(one.too_many || several.too_many) << words;
            ASSERT_EQ(one.count, several.count) << words;
            ASSERT_EQ(places_of(one), places_of(several)) << words;
            ASSERT_EQ(one_long.count, several_long.count) << words;
            ASSERT_EQ(places_of(one_long), places_of(several_long)) << words;
        }
    }
}

// In pieces, whose seams lie elsewhere where more letters come first: the same words are proven.
TEST(LandmarkRow, SeamsOfPiecesProveTheSameWords)
{
    Scoring const scoring = Scoring::uniform(2, 4, {4, 2});
    constexpr std::uint64_t letters = 400'000, more = 8 * 777, like_before = 6000;
    path::Band const band{-2000, 2000};
    Progress const silent;
    Team one{1}, several{7};
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        Random random{seed};
        std::string const what = "LandmarkRow seed=" + std::to_string(seed),
                          begin = random_sequence(random, more, "ACGT");
        SequencePair pair = random_pair(random, test::Model::mutated, letters, letters, "ACGT", 0.04);
        pair.target.insert(150000, random_sequence(random, 40, "ACGT"));
        PairSet const set{{pair, {begin + pair.query, begin + pair.target}}, scoring};
        Monitor monitor{silent, 1, one}, shared{silent, 1, several};
        LandmarkRow row{set.view(0), scoring, nullptr}, later{set.view(1), scoring, &several};
        ASSERT_TRUE(row.find(band, monitor) && later.find(band, shared)) << what;
        auto const first_from = [](LandmarkRow const & its, std::uint64_t i) {
            std::size_t k = 0;
            while (its.box(k).i_end < i)
                ++k;
            return k;
        };
        std::size_t const first = first_from(row, like_before), first_later = first_from(later, more + like_before),
                          count = row.boxes() - first;
        ASSERT_EQ(count, later.boxes() - first_later) << what;
        std::vector<std::int64_t> losses(row.boxes()), later_losses(later.boxes());
        for (std::size_t k = 0; k < count; ++k) {
            Box const box = row.box(first + k), other = later.box(first_later + k);
            ASSERT_TRUE(k == 0 || (box.i + more == other.i && box.j + more == other.j)) << what << " " << k;
            ASSERT_TRUE(box.i_end + more == other.i_end && box.j_end + more == other.j_end) << what << " " << k;
            if (k > 0 && random.below(3) == 0)
                losses[first + k] = later_losses[first_later + k] = static_cast<std::int64_t>(random.below(12));
        }
        for (LandmarkRow::Ends const ends : {LandmarkRow::Ends{}, {true, false, false}, {true, true, true}}) {
            ASSERT_TRUE(row.prove(losses, ends, monitor) && later.prove(later_losses, ends, shared)) << what;
            std::size_t proven = 0;
            for (std::size_t k = 0; k + 1 < count; ++k) {
                ASSERT_EQ(row.is_crossed(first + k), later.is_crossed(first_later + k)) << what << " " << k;
                proven += row.is_crossed(first + k);
            }
            EXPECT_TRUE(proven > count / 100 && proven < count) << what << " " << proven;
        }
    }
}

// The path is known: changes lie so far apart, and letters beside the gaps differ.
TEST(LandmarksShared, PairsOfManyMillionLetters)
{
    Scoring const scoring = Scoring::uniform(2, 4, {4, 2});
    constexpr std::uint64_t letters = 17'000'000, apart = 5000, gap_at = 7'002'500, gap = 6000;
    Random random{8};
    std::string const query = random_sequence(random, letters, "ACGT");
    std::string target = query, cigar;
    for (std::uint64_t at = apart; at < letters; at += apart)
        target[at] = target[at] == 'A' ? 'C' : 'A';
    std::string inserted = random_sequence(random, gap, "ACGT");
    inserted.front() = query[gap_at] == 'G' ? 'T' : 'G';
    inserted.back() = query[gap_at - 1] == 'G' ? 'T' : 'G';
    target.insert(gap_at, inserted);
    for (std::uint64_t at = 0; at < letters; at += apart) {
        std::uint64_t const equal = apart - (at > 0);
        cigar += at > 0 ? "1X" : "";
        cigar += at < gap_at && gap_at < at + apart ? std::to_string(gap_at - at - 1) + "=" + std::to_string(gap) +
                                                          "D" + std::to_string(at + apart - gap_at) + "="
                                                    : std::to_string(equal) + "=";
    }
    PairSet const set{{{query, target}}, scoring};
    auto const result = by_landmarks(set, scoring, {Mode{}, Output::cigar}, available_isas().front(), {}, 3);
    ASSERT_TRUE(result.has_value());
    constexpr std::int64_t changes = letters / apart - 1;
    EXPECT_EQ(result->score,
              2 * static_cast<std::int64_t>(letters) - 6 * changes - 4 - 2 * static_cast<std::int64_t>(gap));
    EXPECT_TRUE(cigar_text(result->runs) == cigar) << cigar_text(result->runs).substr(0, 200);
}

TEST(LandmarksShared, AnyNumberOfThreadsHasTheSame)
{
    Scoring const scoring = Scoring::uniform(2, 4, {4, 2});
    Random random{5};
    std::string const isa = available_isas().front();
    Mode const fitting{.free_target_begin = true, .free_target_end = true}, local{.local = true};
    for (double const divergence : {0.05, 0.01})
        for (Mode const & mode : {Mode{}, fitting, local}) {
            SequencePair pair = random_pair(random, test::Model::mutated, 200000, 200000, "ACGT", divergence);
            if (!mode.global())
                pair.target =
                    random_sequence(random, 3000, "ACGT") + pair.target + random_sequence(random, 2000, "ACGT");
            PairSet const set{{pair}, scoring};
            auto const one = by_landmarks(set, scoring, {mode, Output::cigar}, isa);
            ASSERT_TRUE(one) << test::name(mode) << " " << divergence;
            auto const expected =
                test::run(set, scoring, {mode, Output::cigar}, {.threads = 2, .tuning = {.furthest = -1}});
            EXPECT_EQ(one->score, expected[0].score);
            EXPECT_EQ(one->span, expected[0].span);
            EXPECT_TRUE(one->runs == expected[0].runs) << test::name(mode) << " " << divergence;
            for (int threads : {2, 3, 7, 16})
                for (std::uint64_t const boxes : {ByLandmarks::Limits{}.boxes_at_once, std::uint64_t{37}}) {
                    auto const several =
                        by_landmarks(set, scoring, {mode, Output::cigar}, isa, {.boxes_at_once = boxes}, threads);
                    ASSERT_TRUE(several) << test::name(mode) << " " << divergence;
                    EXPECT_EQ(one->score, several->score);
                    EXPECT_EQ(one->span, several->span);
                    EXPECT_TRUE(one->runs == several->runs) << test::name(mode) << " " << divergence << " " << threads;
                }
        }
}

// With free ends the inner sequence may be the longer one.
TEST(LandmarksShared, InnerSequencesMayBeLonger)
{
    Scoring const scoring = Scoring::uniform(2, 4, {4, 2});
    Random random{6};
    std::string const isa = available_isas().front();
    Mode const fitting{.free_target_begin = true, .free_target_end = true};
    std::string const outer = random_sequence(random, 3000, "ACGT");
    std::string inner = outer;
    for (int k = 0; k < 60; ++k)
        test::change_letters(random, inner, random.below(inner.size() - 4), "ACGT", 4);
    inner.insert(1500, random_sequence(random, 20, "ACGT"));
    PairSet const set{{{inner, outer}}, scoring};
    auto const found = by_landmarks(set, scoring, {fitting, Output::cigar}, isa);
    ASSERT_TRUE(found);
    PairResult const expected = reference::align(set.view(0), scoring, fitting, CigarStyle::eqx);
    EXPECT_EQ(found->score, expected.score);
    EXPECT_EQ(found->span, expected.span);
    EXPECT_EQ(cigar_text(found->runs), cigar_text(expected.runs));
}

} // namespace
} // namespace nwgpu::cpu
