// SPDX-License-Identifier: BSD-3-Clause
// Furthest-reaching points, piece by piece: extension at every edge of a vector, the end of a diagonal, diagonals that
// are left out, budgets of points, and plans.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cpu/furthest/align_furthest.hpp"
#include "cpu/furthest/furthest_walk.hpp"
#include "cpu/kernels/kernel_table.hpp"
#include "cpu/options.hpp"
#include "cpu/pair/pair_plan.hpp"
#include "reference/oracle.hpp"
#include "support/cases.hpp"
#include "unit/forced_furthest.hpp"

namespace nwgpu::cpu {
namespace {

using test::PairSet;
using test::Random;
using test::random_sequence;

TEST(Furthest, PenaltiesAreReduced)
{
    Penalties const p = Penalties::of(affine);
    EXPECT_EQ(p.mismatch, 6);
    EXPECT_EQ(p.open, 4);
    EXPECT_EQ(p.extend, 3);
    EXPECT_EQ(p.unit, 2);
    EXPECT_EQ(p.score(10, 10, 0), 20);
    EXPECT_EQ(p.score(10, 10, 6), 14); // a mismatch
    EXPECT_EQ(p.score(10, 11, 7), 14); // a gap of one letter
    EXPECT_EQ(Penalties::of(edit).mismatch, 1);
    EXPECT_TRUE(Penalties::of(edit).count());
    EXPECT_FALSE(Penalties::of(Scoring::uniform(0, 0, {1, 1})).count());
    EXPECT_FALSE(Penalties::of(Scoring::uniform(0, 1, {1, 0})).count());
}

// The highest penalty of a score that is asked for, from 0 to gaps alone; divided ones included.
TEST(Furthest, PenaltyOfALeastScore)
{
    for (Scoring const & scoring : {edit, affine, Scoring::uniform(0, 4, {6, 2}), Scoring::uniform(1, 1, {0, 1})})
        for (std::uint64_t const m : {1, 9, 10})
            for (std::uint64_t const n : {9, 10, 12}) {
                Penalties const p = Penalties::of(scoring);
                std::int64_t const all = p.of_gaps(m, n);
                EXPECT_EQ(p.most(m, n, no_min_score), all);
                EXPECT_EQ(p.most(m, n, INT64_MAX), -1);
                for (std::int64_t least = p.score(m, n, all) - 3; least <= 50; ++least) {
                    std::int64_t const most = p.most(m, n, least);
                    EXPECT_LE(most, all);
                    for (std::int64_t s = 0; s <= all; ++s) {
                        std::int64_t const twice = p.match * static_cast<std::int64_t>(m + n) - p.unit * s;
                        if (twice % 2 == 0) { // else no path has it
                            EXPECT_EQ(twice / 2 >= least, s <= most) << m << " " << n << " " << least << " " << s;
                        }
                    }
                }
            }
}

// The first front goes as far as letters are equal: over every number of letters up to several vectors, from places
// of every alignment, and not beyond the end of a sequence although the letters behind it are equal, too.
TEST(Furthest, ExtensionStopsAtTheFirstDifferenceAndAtTheEnd)
{
    for (std::string const & isa : available_isas())
        for (int const width : {16, 32})
            for (std::uint64_t equal = 0; equal <= 200; ++equal)
                for (std::uint64_t const rest : {0, 1, 40}) {
                    std::string const query(equal + rest, 'A'),
                        target = std::string(equal, 'A') + std::string(rest, 'C');
                    std::string const behind(equal % 5, 'G'); // equal letters behind the ends, and then others
                    PairSet const set{{{query, target}, {behind + "A", behind + "C"}}, edit};
                    PairView const pair = set.view(0);
                    FurthestPlan plan = forced_plan(pair, Penalties::of(edit), 1000000);
                    plan.width = width;
                    auto const result = pair.m == 0 ? PairResult{} : align(pair, edit, plan, isa).value();
                    std::string cigar = equal > 0 ? std::to_string(equal) + "=" : "";
                    cigar += rest > 0 ? std::to_string(rest) + "X" : equal > 0 ? "" : "*";
                    EXPECT_EQ(cigar_text(result.runs), cigar) << isa << " width=" << width << " equal=" << equal;
                }
}

TEST(Furthest, EqualLettersBeforeAnEnd)
{
    for (std::uint64_t equal = 0; equal <= 40; ++equal)
        for (std::uint64_t most = 0; most <= 41; ++most) {
            std::string query(48, 'A'), target(48, 'A');
            query[47 - equal] = 'C';
            auto const end = [](std::string const & letters) {
                return reinterpret_cast<std::uint8_t const *>(letters.data()) + 48;
            };
            EXPECT_EQ(equal_letters_before(end(query), end(target), most), std::min(equal, most));
        }
}

// Points of all fronts up to the end, if no diagonal is left out.
std::uint64_t all_points(PairView const & pair, Penalties const & p, std::int64_t penalty)
{
    std::uint64_t points = 0;
    for (std::int64_t s = 0; s <= penalty; ++s) {
        std::int64_t const reach = s < p.open + p.extend ? 0 : (s - p.open) / p.extend;
        points += static_cast<std::uint64_t>(std::min(reach, static_cast<std::int64_t>(pair.m)) +
                                             std::min(reach, static_cast<std::int64_t>(pair.n)) + 1);
    }
    return points;
}

TEST(Furthest, BudgetOfPoints)
{
    for (Scoring const & scoring : {edit, affine})
        for (std::uint64_t seed = 1; seed <= 30; ++seed) {
            Random random{seed};
            std::string const query = random_sequence(random, 1 + random.below(120), "ACGT");
            std::string const target = test::mutated(random, query, "ACGT", 0.1) + "A";
            PairSet const set{{{query, target}}, scoring};
            PairView const pair = set.view(0);
            Penalties const p = Penalties::of(scoring);
            PairResult const expected = reference::align(pair, scoring, Mode{});
            std::int64_t const penalty =
                (p.match * static_cast<std::int64_t>(pair.m + pair.n) - 2 * expected.score) / p.unit;
            std::uint64_t const enough = all_points(pair, p, penalty);
            for (std::uint64_t const points : {std::uint64_t{0}, std::uint64_t{1}, enough - 1, enough, enough + 1}) {
                FurthestPlan plan = forced_plan(pair, p, 1000000);
                plan.first_points = plan.most_points = points;
                auto const result = align(pair, scoring, plan);
                std::string const words = "BudgetOfPoints seed=" + std::to_string(seed);
                if (points >= enough) {
                    ASSERT_TRUE(result) << words;
                    EXPECT_EQ(*result, expected) << words;
                } else if (penalty > 0 && points + 1 == enough) {
                    // The upper bound may leave out diagonals, so that less is enough.
                    EXPECT_TRUE(!result || *result == expected) << words;
                } else if (penalty > 0) {
                    EXPECT_FALSE(result) << words;
                }
            }
        }
}

// Once the penalty of some path is known, fewer points are enough, but not fewer than those on the way.
TEST(Furthest, UpperBoundLeavesOutDiagonals)
{
    Random random{7};
    std::string const query = random_sequence(random, 600, "ACGT");
    PairSet const set{{{query, test::mutated(random, query, "ACGT", 0.05)}}, affine};
    PairView const pair = set.view(0);
    Penalties const p = Penalties::of(affine);
    PairResult const expected = reference::align(pair, affine, Mode{});
    std::int64_t const penalty = (p.match * static_cast<std::int64_t>(pair.m + pair.n) - 2 * expected.score) / p.unit;
    FurthestPlan plan = forced_plan(pair, p, 1000000);
    plan.first_points = 50;
    plan.most_points = points_up_to(penalty, p) + 50;
    EXPECT_LT(plan.most_points, 2 * all_points(pair, p, penalty) / 3);
    auto const result = align(pair, affine, plan);
    ASSERT_TRUE(result);
    EXPECT_EQ(*result, expected);
    plan.most_points /= 2;
    EXPECT_FALSE(align(pair, affine, plan));
}

// Fronts that are computed again are asked by cells of the fronts above, which a step or a gap may lead far away.
TEST(Furthest, SnapshotsCloserThanAStep)
{
    for (Scoring const & scoring : {Scoring::uniform(0, 301, {407, 1}), Scoring::uniform(0, 1, {900, 1}),
                                    Scoring::uniform(1, 250, {0, 3}), Scoring::uniform(0, 3, {0, 2}), edit, affine})
        for (std::uint64_t seed = 1; seed <= 2; ++seed) {
            Random random{seed};
            std::string const query = random_sequence(random, 200 + random.below(400), "ACGT");
            std::string target = test::mutated(random, query, "ACGT", 0.03);
            target.erase(target.size() / 3, random.below(90));
            target.insert(target.size() / 2, random_sequence(random, random.below(90), "AC"));
            target.insert(target.size() - random.below(4), random_sequence(random, random.below(90), "ACGT"));
            PairSet const set{{{query, target}}, scoring};
            PairView const pair = set.view(0);
            PairResult const expected = reference::align(pair, scoring, Mode{});
            for (std::int64_t const spacing : {1, 2, 3, 64, 300}) {
                FurthestPlan plan = forced_plan(pair, Penalties::of(scoring), std::int64_t{1} << 24);
                plan.first_points = 20;
                plan.lag = 1 << 20;
                plan.spacing = spacing;
                for (int const word_bits : {0, 2, 3, 4}) {
                    plan.word_bits = word_bits;
                    auto const result = align(pair, scoring, plan);
                    ASSERT_TRUE(result) << seed << " " << spacing << " " << word_bits << " " << scoring.mismatch();
                    EXPECT_EQ(*result, expected) << "SnapshotsCloserThanAStep seed=" << seed << " spacing=" << spacing
                                                 << " word_bits=" << word_bits;
                }
            }
        }
}

TEST(Furthest, WidthsAtTheirLimit)
{
    for (std::uint64_t const n : {65000, 65535, 65536}) {
        Random random{n};
        std::string const query = random_sequence(random, n, "ACGT");
        std::string target = query;
        target[n - 1] = target[n - 1] == 'A' ? 'C' : 'A';
        target[17] = target[17] == 'A' ? 'C' : 'A';
        for (Scoring const & scoring : {edit, affine}) {
            PairSet const set{{{query, target}}, scoring};
            FurthestPlan const plan =
                plan_furthest(n, n, Penalties::of(scoring), no_min_score, true, {512, 32, 1, plenty}, 0);
            ASSERT_TRUE(plan.tried);
            EXPECT_EQ(plan.width, 32); // most_penalty is high enough
            FurthestPlan narrow = plan;
            narrow.most_penalty = 30;
            narrow.width = 16;
            for (FurthestPlan const & one : {plan, narrow}) {
                if (one.width == 16 && n > 65000)
                    continue;
                auto const result = align(set.view(0), scoring, one);
                ASSERT_TRUE(result) << n;
                EXPECT_EQ(cigar_text(result->runs), "17=1X" + std::to_string(n - 19) + "=1X") << n;
            }
        }
    }
}

// So many differences are asked about that furthest-reaching points tell, or fewer, or more.
TEST(Furthest, PlansForALeastScore)
{
    auto const plan = [](std::int64_t differences) {
        return plan_furthest(10000, 10000, Penalties::of(edit), -differences, true, {512, 32, 1, plenty}, 0);
    };
    std::int64_t const affordable =
        plan_furthest(10000, 10000, Penalties::of(edit), no_min_score, true, {512, 32, 1, plenty}, 0).most_penalty;
    for (std::int64_t const differences : {std::int64_t{0}, std::int64_t{1}, affordable}) {
        EXPECT_TRUE(plan(differences).tried && plan(differences).decides) << differences;
        EXPECT_EQ(plan(differences).most_penalty, differences);
    }
    EXPECT_FALSE(plan(affordable + 1).decides);
    EXPECT_EQ(plan(affordable + 1).most_penalty, affordable);
    EXPECT_FALSE(plan(20001).decides);
    EXPECT_FALSE(plan(-1).tried);
}

TEST(Furthest, OnlyWhereFrontsEnd)
{
    EXPECT_FALSE(penalties_before_strips(affine, {Mode{.local = true}, Output::cigar}, {}));
    EXPECT_FALSE(penalties_before_strips(Scoring::uniform(0, 0, {1, 1}), {Mode{}, Output::cigar}, {}));
}

// What is planned before strips is what the whole plan has.
TEST(Furthest, PlanBeforeStripsIsThatOfThePair)
{
    int found = 0;
    for (Scoring const & scoring : {edit, affine, Scoring::uniform(0, 4, {6, 2})})
        for (std::uint64_t const m : {1, 100, 1000, 3000, 10000, 40000, 100000})
            for (std::uint64_t const n : {m, m + m / 200, 2 * m})
                for (std::int64_t const least : {no_min_score, std::int64_t{-20}}) {
                    Scheme const scheme{scoring};
                    Request request{Mode{}, Output::cigar};
                    request.min_score = least;
                    auto const penalties = penalties_before_strips(scoring, request, {});
                    ASSERT_TRUE(penalties);
                    auto const first = plan_before_strips(m, n, *penalties, kernel_table(""), request, 1, {});
                    FurthestPlan const whole = plan_pair(m, n, scheme, kernel_table(""), request, 1, 0, {}).furthest;
                    if (!first)
                        continue;
                    ++found;
                    EXPECT_TRUE(whole.tried);
                    EXPECT_EQ(first->width, whole.width);
                    EXPECT_EQ(first->most_penalty, whole.most_penalty);
                    EXPECT_EQ(first->first_points, whole.first_points);
                    EXPECT_EQ(first->most_points, whole.most_points);
                    EXPECT_EQ(first->decides, whole.decides);
                    EXPECT_LE(first->bytes, whole.bytes);
                }
    EXPECT_GT(found, 30);
}

// Strips for a score take so little memory that it must not be the limit of fronts.
TEST(Furthest, ScoresHaveThePenaltiesOfPaths)
{
    Tuning const tuning;
    for (std::uint64_t const length : {100000, 300000, 1000000}) {
        auto const plan = [&](Output output) {
            Request const request{{}, output};
            return plan_pair(length, length, Scheme{affine}, kernel_table(""), request, 1, 0, tuning).furthest;
        };
        EXPECT_TRUE(plan(Output::score).tried);
        EXPECT_GE(plan(Output::score).most_penalty, plan(Output::cigar).most_penalty * 9 / 10) << length;
    }
}

TEST(Furthest, Plans)
{
    auto const plan = [](std::uint64_t m, std::uint64_t n, Scoring const & scoring, std::uint64_t bytes = plenty) {
        return plan_furthest(m, n, Penalties::of(scoring), no_min_score, true, {512, 32, 1, bytes}, 0);
    };
    EXPECT_TRUE(plan(10000, 10000, affine).tried);
    EXPECT_EQ(plan(10000, 10000, affine).width, 16);
    EXPECT_EQ(plan(100000, 100000, affine).width, 32);
    EXPECT_FALSE(plan(10000, 20000, affine).tried); // the gap alone costs too much
    EXPECT_FALSE(plan(10000, 10000, Scoring::uniform(1, 0, {0, 0}), 100).tried);
    EXPECT_FALSE(plan(10000, 10000, Scoring::uniform(0, 0, {1, 1})).tried);
    EXPECT_FALSE(plan(10000, 10000, Scoring::uniform(1, 1 << 29, {1, 1})).tried); // so many fronts at a time
    for (std::uint64_t bytes = 1000; bytes < 10 << 20; bytes *= 2) {
        FurthestPlan const limited = plan(10000, 10000, affine, bytes);
        EXPECT_TRUE(!limited.tried || limited.bytes <= bytes);
        EXPECT_LE(limited.most_penalty, plan(10000, 10000, affine).most_penalty);
    }
}

// Whatever is planned for many points and a high penalty holds those of fewer and a lower one, in the same or narrower
// windows; the least room takes no more.
TEST(Furthest, RoomOfAPlanHoldsLess)
{
    Random random{14};
    Penalties const affine = Penalties::of(Scoring::uniform(2, 4, {4, 2})),
                    unit = Penalties::of(Scoring::uniform(0, 1, {0, 1}));
    for (int k = 0; k < 2000; ++k) {
        Penalties const & penalties = random.chance(0.5) ? affine : unit;
        std::int64_t const rings = penalties.unit_costs() ? 1 : 16,
                           penalty = static_cast<std::int64_t>(random.between(100, 200'000)),
                           lower = static_cast<std::int64_t>(random.between(50, static_cast<std::uint64_t>(penalty)));
        std::uint64_t const points = random.between(1000, 1'000'000'000), fewer = random.between(500, points);
        FrontRoom const least = least_room_for(points, penalty, penalties, rings);
        EXPECT_LE(least.numbers, room_for(points, penalty, penalties, rings).numbers) << k;
        for (FrontRoom const & plan : {room_for(points, penalty, penalties, rings), least}) {
            FrontRoom const room = room_for(fewer, lower, penalties, rings, plan);
            EXPECT_LE(room.numbers, plan.numbers) << k;
            if (room.spacing > 1) {
                EXPECT_LE(room.spacing, plan.spacing) << k;
                EXPECT_LE(snapshot_room(fewer, lower, penalties, rings, room.spacing).numbers, room.numbers) << k;
            }
        }
    }
}

// Where all points lag behind, fronts move aside: not beyond the room that they have.
TEST(Furthest, FrontsThatLagStayWithinTheirRoom)
{
    constexpr std::int64_t most_penalty = 1900;
    constexpr std::size_t guard = 4096; // numbers on both sides
    constexpr std::int16_t untouched = 12345;
    Penalties const penalties = Penalties::of(Scoring::uniform(1, 9, {60, 1}));
    std::int64_t aside = 0;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        SCOPED_TRACE(testing::Message() << "seed=" << seed);
        Random random{seed};
        std::string const query = random_sequence(random, 400, "ACGT") + random_sequence(random, 5000, "AC"),
                          target = random_sequence(random, 700, "ACGT") + random_sequence(random, 5000, "AC");
        FurthestPlan plan;
        plan.most_penalty = most_penalty;
        plan.width = 16;
        Fronts fronts = lay_out_fronts(query.size(), target.size(), penalties, plan);
        fronts.query = reinterpret_cast<std::uint8_t const *>(query.data());
        fronts.target = reinterpret_cast<std::uint8_t const *>(target.data());
        fronts.lag = 192;
        fronts.until = most_penalty + 1;
        fronts.points = INT64_MAX / 2;
        std::vector<std::int16_t> numbers(bytes_of(fronts, plan.width) / sizeof(std::int16_t) + 2 * guard, untouched);
        std::int16_t * at = numbers.data() + guard;
        auto const take = [&](std::int64_t rows) { return std::exchange(at, at + rows * fronts.stride); };
        fronts.m_ring = take(fronts.ring);
        fronts.limits = take(1);
        fronts.e_ring = take(fronts.gap_ring);
        fronts.f_ring = take(fronts.gap_ring);
        kernel_table("").fronts(fronts, plan.width);
        aside = std::max({aside, -fronts.low, fronts.high});
        for (std::size_t i = 0; i < guard; ++i) {
            ASSERT_EQ(numbers[i], untouched);
            ASSERT_EQ(numbers[numbers.size() - 1 - i], untouched);
        }
        EXPECT_GE(fronts.low, fronts.first);
        EXPECT_LT(fronts.high, fronts.first + fronts.stride);
    }
    EXPECT_GT(aside, most_penalty / penalties.extend);
}

} // namespace
} // namespace nwgpu::cpu
