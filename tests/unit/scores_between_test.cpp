// SPDX-License-Identifier: BSD-3-Clause
// Scores of paths through given cells, against those of the parts between, and of the whole.
#include "cpu/pair/scores_between.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "backend/monitor.hpp"
#include "cpu/kernels/kernel_table.hpp"
#include "model/alphabet.hpp"
#include "support/cases.hpp"

namespace nwgpu::cpu {
namespace {

using namespace test;
using path::CommonWord;

// The score of a path through cells of a pair; as many letters apart as is said.
std::int64_t score_through(PairSet const & set, Scoring const & scoring, std::vector<CommonWord> const & cells,
                           std::uint64_t apart, int threads = 1)
{
    Progress const silent;
    Team team{threads};
    Monitor monitor{silent, 1, team};
    Scheme const scheme{scoring};
    ScoresBetween scores{set.view(0), apart};
    scores.add(std::array{CommonWord{}, CommonWord{1, 1}}); // another path beside it
    std::size_t const path = scores.add(cells);
    EXPECT_TRUE(scores.compute(scheme, kernel_table(""), threads, monitor));
    return scores.score(path);
}

SequencePair part_of(SequencePair const & pair, CommonWord const & from, CommonWord const & to)
{
    return {pair.query.substr(from.i, to.i - from.i), pair.target.substr(from.j, to.j - from.j)};
}

// From one corner to the other one, in steps of so many letters at most.
std::vector<CommonWord> random_cells(Random & random, SequencePair const & pair, std::uint64_t most)
{
    std::vector<CommonWord> cells{{}};
    while (cells.back().i < pair.query.size() || cells.back().j < pair.target.size())
        cells.push_back({std::min<std::uint64_t>(pair.query.size(), cells.back().i + random.between(0, most)),
                         std::min<std::uint64_t>(pair.target.size(), cells.back().j + random.between(0, most))});
    return cells;
}

std::vector<std::string> const names{"dna_2_4_4_2", "edit", "linear_1_1_0_2", "BLOSUM62_11_1"};

// Parts are so short that their bands hold all of their cells.
TEST(ScoresBetween, SumOfTheParts)
{
    for (std::string const & name : names)
        for (std::uint64_t seed = 1; seed <= 10; ++seed) {
            Random random{seed};
            test::Scheme const & s = scheme(name);
            std::string const query = random_sequence(random, random.between(1, 600), s.letters);
            PairSet const set{{{query, mutated(random, query, s.letters, 0.1) + "A"}}, s.scoring};
            std::vector<CommonWord> const cells = random_cells(random, set[0], 30);
            std::int64_t sum = 0;
            for (std::size_t k = 1; k < cells.size(); ++k) {
                PairSet const part{{part_of(set[0], cells[k - 1], cells[k])}, s.scoring};
                sum += oracle(part, s.scoring, {})[0].score;
            }
            std::string const words = name + " seed=" + std::to_string(seed);
            for (int const threads : {1, 3})
                EXPECT_EQ(score_through(set, s.scoring, cells, 1, threads), sum) << words;
        }
}

// Whatever the cells, some path has the score; those that are too close to the one before, or go back, are left out.
TEST(ScoresBetween, NoMoreThanTheBestPath)
{
    for (std::string const & name : names)
        for (std::uint64_t seed = 1; seed <= 10; ++seed) {
            Random random{100 + seed};
            test::Scheme const & s = scheme(name);
            std::string const query = random_sequence(random, random.between(200, 900), s.letters);
            PairSet const set{{{query, mutated(random, query, s.letters, 0.05)}}, s.scoring};
            std::int64_t const best = oracle(set, s.scoring, {})[0].score;
            std::vector<CommonWord> cells = random_cells(random, set[0], 60);
            CommonWord const end = cells.back();
            std::string const words = name + " seed=" + std::to_string(100 + seed);
            EXPECT_EQ(score_through(set, s.scoring, cells, 100'000), score_through(set, s.scoring, {{}, end}, 1))
                << words;
            for (std::size_t k = 0; k < 10; ++k)
                cells.insert(cells.begin() + 1 + static_cast<std::ptrdiff_t>(random.below(cells.size() - 1)),
                             {random.below(end.i + 50), random.below(end.j + 50)});
            for (std::uint64_t const apart : {1, 40, 200})
                EXPECT_LE(score_through(set, s.scoring, cells, apart), best) << words << " apart=" << apart;
        }
}

// Cells before and behind a long gap, one of few letters between, cut it out: the rest of the path has narrow bands.
TEST(ScoresBetween, LongGaps)
{
    test::Scheme const & s = scheme("dna_2_4_4_2");
    Random random{9};
    std::string const query = random_sequence(random, 40'000, s.letters),
                      inserted = random_sequence(random, 9000, "ACGT");
    for (bool const swapped : {false, true}) {
        SequencePair pair{query, query.substr(0, 20'000) + inserted + query.substr(20'000)};
        std::vector<CommonWord> cells{{}, {10'000, 10'000}, {19'900, 19'900}, {20'100, 29'100}, {40'000, 49'000}};
        if (swapped) {
            std::swap(pair.query, pair.target);
            for (CommonWord & cell : cells)
                std::swap(cell.i, cell.j);
        }
        PairSet const set{{pair}, s.scoring};
        EXPECT_EQ(score_through(set, s.scoring, cells, 100'000), 2 * 40'000 - 4 - 2 * 9000);
        // Without them, so many cells are left for one thread that the path is two gaps.
        EXPECT_EQ(score_through(set, s.scoring, {cells.front(), cells.back()}, 100'000),
                  -4 - 2 * 40'000 - 4 - 2 * 49'000);
    }
}

// Of long similar pairs words find a path that scores hardly less than the best one; of others there are none.
TEST(ScoresBetween, ByWords)
{
    Progress const silent;
    Team team{2};
    Monitor monitor{silent, 1, team};
    for (std::string const name : {"dna_2_4_4_2", "edit", "wfa_0_4_6_2", "linear_1_1_0_2", "BLOSUM62_11_1"}) {
        test::Scheme const & s = scheme(name);
        Scheme const reduced{s.scoring};
        auto const by_words = [&](std::string const & query, std::string const & target, std::int64_t * best) {
            PairSet const set{{{query, target}}, s.scoring};
            if (best)
                *best = run(set, s.scoring, {Mode{}, Output::score, CigarStyle::eqx}, {})[0].score;
            return score_by_words(set.view(0), reduced, kernel_table(""), 2, monitor);
        };
        Random random{1};
        std::string const query = random_sequence(random, 100'000, s.letters);
        std::string target = mutated(random, query, s.letters, 0.05);
        target.insert(30'000, random_sequence(random, 3000, s.letters)); // beyond bands of parts without it
        std::int64_t best = 0;
        auto const score = by_words(query, target, &best);
        ASSERT_TRUE(score) << name;
        EXPECT_LE(*score, best) << name;
        EXPECT_GE(*score, best - 400) << name;
        EXPECT_FALSE(by_words(query, random_sequence(random, 100'000, s.letters), nullptr)) << name;
        EXPECT_FALSE(by_words(query.substr(0, 50'000), target.substr(0, 50'000), nullptr)) << name;
    }
}

} // namespace
} // namespace nwgpu::cpu
