// SPDX-License-Identifier: BSD-3-Clause
// Pairs in lanes, in bands of diagonals (docs/proofs.md, lemmas 33, 38 and 39): forced, from the narrowest band on, for
// pairs of any kind, and chosen by what groups before have lost; the oracle's answers for every mode and instruction
// set.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "cpu/batch/lane_losses.hpp"
#include "path/band.hpp"
#include "reference/oracle.hpp"
#include "support/lane_cases.hpp"
#include "support/schemes.hpp"

namespace nwgpu::cpu {
namespace {

using test::EngineSetup;
using test::PairSet;
using test::Random;
using test::random_sequence;
using test::SequencePair;

// With blocks of 16, 8 and 4, and without any; three have hardly any numbers to spare in 8 bits.
std::vector<Scoring> const & schemes()
{
    static std::vector<Scoring> const all{
        Scoring::uniform(2, 4, {4, 2}),     Scoring::uniform(1, 3, {3, 2}),   Scoring::uniform(1, 1, {0, 1}),
        Scoring::uniform(5, 4, {10, 1}),    Scoring::uniform(1, 0, {2, 1}),   Scoring::uniform(0, 1, {0, 1}),
        Scoring::uniform(6, 9, {15, 4}),    Scoring::uniform(3, 1, {2, 0}),   Scoring::uniform(2, 3, {0, 0}),
        Scoring::uniform(50, 49, {99, 20}), Scoring::uniform(13, 2, {50, 0}), Scoring::uniform(3, 1, {50, 0}),
        Scoring::uniform(2, 3, {40, 1})};
    return all;
}

// paths: where trace bits are made.
enum class Paths { with_scores, from_their_ends };

EngineSetup in_lanes(std::string const & isa, int bands, Paths paths)
{
    EngineSetup setup{.threads = 1, .isa = isa};
    setup.tuning.lanes = 1;
    setup.tuning.bands = bands;
    setup.tuning.max_trace_bytes = paths == Paths::from_their_ends ? 1 : 0; // no matrix is small enough
    return setup;
}

void expect_oracle(PairSet const & set, Scoring const & scoring, Request const & request, int bands,
                   std::string const & words, Paths paths = Paths::with_scores)
{
    std::vector<PairResult> expected;
    for (PairResult const & full : oracle(set, scoring, request.mode, request.style))
        expected.push_back(test::expected_of(full, request));
    for (std::string const & isa : available_isas())
        test::expect_equal(expected, test::run(set, scoring, request, in_lanes(isa, bands, paths)), set,
                           words + " isa=" + isa + " bands=" + std::to_string(bands));
}

Request any_request(Random & random, Mode const & mode)
{
    Request request = test::any_global_request(random);
    request.mode = mode;
    if (random.chance(0.2))
        request.min_score = static_cast<std::int64_t>(random.below(60)) - 20;
    return request;
}

// Few letters, so that many paths are equally good; from equal to unrelated sequences side by side.
TEST(LaneBands, PairsWithManyTies)
{
    for (std::uint64_t seed = 1; seed <= 500; ++seed) {
        Random random{seed};
        std::vector<SequencePair> const pairs = test::tie_rich_lanes(random, seed % 20 == 0);
        Scoring const & scoring = random.pick(schemes());
        PairSet const set{pairs, scoring};
        Request const request = any_request(random, random.pick(test::all_modes()));
        expect_oracle(set, scoring, request, 1, "PairsWithManyTies seed=" + std::to_string(seed));
        if (HasFailure())
            return;
    }
}

// The same, cut down behind their scores: all modes that may be, and others, which go alone.
TEST(LaneBands, PathsFromTheirEnds)
{
    for (std::uint64_t seed = 1; seed <= 500; ++seed) {
        Random random{seed};
        std::vector<SequencePair> const pairs = test::tie_rich_lanes(random, seed % 20 == 0);
        Scoring const & scoring = random.pick(schemes());
        PairSet const set{pairs, scoring};
        Request request = any_request(random, random.pick(test::all_modes()));
        request.output = random.chance(0.8) ? Output::cigar : Output::span;
        expect_oracle(set, scoring, request, random.chance(0.5) ? 1 : 0,
                      "PathsFromTheirEnds seed=" + std::to_string(seed), Paths::from_their_ends);
        if (HasFailure())
            return;
    }
}

// One sequence within the other, with gaps of all lengths, at its begin, its end, or in between.
TEST(LaneBands, PathsAtTheEdgesOfBands)
{
    for (std::uint64_t seed = 1; seed <= 25; ++seed) {
        Random random{seed};
        std::vector<SequencePair> pairs;
        auto const letters = [&](std::uint64_t count) { return random_sequence(random, count, "ACGT"); };
        for (std::uint64_t count = 2 + random.below(68); count > 0; --count) {
            std::string const a = letters(20 + random.below(40)), b = letters(20 + random.below(40)),
                              gap = letters(random.below(30));
            SequencePair pair{a + gap + b, letters(random.below(40)) + a + b + letters(random.below(40))};
            if (random.chance(0.5))
                std::swap(pair.query, pair.target);
            pairs.push_back(pair);
        }
        Scoring const & scoring = random.pick(schemes());
        PairSet const set{pairs, scoring};
        for (Mode const & mode : test::all_modes())
            for (Paths const paths : {Paths::with_scores, Paths::from_their_ends})
                expect_oracle(set, scoring, {mode, Output::cigar}, 1,
                              "PathsAtTheEdgesOfBands seed=" + std::to_string(seed), paths);
        if (HasFailure())
            return;
    }
}

// As many groups that the first ones are told from; a few pairs have a second turn, and some of them lengths of their
// own.
TEST(LaneBands, ReadsChooseTheirBands)
{
    Mode const fitting{.free_target_begin = true, .free_target_end = true}, local{.local = true},
        extend{.extend = true}, extend_left{.extend_left = true};
    for (std::uint64_t const beside : {0, 50}) { // letters of the target
        Random random{beside + 1};
        std::vector<SequencePair> pairs;
        for (std::uint64_t k = 0; k < 700; ++k) {
            std::uint64_t const length = k % 9 == 0 ? 60 + random.below(90) : 150;
            std::string const target = random_sequence(random, length + beside, "ACGT");
            double const divergence = k % 30 == 0 || k / 100 == 3 ? 0.5 : 0.05;
            pairs.push_back(
                {mutated(random, target.substr(random.below(beside + 1), length), "ACGT", divergence), target});
        }
        Scoring const scoring = Scoring::uniform(2, 4, {4, 2});
        PairSet const set{pairs, scoring};
        for (Mode const & mode : beside > 0 ? std::vector{fitting, local} : std::vector{local, extend, extend_left}) {
            std::string const words = "ReadsChooseTheirBands beside=" + std::to_string(beside);
            for (int const bands : {0, -1})
                expect_oracle(set, scoring, {mode, Output::cigar}, bands, words);
            expect_oracle(set, scoring, {mode, Output::cigar}, 0, words, Paths::from_their_ends);
        }
    }
}

SequencePair tiny_pair(Random & random)
{
    std::string const letters = std::string{"ACGT"}.substr(0, 1 + random.below(4));
    std::string const query = random_sequence(random, 1 + random.below(8), letters);
    return {query, random_sequence(random, 1 + random.below(8), letters)};
}

// The best score of all paths that visit a cell of diagonal d, or the border there; none: too low a number.
std::int64_t best_through(PairView const & pair, Scoring const & scoring, Mode const & mode, std::int64_t d)
{
    constexpr std::int64_t none = -1'000'000;
    enum { h, insertion, deletion, states };
    std::uint64_t const rows = pair.m + 1, cols = pair.n + 1;
    std::vector<std::int64_t> score(rows * cols * states * 2, none); // [i][j][state][whether d was visited]
    auto const at = [&](std::uint64_t i, std::uint64_t j, int state, int visited) -> std::int64_t & {
        return score[((i * cols + j) * states + static_cast<std::uint64_t>(state)) * 2 +
                     static_cast<std::uint64_t>(visited)];
    };
    std::int64_t const open = scoring.gap().open, extend = scoring.gap().extend;
    std::int64_t best = none;
    for (std::uint64_t i = 0; i < rows; ++i)
        for (std::uint64_t j = 0; j < cols; ++j) {
            bool const here = static_cast<std::int64_t>(j) - static_cast<std::int64_t>(i) == d;
            auto const raise = [&](int state, int visited, std::int64_t to) {
                std::int64_t & of = at(i, j, state, here ? 1 : visited);
                of = std::max(of, to);
            };
            if (i + j == 0 || mode.begins_anywhere() || (i == 0 && mode.free_target_begin) ||
                (j == 0 && mode.free_query_begin))
                raise(h, 0, 0);
            for (int const visited : {0, 1}) {
                if (i > 0)
                    raise(insertion, visited,
                          std::max(at(i - 1, j, insertion, visited), at(i - 1, j, h, visited) - open) - extend);
                if (j > 0)
                    raise(deletion, visited,
                          std::max(at(i, j - 1, deletion, visited), at(i, j - 1, h, visited) - open) - extend);
                if (i > 0 && j > 0)
                    raise(h, visited,
                          at(i - 1, j - 1, h, visited) + scoring.score(pair.query[i - 1], pair.target[j - 1]));
            }
            for (int const visited : {0, 1})
                at(i, j, h, visited) =
                    std::max({at(i, j, h, visited), at(i, j, insertion, visited), at(i, j, deletion, visited)});
            if (mode.ends_anywhere() || (i == pair.m && j == pair.n) || (i == pair.m && mode.free_target_end) ||
                (j == pair.n && mode.free_query_end))
                best = std::max(best, at(i, j, h, 1));
        }
    return best;
}

// The statement of lemma 38: whatever path visits a diagonal beyond the band scores less.
TEST(LaneBands, PathsBeyondABandScoreLess)
{
    for (std::uint64_t seed = 1; seed <= 4000; ++seed) {
        Random random{seed};
        SequencePair const pair = tiny_pair(random);
        Scoring const & scoring = random.pick(schemes());
        Mode const & mode = random.pick(test::all_modes());
        PairSet const set{{pair}, scoring};
        PairView const view = set.view(0);
        auto const m = static_cast<std::int64_t>(view.m), n = static_cast<std::int64_t>(view.n);
        std::int64_t const best = reference::align(view, scoring, mode, CigarStyle::eqx).score;
        std::int64_t highest = INT64_MIN;
        for (std::int64_t d = -m; d <= n; ++d) {
            std::int64_t const through = best_through(view, scoring, mode, d);
            highest = std::max(highest, through);
            for (std::int64_t score = best - 9; score <= best; ++score) {
                path::Band const band = path::proven_band(view, mode, scoring, score);
                if (d < band.low || band.high < d) {
                    EXPECT_LT(through, score) << "PathsBeyondABandScoreLess seed=" << seed << " diagonal=" << d;
                }
            }
        }
        EXPECT_EQ(highest, best) << "PathsBeyondABandScoreLess seed=" << seed;
        if (HasFailure())
            return;
    }
}

// The statement of lemma 39: so does whatever path visits a diagonal beyond its band, and ends in the last cell.
TEST(LaneBands, PathsToTheLastCellScoreLess)
{
    for (std::uint64_t seed = 1; seed <= 4000; ++seed) {
        Random random{seed};
        SequencePair const pair = tiny_pair(random);
        Scoring const & scoring = random.pick(schemes());
        Mode const begins{.free_query_begin = random.chance(0.5), .free_target_begin = random.chance(0.5)};
        PairSet const set{{pair}, scoring};
        PairView const view = set.view(0);
        auto const m = static_cast<std::int64_t>(view.m), n = static_cast<std::int64_t>(view.n);
        std::int64_t const best = reference::align(view, scoring, begins, CigarStyle::eqx).score;
        for (std::int64_t d = -m; d <= n; ++d) {
            std::int64_t const through = best_through(view, scoring, begins, d);
            for (std::int64_t score = best - 9; score <= best; ++score) {
                path::Band const band = path::proven_band_to_end(view, begins, scoring, score),
                                 wider = path::proven_band(view, begins, scoring, score);
                EXPECT_TRUE(wider.low <= band.low && band.high <= wider.high);
                if (d < band.low || band.high < d) {
                    EXPECT_LT(through, score) << "PathsToTheLastCellScoreLess seed=" << seed << " diagonal=" << d;
                }
            }
        }
        if (HasFailure())
            return;
    }
}

// Gaps so dear that a corner which is one more gap would leave 8 bits: rows come into a band with their block.
TEST(LaneBands, GapsThatFillEightBits)
{
    std::vector<SequencePair> const pairs{
        {"CACAGGATTAATCATGAAGATCGCCTGGGTTGTCTGGCTGCGCGTGTCCA", "CACAGGATTAATCATGAAGATCGCCGGCTGCGCATGTCCA"},
        {"AAAAGGATTGATGTCCACACATGGCATCACTTAATCAACACACATCTGTTTGTCCG",
         "CACATGGCATCACTTAATCAACACACATCTAATGGCAGGTTTGTCCG"}};
    for (Scoring const & scoring : {Scoring::uniform(13, 2, {50, 0}), Scoring::uniform(3, 1, {50, 0})}) {
        PairSet const set{pairs, scoring};
        for (Mode const & mode : test::all_modes())
            expect_oracle(set, scoring, {mode, Output::cigar}, 1, "GapsThatFillEightBits");
    }
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
        Random random{seed};
        std::vector<SequencePair> some;
        for (std::uint64_t count = 8 + random.below(24); count > 0; --count)
            some.push_back(random_pair(random, test::Model::mutated, 40 + random.below(20), 40 + random.below(20),
                                       "ACGT", 0.1 + 0.02 * static_cast<double>(random.below(10))));
        Scoring const scoring = schemes()[schemes().size() - 1 - random.below(3)];
        PairSet const set{some, scoring};
        expect_oracle(set, scoring, any_request(random, random.pick(test::all_modes())), 1,
                      "GapsThatFillEightBits seed=" + std::to_string(seed));
        if (HasFailure())
            return;
    }
}

// So long that they are cut down without being forced to; some unrelated, and some of other lengths.
TEST(LaneBands, LongReadsHaveTheirPathsLater)
{
    Random random{1};
    std::vector<SequencePair> pairs;
    for (std::uint64_t k = 0; k < 150; ++k) {
        std::uint64_t const length = 520 + random.below(200);
        std::string const target = random_sequence(random, length + random.below(300), "ACGT");
        double const divergence = k % 30 == 0 || k / 40 == 1 ? 0.7 : 0.05;
        std::string query =
            mutated(random, target.substr(random.below(target.size() - length + 1), length), "ACGT", divergence);
        if (k % 25 == 7) // its path leaves the rows that have trace bits
            query.erase(100 + random.below(200), 90);
        pairs.push_back({query, target});
    }
    Scoring const scoring = Scoring::uniform(2, 4, {4, 2});
    PairSet const set{pairs, scoring};
    for (Mode const & mode : {Mode{.free_target_begin = true, .free_target_end = true},
                              Mode{.free_query_begin = true, .free_target_end = true}, Mode{.extend = true}})
        expect_oracle(set, scoring, {mode, Output::cigar}, 0, "LongReadsHaveTheirPathsLater");
}

TEST(LaneBands, CellsAreCounted)
{
    for (std::int64_t low = -7; low <= 0; ++low)
        for (std::int64_t high = 0; high <= 7; ++high)
            for (std::uint64_t rows = 1; rows <= 6; ++rows)
                for (std::uint64_t cols = 1; cols <= 6; ++cols) {
                    int count = 0;
                    for (std::uint64_t i = 0; i < rows; ++i)
                        for (std::uint64_t j = 0; j < cols; ++j) {
                            auto const d = static_cast<std::int64_t>(j) - static_cast<std::int64_t>(i);
                            count += low <= d && d <= high;
                        }
                    EXPECT_EQ(cells_in_band(rows, cols, {low, high}), count)
                        << low << ".." << high << " of " << rows << " x " << cols;
                }
}

// Most pairs are alike; a group of which half are different makes bands no quicker.
TEST(LaneBands, LossesAreLearnt)
{
    LaneLosses losses;
    EXPECT_EQ(losses.expected(), 1);
    auto const group = [&](int different) {
        std::vector<LaneLosses::Seen> seen;
        for (int k = 0; k < 64; ++k) {
            double const lost = k < different ? 0.9 : 0.1 + 0.002 * k;
            seen.push_back({lost, 1000 * std::min(1.0, 2 * lost)});
        }
        losses.learn(seen, 1000);
    };
    group(2);
    EXPECT_GT(losses.expected(), 0.15);
    EXPECT_LT(losses.expected(), 0.23);
    group(50);
    EXPECT_EQ(losses.expected(), 1);
}

TEST(LaneBands, LooksInVainAreFew)
{
    LaneLosses losses;
    EXPECT_TRUE(losses.may_look());
    EXPECT_TRUE(losses.may_look()); // by another thread
    losses.end_look(true);
    losses.end_look(true);
    int looks = 0;
    for (int group = 0; group < 100; ++group)
        looks += losses.may_look();
    EXPECT_EQ(looks, 1); // which has not ended
    losses.end_look(false);
    EXPECT_TRUE(losses.may_look());
    EXPECT_TRUE(losses.may_look());
}

} // namespace
} // namespace nwgpu::cpu
