// SPDX-License-Identifier: BSD-3-Clause
// Furthest-reaching points, forced for pairs of any kind: the oracle's score and CIGAR, ties included, with every
// uniform scheme, instruction set, width and budget.
#include <gtest/gtest.h>

#include <string>

#include "base/error.hpp"
#include "cpu/furthest/align_furthest.hpp"
#include "cpu/kernels/kernel_table.hpp"
#include "reference/oracle.hpp"
#include "support/cases.hpp"

namespace nwgpu::test {
namespace {

constexpr std::int64_t plenty = std::int64_t{1} << 40;

std::vector<Scheme> uniform_schemes()
{
    std::vector<Scheme> found;
    for (Scheme const & s : all_schemes())
        if (s.scoring.is_uniform())
            found.push_back(s);
    return found;
}

// Small costs, so that many paths are equally good.
Scoring random_scoring(Random & random)
{
    if (random.chance(0.2)) // unit costs: a kernel of its own
        return random.chance(0.5) ? Scoring::uniform(0, 1, {0, 1}) : Scoring::uniform(2, 1, {0, 2});
    auto const cost = [&](std::uint64_t most) { return static_cast<std::int64_t>(random.below(most + 1)); };
    return Scoring::uniform(cost(3), cost(4), {random.chance(0.4) ? 0 : cost(4), cost(2)});
}

// 10^5 pairs.  After few points an upper bound is looked for along few diagonals, so that many are left out.
TEST(FurthestTest, PairsWithManyTies)
{
    auto const isas = cpu::available_isas();
    std::uint64_t tried = 0, aligned = 0;
    Progress const silent;
    Team team{1};
    cpu::FurthestMemory memory; // of one pair after the other
    for (std::uint64_t seed = 1; seed <= 100000; ++seed) {
        Random random{seed};
        Scoring const scoring = random_scoring(random);
        cpu::Penalties const penalties = cpu::Penalties::of(scoring);
        if (!penalties.count())
            continue;
        std::string const letters = std::string{"ACGT"}.substr(0, 1 + random.below(4));
        std::uint64_t const longest = seed % 50 == 0 ? 400 : random.chance(0.3) ? 70 : 14;
        std::vector<SequencePair> pairs; // the second is aligned: letters of others lie around it
        for (int k = 0; k < 3; ++k)
            pairs.push_back(random_pair(random, random.pick(all_models()), 1 + random.below(longest),
                                        1 + random.below(longest), letters,
                                        0.01 * static_cast<double>(random.below(25))));
        PairSet const set{pairs, scoring}, alone{{pairs[1]}, scoring};
        PairView const pair = set.view(1);
        cpu::FurthestPlan plan = cpu::plan_furthest(pair.m, pair.n, penalties, no_min_score, true,
                                                    {512, 32, 1, std::uint64_t{1} << 30}, plenty);
        ASSERT_TRUE(plan.tried);
        plan.most_points = std::uint64_t{1} << 24;
        plan.first_points = random.chance(0.5) ? plan.most_points : random.below(300);
        plan.lag = static_cast<std::int64_t>(1 + random.below(60));
        if (random.chance(0.5)) // else all fronts are kept
            plan.spacing = static_cast<std::int64_t>(2 + random.below(random.chance(0.5) ? 8 : 80));
        if (random.chance(0.3))
            plan.width = 32;
        if (random.chance(0.7)) // words of 4, 8 or 16 letters
            plan.word_bits = static_cast<int>(2 + random.below(3));
        CigarStyle const style = random.chance(0.8) ? CigarStyle::eqx : CigarStyle::m;
        std::string const & isa = random.pick(isas);
        Monitor monitor{silent, pair.cells(), team};
        auto const result = cpu::align_furthest(pair, penalties, cpu::kernel_table(isa), {Mode{}, Output::cigar, style},
                                                plan, memory, monitor);
        ++tried;
        if (!result)
            continue; // the upper bound was found to be above that of gaps alone
        ++aligned;
        expect_equal({reference::align(pair, scoring, Mode{}, style)}, {*result}, alone,
                     "PairsWithManyTies seed=" + std::to_string(seed) + " isa=" + isa);
        if (HasFailure())
            return;
    }
    EXPECT_GT(tried, 80000);
    EXPECT_GT(aligned, tried * 99 / 100);
}

// Through the engine, which goes on in another way where the budget ends.
TEST(FurthestTest, ForcedForAllSchemes)
{
    for (Scheme const & s : uniform_schemes())
        for (std::uint64_t seed = 1; seed <= 3; ++seed) {
            Random random{seed};
            std::vector<SequencePair> pairs;
            for (Model const model : all_models())
                for (std::uint64_t const longest : {12, 70, 300})
                    pairs.push_back(
                        random_pair(random, model, random.below(longest), random.below(longest), s.letters));
            PairSet const set{pairs, s.scoring};
            auto const full = oracle(set, s.scoring, {});
            for (EngineSetup setup : engine_setups())
                for (std::int64_t const points : {std::int64_t{1}, std::int64_t{200}, plenty}) {
                    setup.tuning = {.lanes = -1, .furthest = points};
                    Output const output = points == 200 ? Output::score : Output::cigar;
                    check(set, s, {Mode{}, output, CigarStyle::eqx}, setup, full,
                          "ForcedForAllSchemes seed=" + std::to_string(seed));
                }
        }
}

TEST(FurthestTest, AllEqualAllDifferentAndLong)
{
    for (char const * const name : {"edit", "dna_2_4_4_2", "wfa_0_4_6_2", "linear_1_1_0_2"}) {
        Scheme const & s = scheme(name);
        for (std::uint64_t const length : {1, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 257, 1000}) {
            std::string const as(length, s.letters[0]), cs(length, s.letters[1]);
            PairSet const set{{{as, as}, {as, cs}, {as, as + as}, {as + as, as}, {as + cs, cs + as}}, s.scoring};
            for (EngineSetup setup : fast_setups()) {
                setup.tuning.furthest = plenty;
                check(set, s, {Mode{}, Output::cigar, CigarStyle::eqx}, setup, oracle(set, s.scoring, {}),
                      "AllEqualAllDifferent length=" + std::to_string(length));
            }
        }
    }
}

// Against the engine without furthest-reaching points: what the planner does by itself, 16 and 32 bits.
TEST(FurthestTest, LongPairs)
{
    for (char const * const name : {"edit", "dna_2_4_4_2", "wfa_0_4_6_2"})
        for (std::uint64_t const length : {3000, 20000, 65535, 65536, 90000})
            for (double const rate : {0.0, 0.0003, 0.004, 0.02}) {
                Scheme const & s = scheme(name);
                Random random{length};
                std::string const query = random_sequence(random, length, s.letters);
                std::string target = mutated(random, query, s.letters, rate);
                if (rate == 0.0003)
                    target.erase(length / 3, length / 50);
                PairSet const set{{{query, target}}, s.scoring};
                Request const request{Mode{}, Output::cigar, CigarStyle::eqx};
                auto const full = run(set, s.scoring, request, {.threads = 1, .tuning = {.furthest = -1}});
                check(set, s, request, {.threads = 1}, full,
                      "LongPairs seed=" + std::to_string(length) + " rate=" + std::to_string(rate));
            }
}

TEST(FurthestTest, Cancelled)
{
    Scheme const & s = scheme("edit");
    Random random{5};
    std::string const query = random_sequence(random, 1600000, s.letters);
    PairSet const set{{{query, mutated(random, query, s.letters, 0.02)}}, s.scoring};
    EngineSetup const setup{.threads = 1, .tuning = {.furthest = plenty}};
    int calls = 0;
    try {
        align(engine(setup), set.batch(), s.scoring, {Mode{}, Output::score, CigarStyle::eqx},
              [&](std::uint64_t done, std::uint64_t total) {
                  EXPECT_LT(done, total);
                  ++calls;
                  return false;
              });
        ADD_FAILURE() << "aligned";
    } catch (Error const & error) {
        EXPECT_EQ(error.status, Status::cancelled);
    }
    EXPECT_EQ(calls, 1);
}

} // namespace
} // namespace nwgpu::test
