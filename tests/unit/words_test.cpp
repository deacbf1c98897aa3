// SPDX-License-Identifier: BSD-3-Clause
// Words of the query that a path cannot have as they are: lower bounds, and fronts that leave out diagonals by them
// (docs/proofs.md, lemma 29).
#include <gtest/gtest.h>

#include <string>

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

// What is told of the rest of a path is not above what it costs, of any cell on a path that costs no more than `total`.
TEST(Words, TellLowerBounds)
{
    std::int64_t told = 0;
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        Random random{seed};
        auto const below = [&](std::uint64_t n) { return static_cast<std::int64_t>(random.below(n)); };
        Scoring const scoring =
            Scoring::uniform(below(3), 1 + below(5), {random.chance(0.3) ? 0 : below(6), 1 + below(3)});
        Penalties const p = Penalties::of(scoring);
        std::string const letters = std::string{"ACGT"}.substr(0, 2 + random.below(3)),
                          query = random_sequence(random, 1 + random.below(36), letters),
                          target = test::mutated(random, query, letters, 0.2) + 'A';
        auto const penalty = [&](std::string const & q, std::string const & t) {
            if (q.empty() || t.empty())
                return q.size() + t.size() == 0 ? 0
                                                : p.open + static_cast<std::int64_t>(q.size() + t.size()) * p.extend;
            PairSet const part{{{q, t}}, scoring};
            return (p.match * static_cast<std::int64_t>(q.size() + t.size()) -
                    2 * reference::align(part.view(0), scoring, Mode{}).score) /
                   p.unit;
        };
        PairSet const set{{{query, target}}, scoring};
        std::int64_t const total = penalty(query, target) + below(10);
        SeedBound seeds;
        Words const words = seeds.bound(set.view(0), p, total, static_cast<int>(2 + random.below(2)));
        for (std::size_t i = 0; words.count > 0 && i <= query.size(); ++i)
            for (std::size_t j = 0; j <= target.size(); ++j) {
                std::int64_t const rest = penalty(query.substr(i), target.substr(j));
                if (penalty(query.substr(0, i), target.substr(0, j)) + rest > total)
                    continue;
                told += words.rest(static_cast<std::int64_t>(i));
                EXPECT_LE(words.rest(static_cast<std::int64_t>(i)), rest)
                    << "TellLowerBounds seed=" << seed << " i=" << i << " j=" << j;
            }
    }
    EXPECT_GT(told, 1000);
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
