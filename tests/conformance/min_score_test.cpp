// SPDX-License-Identifier: BSD-3-Clause
// Pairs below a least score, by every way that a pair can go: the status where the oracle's score is lower, else the
// oracle's answer; with least scores at the score itself, one above it and one below.
#include <gtest/gtest.h>

#include <string>

#include "cpu/furthest/align_furthest.hpp"
#include "cpu/kernels/kernel_table.hpp"
#include "reference/oracle.hpp"
#include "support/cases.hpp"
#include "support/top.hpp"

namespace nwgpu::test {
namespace {

constexpr std::int64_t plenty = std::int64_t{1} << 40;

Request request_for(Mode const & mode, Output output, std::int64_t min_score)
{
    Request request{mode, output, CigarStyle::eqx};
    request.min_score = min_score;
    return request;
}

// Modes that no furthest-reaching points are for, too.
std::vector<Mode> modes()
{
    std::vector<Mode> all = all_modes();
    for (Ties const ties : {Ties::last_end, Ties::gaps_first}) {
        all.push_back({.ties = ties});
        all.push_back({.local = true, .ties = ties});
        all.push_back({.free_target_begin = true, .free_target_end = true, .ties = ties});
    }
    all.push_back({.band = Diagonals{-1000, 1000}});
    all.push_back({.local = true, .band = Diagonals{-3, 5}});
    return all;
}

TEST(MinScoreTest, AllSchemesAndModes)
{
    std::uint64_t seed = 0;
    for (Scheme const & s : all_schemes())
        for (Mode const & mode : modes()) {
            Random random{++seed};
            std::vector<SequencePair> pairs;
            for (Model const model : all_models())
                for (std::uint64_t const longest : {1, 20, 90})
                    pairs.push_back(
                        random_pair(random, model, random.below(longest + 1), random.below(longest + 1), s.letters));
            PairSet const set{pairs, s.scoring};
            auto const full = oracle(set, s.scoring, mode);
            std::int64_t const score = random.pick(full).score;
            for (EngineSetup const & setup : {random.pick(engine_setups()), EngineSetup{.threads = 2}})
                for (std::int64_t const more : {-1, 0, 1})
                    check(set, s, request_for(mode, static_cast<Output>(random.below(4)), score + more), setup, full,
                          "AllSchemesAndModes seed=" + std::to_string(seed));
        }
}

// As many differences as a pair has, one fewer, none, one, and more than it can have.
TEST(MinScoreTest, FurthestReachingPointsWithManyTies)
{
    auto const isas = cpu::available_isas();
    Progress const silent;
    Team team{1};
    std::uint64_t below = 0, aligned = 0, open = 0;
    for (std::uint64_t seed = 1; seed <= 4000; ++seed) {
        Random random{seed};
        auto const cost = [&](std::uint64_t most) { return static_cast<std::int64_t>(random.below(most + 1)); };
        Scoring const scoring = Scoring::uniform(cost(3), cost(4), {random.chance(0.4) ? 0 : cost(4), cost(2)});
        cpu::Penalties const penalties = cpu::Penalties::of(scoring);
        if (!penalties.count())
            continue;
        std::uint64_t const longest = seed % 50 == 0 ? 400 : random.chance(0.3) ? 70 : 14;
        PairSet const set{{random_pair(random, random.pick(all_models()), 1 + random.below(longest),
                                       1 + random.below(longest), std::string{"ACGT"}.substr(0, 1 + random.below(4)),
                                       0.01 * static_cast<double>(random.below(25)))},
                          scoring};
        PairView const pair = set.view(0);
        PairResult const full = reference::align(pair, scoring, Mode{}, CigarStyle::eqx);
        std::int64_t const best = scoring.match() * static_cast<std::int64_t>(std::min(pair.m, pair.n));
        for (std::int64_t const least : {full.score, full.score + 1, full.score - 3, best, best - 1,
                                         full.score - static_cast<std::int64_t>(random.below(40)), best + 1}) {
            Request const request = request_for({}, Output::cigar, least);
            cpu::FurthestPlan plan = cpu::plan_furthest(pair.m, pair.n, penalties, least, true,
                                                        {512, 32, 1, std::uint64_t{1} << 30}, plenty);
            if (!plan.tried) { // a gap alone costs too much
                EXPECT_LT(full.score, least) << seed;
                continue;
            }
            plan.most_points = random.chance(0.8) ? plan.most_points : random.below(plan.most_points + 1);
            plan.first_points = random.chance(0.5) ? plan.most_points : std::min(plan.most_points, random.below(300));
            plan.lag = static_cast<std::int64_t>(1 + random.below(60));
            if (random.chance(0.3))
                plan.width = 32;
            std::string const & isa = random.pick(isas);
            Monitor monitor{silent, pair.cells(), team};
            cpu::FurthestMemory memory;
            auto const result =
                cpu::align_furthest(pair, penalties, cpu::kernel_table(isa), request, plan, memory, monitor);
            bool const enough = plan.most_points >= cpu::points_up_to_with_words(plan.most_penalty, penalties);
            EXPECT_TRUE(result || !plan.decides || !enough) << seed << " min_score=" << least;
            if (!result) {
                ++open;
                continue;
            }
            ++(full.score < least ? below : aligned);
            PairResult expected = full;
            if (full.score < least) {
                expected = {};
                expected.score = too_low_score;
            }
            expect_equal({expected}, {*result}, set,
                         "FurthestReachingPointsWithManyTies seed=" + std::to_string(seed) + " isa=" + isa +
                             " min_score=" + std::to_string(least));
            if (HasFailure())
                return;
        }
    }
    EXPECT_GT(below, 1000);
    EXPECT_GT(aligned, 8000);
    EXPECT_GT(open, 100);
}

// Through the engine: budgets of points that end early, proven bands, grids, antidiagonals with other ties.
TEST(MinScoreTest, LongPairs)
{
    for (char const * const name : {"edit", "dna_2_4_4_2", "linear_1_1_0_2", "asymmetric_24"})
        for (double const rate : {0.0, 0.01, 0.1, 0.6}) {
            Scheme const & s = scheme(name);
            Random random{17};
            std::string const query = random_sequence(random, 2100, s.letters);
            std::string target = mutated(random, query, s.letters, rate);
            target.erase(target.size() / 3, target.size() / 50);
            PairSet const set{{{query, target}}, s.scoring};
            for (Mode const & mode : {Mode{}, Mode{.ties = Ties::gaps_first}, Mode{.local = true},
                                      Mode{.free_target_begin = true, .free_target_end = true}}) {
                auto const full =
                    run(set, s.scoring, {mode, Output::cigar, CigarStyle::eqx}, {.threads = 1, .tuning = {.band = -1}});
                std::int64_t const score = full[0].score;
                for (std::int64_t const more : {-5000, -50, 0, 1, 30, 400})
                    for (cpu::Tuning const & tuning :
                         {cpu::Tuning{}, cpu::Tuning{.band = 1}, cpu::Tuning{.max_trace_bytes = 5000, .band = 1},
                          cpu::Tuning{.band = -1}, cpu::Tuning{.furthest = 1}, cpu::Tuning{.furthest = 3000},
                          cpu::Tuning{.furthest = plenty}})
                        for (Output const output : {Output::score, Output::cigar})
                            check(set, s, request_for(mode, output, score + more), {.threads = 1, .tuning = tuning},
                                  full, "LongPairs seed=17 rate=" + std::to_string(rate));
            }
        }
}

TEST(MinScoreTest, SeveralAlignmentsOfAPair)
{
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        Random random{seed};
        Scheme const & s = random.pick(all_schemes());
        std::vector<SequencePair> pairs;
        for (int p = 0; p < 4; ++p)
            pairs.push_back(
                random_pair(random, random.pick(all_models()), random.below(70), random.below(90), s.letters));
        PairSet const set{pairs, s.scoring};
        std::vector<std::vector<PairResult>> full;
        for (std::uint64_t p = 0; p < set.count(); ++p)
            full.push_back(reference::align_top(set.view(p), s.scoring, 6, CigarStyle::eqx));
        std::int64_t const least = random.pick(random.pick(full)).score + static_cast<std::int64_t>(random.below(2));
        Request request = request_for({.local = true}, Output::cigar, least);
        request.top = 6;
        BatchResult const result = align(random.pick(engine_setups()), set.batch(), s.scoring, request);
        std::uint64_t entry = 0;
        for (std::uint64_t p = 0; p < set.count(); ++p) {
            std::string const words = "seed=" + std::to_string(seed) + " pair=" + std::to_string(p) +
                                      " scheme=" + s.name + " min_score=" + std::to_string(least);
            std::erase_if(full[p], [&](PairResult const & one) { return one.score < least; });
            if (full[p].empty()) {
                ASSERT_EQ(result.pair[entry], p) << words;
                ASSERT_EQ(result.status[entry], Status::below_min_score) << words;
                ASSERT_EQ(result.score[entry], 0) << words;
                ++entry;
                continue;
            }
            auto const actual = entries_of(result, p);
            ASSERT_EQ(actual.size(), full[p].size()) << words;
            for (std::size_t k = 0; k < actual.size(); ++k, ++entry) {
                ASSERT_EQ(result.status[entry], Status::ok) << words;
                ASSERT_EQ(text_of(actual[k]), text_of(full[p][k])) << words;
            }
        }
        ASSERT_EQ(entry, result.count()) << "seed=" << seed;
    }
}

// Pairs whose lengths tell reach no engine, but their letters are looked at.
TEST(MinScoreTest, LengthsThatTell)
{
    Scheme const & s = scheme("dna_2_4_4_2");
    PairSet const set{{{"ACGT", "ACGTACGT"}, {"ACGT", ""}, {"", ""}, {"ACGT", "ACGT"}, {"ACGTACGT", "ACGT"}},
                      s.scoring};
    Mode const free_target{.free_target_begin = true}, free_query{.free_query_end = true};
    for (Mode const & mode : {Mode{}, free_target, free_query, Mode{.local = true}})
        for (std::int64_t const least : {-13, -12, -11, -4, -3, 0, 1, 7, 8, 9})
            for (Output const output : {Output::score, Output::cigar})
                check(set, s, request_for(mode, output, least), EngineSetup{.threads = 1}, oracle(set, s.scoring, mode),
                      "LengthsThatTell");
}

} // namespace
} // namespace nwgpu::test
