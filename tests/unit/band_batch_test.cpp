// SPDX-License-Identifier: BSD-3-Clause
// Pairs in lanes, in proven bands (docs/proofs.md, lemma 33), forced for pairs of any kind and number, from the
// narrowest band on: the oracle's answers for every instruction set, whatever lies in the other lanes.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "cpu/batch/band_batch.hpp"
#include "cpu/kernels/kernel_table.hpp"
#include "support/lane_cases.hpp"

namespace nwgpu::cpu {
namespace {

using test::EngineSetup;
using test::PairSet;
using test::Random;
using test::random_sequence;
using test::SequencePair;

// With blocks of 16, 8 and 4; the last has the greatest numbers that fit.
std::vector<Scoring> const & schemes()
{
    static std::vector<Scoring> const all{Scoring::uniform(2, 4, {4, 2}),   Scoring::uniform(0, 4, {6, 2}),
                                          Scoring::uniform(1, 3, {3, 2}),   Scoring::uniform(0, 1, {0, 1}),
                                          Scoring::uniform(5, 4, {10, 1}),  Scoring::uniform(1, 0, {2, 1}),
                                          Scoring::uniform(6, 9, {15, 4}),  Scoring::uniform(9, 8, {30, 7}),
                                          Scoring::uniform(13, 2, {50, 0}), Scoring::uniform(2, 3, {40, 1})};
    return all;
}

EngineSetup forced(std::string const & isa, int bands = 1)
{
    EngineSetup setup{.threads = 1, .isa = isa};
    setup.tuning.bands = bands;
    setup.tuning.bits = -1;
    return setup;
}

void expect_oracle(PairSet const & set, Scoring const & scoring, Request const & request, std::string const & words)
{
    test::expect_oracle_of_all_isas(
        set, scoring, request, [](std::string const & isa) { return forced(isa); }, words);
}

TEST(BandBatch, TakesTheSchemesOfThisTest)
{
    for (Scoring const & scoring : schemes())
        EXPECT_TRUE(BandBatch::takes(Scheme{scoring}));
    EXPECT_FALSE(BandBatch::takes(Scheme{Scoring::uniform(50, 49, {99, 20})}));
    EXPECT_FALSE(BandBatch::takes(Scheme{Scoring::uniform(0, 1, {1, 0})})) << "no score proves a band";
}

// Few letters, so that many paths are equally good; from equal to unrelated sequences side by side.
TEST(BandBatch, PairsWithManyTies)
{
    for (std::uint64_t seed = 1; seed <= 400; ++seed) {
        Random random{seed};
        std::vector<SequencePair> const pairs = test::tie_rich_lanes(random, seed % 20 == 0);
        Scoring const & scoring = random.pick(schemes());
        PairSet const set{pairs, scoring};
        Request request = test::any_global_request(random);
        if (random.chance(0.2))
            request.min_score = static_cast<std::int64_t>(random.below(40)) - 20;
        expect_oracle(set, scoring, request, "PairsWithManyTies seed=" + std::to_string(seed));
        if (HasFailure())
            return;
    }
}

// A gap and one back, or none, so that paths run along the edges of bands, and of the diagonals that are kept.
TEST(BandBatch, PathsAtTheEdgesOfBands)
{
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        Random random{seed};
        Scoring const & scoring = random.pick(schemes());
        std::uint64_t const width = random.pick(std::vector<std::uint64_t>{4, 8, 16, 32, 48, 64});
        std::vector<SequencePair> pairs;
        for (std::uint64_t gap = width - 3; gap <= width + 2; ++gap)
            for (std::uint64_t const back : {std::uint64_t{0}, gap - 1, gap, gap + 1}) {
                auto const letters = [&](std::uint64_t count) { return random_sequence(random, count, "ACGT"); };
                std::string const begin = letters(random.below(30)), end = letters(random.below(30)),
                                  middle = letters(2 * gap + random.below(3 * gap)),
                                  a = begin + letters(gap) + middle + end, b = begin + middle + letters(back) + end;
                pairs.push_back({a, b});
                pairs.push_back({b, a});
            }
        PairSet const set{pairs, scoring};
        expect_oracle(set, scoring, {Mode{}, Output::cigar}, "PathsAtTheEdgesOfBands seed=" + std::to_string(seed));
        if (HasFailure())
            return;
    }
}

TEST(BandBatch, LengthsAtTheEdgesOfBlocks)
{
    Random random{2};
    std::vector<SequencePair> pairs;
    for (std::uint64_t const m : {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 257})
        for (std::uint64_t const n : {m, m + 1, m + 7, m + 16, m + 33, m > 8 ? m - 8 : m}) {
            pairs.push_back({random_sequence(random, m, "ACGT"), random_sequence(random, n, "ACGT")});
            pairs.push_back({std::string(m, 'A'), std::string(n, 'A')});
            pairs.push_back({std::string(m, 'A'), std::string(n, 'C')});
            auto mutated = random_pair(random, test::Model::mutated, m, n, "ACGT", 0.1);
            if (!mutated.query.empty() && !mutated.target.empty())
                pairs.push_back(mutated);
        }
    for (Scoring const & scoring : schemes()) {
        PairSet const set{pairs, scoring};
        expect_oracle(set, scoring, {Mode{}, Output::cigar}, "LengthsAtTheEdgesOfBlocks");
    }
}

// As long as lanes take them, and longer; chosen by itself and not at all: the same answers.
TEST(BandBatch, LongPairs)
{
    Random random{4};
    for (Scoring const & scoring : schemes())
        for (double const divergence : {0.01, 0.05, 0.15}) {
            std::vector<SequencePair> pairs;
            for (std::uint64_t k = 0; k < 150; ++k)
                pairs.push_back(random_pair(random, test::Model::mutated,
                                            k < 140 ? 700 : BandBatch::most_letters - 5 + k - 140, 700, "ACGT",
                                            k % 20 == 0 ? 0.3 : divergence));
            PairSet const set{pairs, scoring};
            Request const request{Mode{}, Output::cigar};
            auto const expected = test::run(set, scoring, request, forced("", -1));
            for (int const bands : {0, 1})
                test::expect_equal(expected, test::run(set, scoring, request, forced("", bands)), set,
                                   "LongPairs divergence=" + std::to_string(divergence) +
                                       " bands=" + std::to_string(bands));
        }
}

// Groups of all lengths and divergences, which any number of threads take: the same answers.
TEST(BandBatch, ThreadsShareGroups)
{
    Random random{6};
    std::vector<SequencePair> pairs;
    for (std::uint64_t k = 0; k < 1500; ++k)
        pairs.push_back(random_pair(random, test::Model::mutated, k % 3 == 0 ? 250 : 80 + random.below(500), 300,
                                    "ACGT",
                                    k % 50 == 0  ? 0.4
                                    : k % 7 == 0 ? 0.12
                                                 : 0.05));
    for (std::uint64_t k = 0; k < 60; ++k) { // that end beside their neighbours
        std::string const a = random_sequence(random, 400, "ACGT");
        pairs.push_back({a, a.substr(0, 350 - k)});
    }
    Scoring const scoring = Scoring::uniform(2, 4, {4, 2});
    PairSet const set{pairs, scoring};
    Request const request{Mode{}, Output::cigar};
    auto const expected = test::run(set, scoring, request, forced("", -1));
    for (int const threads : {2, 3, 16})
        for (int const bands : {0, 1}) {
            EngineSetup setup = forced("", bands);
            setup.threads = threads;
            test::expect_equal(expected, test::run(set, scoring, request, setup), set,
                               "threads=" + std::to_string(threads) + " bands=" + std::to_string(bands));
        }
}

// A few long pairs that differ more than all others: threads that have nothing else to do take them, one by one.
TEST(BandBatch, ThreadsTakeLonePairs)
{
    Random random{7};
    std::vector<SequencePair> pairs;
    for (std::uint64_t k = 0; k < 200; ++k)
        pairs.push_back(
            random_pair(random, test::Model::mutated, 2150 + k, 2150 + k, "ACGT", k % 25 == 3 ? 0.13 : 0.03));
    Scoring const scoring = Scoring::uniform(2, 4, {4, 2});
    PairSet const set{pairs, scoring};
    for (Output const output : {Output::score, Output::cigar}) {
        Request const request{Mode{}, output};
        auto const expected = test::run(set, scoring, request, forced("", -1));
        for (int const threads : {1, 2, 3, 16})
            test::expect_equal(expected, test::run(set, scoring, request, {.threads = threads}), set,
                               "threads=" + std::to_string(threads));
    }
}

struct OneThread {
    OneThread(std::uint64_t length, double divergence, std::uint64_t count = 128)
    {
        Random random{5};
        for (std::uint64_t p = 0; p < count; ++p) {
            pairs.push_back(random_pair(random, test::Model::mutated, length, length, "ACGT", divergence));
            all.push_back(p);
        }
    }

    // As BandBatch::keep_others().
    std::size_t align(PairSet const & set, KernelTable const & kernels, Request const & request, bool forced,
                      std::vector<std::uint64_t> & open, BandMemory & memory)
    {
        Batch const batch = set.batch();
        BandBatch bands{scheme, kernels, request, forced, batch, open, nullptr};
        bands.work(memory, nowhere, monitor);
        return bands.keep_others();
    }

    std::vector<SequencePair> pairs;
    std::vector<std::uint64_t> all;
    Scoring const scoring = Scoring::uniform(2, 4, {4, 2});
    Scheme const scheme{scoring};
    Progress const silent;
    Team team{1};
    Monitor monitor{silent, 1, team};
    AnswerWriter nowhere{nullptr};
};

// What a thread holds is within what is said, and most pairs have their answers.
TEST(BandBatch, MemoryIsWithinItsBound)
{
    for (std::uint64_t const length : {60, 150, 500, 3000})
        for (bool const forced : {false, true}) {
            OneThread one{length, 0.05};
            PairSet const set{one.pairs, one.scoring};
            std::uint64_t longest = 0;
            for (std::uint64_t p = 0; p < set.count(); ++p)
                longest = std::max({longest, set.view(p).m, set.view(p).n});
            Request const request{Mode{}, Output::cigar};
            for (std::string const & isa : available_isas()) {
                if (isa.starts_with("emu"))
                    continue;
                BandMemory memory;
                auto open = one.all;
                std::size_t const left = one.align(set, kernel_table(isa), request, forced, open, memory);
                EXPECT_LT(left, length < 200 && !forced ? set.count() + 1 : set.count() / 4)
                    << isa << " length=" << length << " forced=" << forced;
                EXPECT_LE(memory.bytes(), BandGroup::workspace(longest)) << isa << " length=" << length;
            }
        }
}

// Of long pairs; short ones may go in other lanes, with others.
TEST(BandBatch, LonePairsAreLongOnes)
{
    for (std::uint64_t const length : {700, 2100}) {
        OneThread one{length, 0.03};
        Random random{8};
        for (std::uint64_t const p : {17, 90})
            one.pairs[p] = random_pair(random, test::Model::mutated, length, length, "ACGT", 0.14);
        PairSet const set{one.pairs, one.scoring};
        Request const request{Mode{}, Output::cigar};
        BandMemory memory;
        auto open = one.all;
        Batch const batch = set.batch();
        BandBatch bands{one.scheme, kernel_table(""), request, false, batch, open, &one.team};
        bands.work(memory, one.nowhere, one.monitor);
        std::size_t const without_turn = bands.lonely();
        EXPECT_GE(without_turn, 2u);
        std::vector<std::uint64_t> lone;
        while (auto const pair = bands.take_lone(one.monitor))
            lone.push_back(*pair);
        EXPECT_EQ(lone.size(), length == 700 ? 0 : without_turn);
        EXPECT_EQ(bands.lonely(), length == 700 ? without_turn : 0);
        std::size_t const left = bands.keep_others();
        for (std::uint64_t const pair : lone)
            EXPECT_EQ(std::count(open.begin(), open.begin() + static_cast<std::ptrdiff_t>(left), pair), 0) << pair;
    }
}

// Of few groups, whose pairs without a proof would have no second turn, hardly any needs one.
TEST(BandBatch, BandsOfFewGroupsAreWide)
{
    OneThread one{800, 0.05, 1024};
    PairSet const set{one.pairs, one.scoring};
    Request const request{Mode{}, Output::score};
    Batch const batch = set.batch();
    Team team{64};
    for (std::string const & isa : available_isas()) {
        if (isa.starts_with("emu"))
            continue;
        BandMemory memory;
        auto open = one.all;
        BandBatch bands{one.scheme, kernel_table(isa), request, false, batch, open, &team};
        bands.work(memory, one.nowhere, one.monitor);
        EXPECT_LT(bands.lonely(), set.count() / 100) << isa;
        EXPECT_EQ(bands.keep_others(), bands.lonely()) << isa;
    }
}

// A call that was stopped leaves its pairs as they were.
TEST(BandBatch, StopsBetweenGroups)
{
    OneThread one{300, 0.05};
    PairSet const set{one.pairs, one.scoring};
    Request const request{Mode{}, Output::cigar};
    for (bool const stops : {false, true}) {
        if (stops)
            one.monitor.stop();
        BandMemory memory;
        auto open = one.all;
        std::size_t const left = one.align(set, kernel_table(""), request, false, open, memory);
        EXPECT_EQ(left == set.count(), stops);
        if (stops) {
            EXPECT_EQ(open, one.all);
        }
    }
}

} // namespace
} // namespace nwgpu::cpu
