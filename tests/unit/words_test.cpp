// SPDX-License-Identifier: BSD-3-Clause
// Words of the query that a path cannot have as they are: lower bounds, and fronts that leave out diagonals by them
// (docs/proofs.md, lemma 29).
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "cpu/furthest/seed_bound.hpp"
#include "reference/oracle.hpp"
#include "support/cases.hpp"
#include "unit/forced_furthest.hpp"

namespace nwgpu::cpu {
namespace {

using test::PairSet;
using test::Random;
using test::random_sequence;

// Words leave out most points, and no cell of a best path.
TEST(Words, LeaveOutDiagonals)
{
    for (Scoring const & scoring : {affine, edit, Scoring::uniform(0, 4, {6, 2})})
        for (std::uint64_t seed = 1; seed <= 3; ++seed) {
            Random random{seed};
            std::string const query = random_sequence(random, 30000, "ACGT");
            PairSet const set{{{query, test::mutated(random, query, "ACGT", 0.008)}}, scoring};
            PairView const pair = set.view(0);
            Penalties const p = Penalties::of(scoring);
            FurthestPlan plan = forced_plan(pair, p, std::int64_t{1} << 40);
            plan.first_points = 1000;
            plan.lag = 200;
            plan.spacing = 256;
            auto const expected = align(pair, scoring, forced_plan(pair, p, std::int64_t{1} << 40));
            ASSERT_TRUE(expected);
            std::int64_t const penalty =
                (p.match * static_cast<std::int64_t>(pair.m + pair.n) - 2 * expected->score) / p.unit;
            plan.word_bits = 4;
            plan.most_points = points_up_to(penalty, p) / (p.unit_costs() ? 2 : 4);
            auto const result = align(pair, scoring, plan);
            ASSERT_TRUE(result) << seed;
            EXPECT_EQ(*result, *expected) << "LeaveOutDiagonals seed=" << seed;
        }
}

// Sequences with one change per word, or none, or one between two words: words tell almost all that a path costs.
std::pair<std::string, std::string> changed_words(Random & random, std::size_t letters)
{
    std::string const query = random_sequence(random, letters * (1 + random.below(60 / letters)), "ACGT");
    auto const often = [&] { return random.chance(0.3) ? 0.8 : random.chance(0.5) ? 0.2 : 0.0; };
    double const mismatches = often(), gaps = often(), neighbours = often();
    std::string target;
    for (std::size_t k = 0; k < query.size(); k += letters) {
        std::string word = query.substr(k, letters);
        std::size_t const at = random.below(letters);
        if (random.chance(mismatches))
            word[at] = random_sequence(random, 1, "ACGT")[0];
        else if (random.chance(gaps))
            word.erase(at, 1 + random.below(3));
        else if (random.chance(gaps))
            word.insert(at, random_sequence(random, 1 + random.below(3), "ACGT"));
        else if (random.chance(neighbours) && !target.empty()) { // a letter of this word and one of the word before
            target.pop_back();
            word.erase(0, 1);
        }
        target += word;
    }
    return {query, target + random_sequence(random, 1 + random.below(3), "ACGT")};
}

Scoring random_scoring(Random & random)
{
    auto const below = [&](std::uint64_t n) { return static_cast<std::int64_t>(random.below(n)); };
    return Scoring::uniform(below(2), 1 + below(6), {random.chance(0.4) ? 0 : below(6), 1 + below(4)});
}

TEST(Words, LeaveOutNoBestPath)
{
    for (std::uint64_t seed = 1; seed <= 30000; ++seed) {
        Random random{seed};
        Scoring const scoring = random_scoring(random);
        int const bits = static_cast<int>(2 + random.below(2));
        auto const [query, target] = changed_words(random, std::size_t{1} << bits);
        PairSet const set{{{query, target}}, scoring};
        PairView const pair = set.view(0);
        FurthestPlan plan = forced_plan(pair, Penalties::of(scoring), std::int64_t{1} << 24);
        plan.first_points = 1 + random.below(30);
        plan.lag = 1 << 20;
        plan.word_bits = bits;
        plan.spacing = random.chance(0.5) ? 1 : static_cast<std::int64_t>(2 + random.below(12));
        auto const result = align(pair, scoring, plan);
        std::string const words = "LeaveOutNoBestPath seed=" + std::to_string(seed);
        ASSERT_TRUE(result) << words;
        ASSERT_EQ(*result, reference::align(pair, scoring, Mode{})) << words;
    }
}

// Of all cells, from the begins of both sequences; [i][j].
using Matrix = std::vector<std::vector<std::int64_t>>;
Matrix penalties_of_cells(std::string const & query, std::string const & target, Penalties const & p)
{
    constexpr std::int64_t far = 1 << 30;
    Matrix best(query.size() + 1, std::vector<std::int64_t>(target.size() + 1, far)), e = best, f = best;
    best[0][0] = 0;
    for (std::size_t i = 0; i <= query.size(); ++i)
        for (std::size_t j = 0; j <= target.size(); ++j) {
            if (j > 0)
                e[i][j] = std::min(best[i][j - 1] + p.open, e[i][j - 1]) + p.extend;
            if (i > 0)
                f[i][j] = std::min(best[i - 1][j] + p.open, f[i - 1][j]) + p.extend;
            if (i > 0 && j > 0)
                best[i][j] = best[i - 1][j - 1] + (query[i - 1] == target[j - 1] ? 0 : p.mismatch);
            best[i][j] = std::min({i + j == 0 ? 0 : best[i][j], e[i][j], f[i][j]});
        }
    return best;
}

// What is told of the rest of a path is not above what it costs, of any cell on a path that costs no more than `total`.
// Words that are passed, too, are those whose begins have lower penalties than the cell.
TEST(Words, TellLowerBounds)
{
    std::int64_t told = 0, told_of_passed = 0;
    for (std::uint64_t seed = 1; seed <= 4000; ++seed) {
        Random random{seed};
        Penalties const p = Penalties::of(random_scoring(random));
        int const bits = static_cast<int>(2 + random.below(2));
        auto const [query, target] = changed_words(random, std::size_t{1} << bits);
        Matrix const from_begin = penalties_of_cells(query, target, p),
                     to_end = penalties_of_cells({query.rbegin(), query.rend()}, {target.rbegin(), target.rend()}, p);
        std::int64_t const best = from_begin.back().back(), total = best + static_cast<std::int64_t>(random.below(9));
        PairSet const set{{{query, target}}, affine};
        SeedBound seeds;
        Words words = seeds.bound(set.view(0), p, total, bits);
        for (std::size_t i = 0; i <= query.size(); ++i)
            for (std::size_t j = 0; j <= target.size(); ++j) {
                std::int64_t const penalty = from_begin[i][j], rest = to_end[query.size() - i][target.size() - j];
                if (penalty + rest > total)
                    continue;
                auto const row = static_cast<std::int64_t>(i);
                words.passed = 0;
                EXPECT_LE(words.rest(row), rest) << "TellLowerBounds seed=" << seed << " i=" << i << " j=" << j;
                told += words.rest(row);
                if (penalty + rest > best)
                    continue;
                for (; words.passed < words.count; ++words.passed) {
                    std::int64_t const k = words.diagonals[words.passed], begin = words.passed << bits;
                    if (k != Words::lost && k != Words::often &&
                        from_begin[static_cast<std::size_t>(begin)][static_cast<std::size_t>(begin + k)] >= penalty)
                        break;
                }
                EXPECT_LE(words.rest(row), rest) << "TellLowerBounds seed=" << seed << " i=" << i << " j=" << j;
                told_of_passed += words.rest(row);
            }
    }
    EXPECT_GT(told, 100000);
    EXPECT_GT(told_of_passed, 100000);
}

TEST(Words, OccurOften)
{
    Penalties const p = Penalties::of(affine);
    std::string const unit = "ACCTGATTACAGGCAT";
    std::string tandem;
    while (tandem.size() < 4000)
        tandem += unit;
    PairSet const set{{{tandem, tandem + "A"}, {std::string(20000, 'A'), std::string(20001, 'A')}}, affine};
    SeedBound seeds;
    Words const words = seeds.bound(set.view(0), p, 7 + 2 * 16 * p.extend);
    ASSERT_EQ(words.count, 250);
    EXPECT_EQ(words.rest(0), 0);
    EXPECT_EQ(words.diagonals[100], Words::often);
    EXPECT_EQ(seeds.bound(set.view(1), p, 7).rest(0), 0);
    EXPECT_LE(seeds.bytes(), SeedBound::bytes_for(4000) + SeedBound::bytes_for(20000));
}

} // namespace
} // namespace nwgpu::cpu
