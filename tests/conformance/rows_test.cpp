// SPDX-License-Identifier: BSD-3-Clause
// Pairs whose rows are dealt out to ranks: the oracle's answer, whatever the shares, panels, engines and delays are.
#include <gtest/gtest.h>

#include <algorithm>

#include "backend/row_share.hpp"
#include "base/error.hpp"
#include "support/row_world.hpp"

namespace nwgpu::test {
namespace {

using namespace std::chrono_literals;

std::string const & fast_isa(Random & random)
{
    static std::vector<std::string> const all = [] {
        std::vector<std::string> isas = cpu::available_isas();
        std::erase_if(isas, [](std::string const & isa) { return isa.starts_with("emu"); });
        return isas;
    }();
    return random.pick(all);
}

// CPU engines of random instruction sets, tiles and traces.
RowWorld::MakeEngine random_engines(Random & random)
{
    std::vector<cpu::EngineOptions> options;
    for (int rank = 0; rank < 4; ++rank)
        options.push_back({.isa = fast_isa(random),
                           .tuning = {.max_trace_bytes = random.pick(std::vector<std::uint64_t>{0, 1, 1u << 14}),
                                      .tile_cols = random.pick(std::vector<std::uint64_t>{0, 1, 40, 100}),
                                      .scan = random.pick(std::vector<int>{0, -1, 1})}});
    return [options](int rank, std::shared_ptr<Team> const & team) {
        cpu::EngineOptions own = options[static_cast<std::size_t>(rank)];
        own.team = team;
        return cpu::make_engine(own);
    };
}

RowWorld::MakeEngine const plain_engines = [](int, std::shared_ptr<Team> const & team) {
    return cpu::make_engine({.team = team});
};

// Every cell, or rank 0 may find the answer alone.
Request every_cell(Mode const & mode, Output output)
{
    Request request{mode, output, CigarStyle::eqx};
    request.every_cell = true;
    return request;
}

TEST(Rows, EqualTheOracle)
{
    for (std::uint64_t seed = 7000; seed < 7060 && !testing::Test::HasFailure(); ++seed) {
        Random random{seed};
        int const size = static_cast<int>(random.between(2, 4));
        Scheme const & s = random.chance(0.5) ? random.pick(tie_schemes()) : random.pick(all_schemes());
        Mode const & mode = random.pick(all_modes());
        bool const is_long = random.chance(0.2);
        std::uint64_t const m = random.between(2, is_long ? 1500 : 300), n = random.between(1, is_long ? 1500 : 300);
        std::uint64_t const unit = random.between(1, std::max<std::uint64_t>(1, m / 2)), panel = random.between(1, n);
        Model const model = random.pick(all_models());
        PairSet const set{{random_pair(random, model, m, n, s.letters)}, s.scoring};
        std::string const words = "Rows seed=" + std::to_string(seed) + " ranks=" + std::to_string(size) +
                                  " unit=" + std::to_string(unit) + " panel=" + std::to_string(panel);
        auto const full = oracle(set, s.scoring, mode);
        RowWorld world{size, all_rows(unit, panel), random_engines(random), seed, random.chance(0.3) ? 300us : 0us};
        for (Output const output : {Output::cigar, random.chance(0.5) ? Output::score : Output::end}) {
            std::uint64_t const before = world.ranks().sent(1);
            check(set, s, every_cell(mode, output), world.backend(), full, words);
            EXPECT_GT(world.ranks().sent(1), before) << words << ": rank 0 has done all of it";
        }
    }
}

// From a rank that was welcomed before this one, and has rows already.
TEST(Rows, ALineMayBeThereBeforeTheWelcome)
{
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        Ranks ranks{3, seed};
        auto const world = [&](int rank) {
            return std::make_unique<places::World>(std::make_unique<TableCommunicator>(ranks.table(rank)));
        };
        auto const first = world(0), second = world(1), third = world(2);
        places::ByteWriter welcome;
        welcome.put_text("");
        third->send(1, places::Kind::line, 1, {});
        first->send(1, places::Kind::welcome, 0, welcome);
        second->meet(places::Member::here("engine", 1, {}), "test");
        auto const message = second->next();
        ASSERT_TRUE(message) << "seed=" << seed;
        EXPECT_EQ(message->kind, places::Kind::line);
        EXPECT_EQ(message->from, 2);
        EXPECT_FALSE(second->next());
    }
}

// Devices of one process, and ranks that have several.
TEST(Rows, OfDevicesEqualTheOracle)
{
    for (std::uint64_t seed = 7100; seed < 7125 && !testing::Test::HasFailure(); ++seed) {
        Random random{seed};
        Scheme const & s = random.chance(0.5) ? random.pick(tie_schemes()) : random.pick(all_schemes());
        Mode const & mode = random.pick(all_modes());
        std::uint64_t const m = random.between(12, 300), n = random.between(1, 300);
        std::uint64_t const unit = random.between(1, m / 6), panel = random.between(1, n);
        PairSet const set{{random_pair(random, random.pick(all_models()), m, n, s.letters)}, s.scoring};
        std::string const words = "RowsDevices seed=" + std::to_string(seed) + " unit=" + std::to_string(unit) +
                                  " panel=" + std::to_string(panel);
        auto const full = oracle(set, s.scoring, mode);
        places::RowRules const rules = all_rows(unit, panel);
        RowWorld::MakeEngine const one = random_engines(random);
        RowWorld::MakeEngine const several = [&](int, std::shared_ptr<Team> const & team) {
            std::vector<std::unique_ptr<Backend>> engines;
            for (int k = 0; k < 3; ++k)
                engines.push_back(one(k, team));
            return stacked(std::move(engines), rules);
        };
        auto const alone = several(0, std::make_shared<Team>(1));
        EXPECT_NE(estimate(*alone, set.batch(), s.scoring, every_cell(mode, Output::cigar))
                      .plan.find("rows of the pair dealt out to "),
                  std::string::npos)
            << words;
        for (Output const output : {Output::cigar, random.chance(0.5) ? Output::score : Output::end})
            check(set, s, every_cell(mode, output), *alone, full, words);
        RowWorld world{2, rules, several, seed};
        check(set, s, every_cell(mode, Output::cigar), world.backend(), full, words + " ranks=2");
    }
}

// Equal best scores in several shares and columns: the first one of the tie rule.
TEST(Rows, EqualEndsInDifferentShares)
{
    Scheme const & s = scheme("dna_2_4_4_2");
    RowWorld world{4, all_rows(256, 90), plain_engines};
    for (std::uint64_t const seed : {7200, 7201, 7202}) {
        Random random{seed};
        // Nothing of the query is in the target, but for the words.
        auto const between = [&] { return random_sequence(random, random.between(150, 400), "AC"); };
        auto const beside = [&] { return random_sequence(random, random.between(50, 200), "GT"); };
        std::string const word = random_sequence(random, 60, "ACGT"), other = random_sequence(random, 60, "ACGT");
        std::string query = between();
        for (std::string const & next : {word, word, other, word})
            query += next + between();
        Mode const last_column{.free_query_begin = true, .free_query_end = true};
        for (auto const & [target, mode] : {std::pair{beside() + word + beside(), local},
                                            {beside() + other + beside() + word, local},
                                            {beside() + word + beside() + other, local},
                                            {word, last_column}}) {
            PairSet const set{{{query, target}}, s.scoring};
            auto const full = oracle(set, s.scoring, mode);
            EXPECT_EQ(full[0].score, 120);
            check(set, s, every_cell(mode, Output::cigar), world.backend(), full,
                  "RowEnds seed=" + std::to_string(seed) + " " + name(mode));
        }
    }
}

// Sizes as the rules choose them: shares of full strips, several kept rows and columns each.
TEST(Rows, EqualOneProcess)
{
    Scheme const & s = scheme("dna_2_4_4_2");
    Random random{7300};
    PairSet const set{{random_pair(random, Model::structured, 9000, 12000, s.letters, 0.2)}, s.scoring};
    places::RowRules rules;
    rules.least_seconds = 0;
    for (int const size : {2, 4}) {
        RowWorld world{size, rules, plain_engines};
        for (Mode const & mode : {global, local, fitting}) {
            auto const full = run(set, s.scoring, every_cell(mode, Output::cigar), EngineSetup{});
            check(set, s, every_cell(mode, Output::cigar), world.backend(), full,
                  "RowsLarge seed=7300 ranks=" + std::to_string(size));
        }
    }
}

TEST(Rows, SimilarPairsStayWithRankZero)
{
    Scheme const & s = scheme("dna_2_4_4_2");
    Random random{7301};
    PairSet const set{{random_pair(random, Model::mutated, 9000, 9000, s.letters, 0.01)}, s.scoring};
    RowWorld world{3, all_rows(1000, 500), plain_engines};
    auto const full = run(set, s.scoring, every_cell({}, Output::cigar), EngineSetup{});
    std::uint64_t const before = world.ranks().sent(0);
    check(set, s, {{}, Output::cigar, CigarStyle::eqx}, world.backend(), full, "RowsSimilar seed=7301");
    EXPECT_EQ(world.ranks().sent(0), before);
}

// A score below the request's ends the work after the sweep; one that is as high does not.
TEST(Rows, MinScore)
{
    Scheme const & s = scheme("dna_2_4_4_2");
    Random random{7302};
    PairSet const set{{random_pair(random, Model::noisy, 700, 800, s.letters, 0.1)}, s.scoring};
    RowWorld world{3, all_rows(100, 100), plain_engines};
    for (Mode const & mode : {global, local, overlap}) {
        auto const full = oracle(set, s.scoring, mode);
        for (std::int64_t const more : {0, 1}) {
            Request request = every_cell(mode, Output::cigar);
            request.min_score = full[0].score + more;
            check(set, s, request, world.backend(), {expected_of(full[0], request)},
                  "RowsMinScore seed=7302 " + name(mode) + " more=" + std::to_string(more));
        }
    }
}

} // namespace
} // namespace nwgpu::test
