// SPDX-License-Identifier: BSD-3-Clause
// Pairs dealt out by rows, with a checkpoint: stopped at some moment, resumed by other places; the oracle's answer.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>

#include "base/error.hpp"
#include "checkpoint/folder.hpp"
#include "support/folder.hpp"
#include "support/row_world.hpp"
#include "support/slabs.hpp"

namespace nwgpu::test {
namespace {

using namespace std::chrono_literals;

constexpr std::uint64_t strip = 1024; // rows: a multiple of the strips of every instruction set

// A world of ranks, or one place.
struct Places {
    int ranks = 1;
    std::string isa;
    std::uint64_t panel = 0;
    std::uint64_t most_slabs = 0; // of one place, which is stopped after so many
    std::int64_t messages = 0;    // of ranks: rank 0 loses its communicator after so many; 0: never

    std::string words() const
    {
        return std::to_string(ranks) + " " + isa + " panel=" + std::to_string(panel) +
               " slabs=" + std::to_string(most_slabs) + " messages=" + std::to_string(messages);
    }
};

Places random_places(Random & random, std::uint64_t n)
{
    std::vector<std::string> isas = cpu::available_isas();
    std::erase_if(isas, [](std::string const & isa) { return isa.starts_with("emu"); });
    return {static_cast<int>(random.between(1, 4)), random.pick(isas), random.between(1, n)};
}

Request request_of(Mode const & mode, Output output, std::string const & folder, bool resume)
{
    Request request{mode, output, CigarStyle::eqx};
    request.every_cell = true;
    request.checkpoint = {folder, resume, 0}; // a round has as few rows as it may
    return request;
}

// False: it was stopped.
bool run_in(Places const & places, PairSet const & set, Scheme const & s, Request const & request,
            std::vector<PairResult> const & full, std::string const & words, std::uint64_t seed,
            std::uint64_t max_host_bytes = 0)
{
    auto const make = [&](int, std::shared_ptr<Team> const & team) {
        return cpu::make_engine(
            {.isa = places.isa,
             .tuning = {.max_trace_bytes = 1u << 14, .slab_strips = 1, .most_slabs = places.most_slabs},
             .team = team});
    };
    std::string const all_words = words + " " + places.words();
    std::unique_ptr<Backend> one;
    std::optional<RowWorld> world;
    if (places.ranks == 1)
        one = make(0, std::make_shared<Team>(1));
    else
        world.emplace(places.ranks, all_rows(strip, places.panel), make, seed,
                      std::chrono::microseconds{seed % 3 * 50});
    if (places.messages == 0 && places.most_slabs == 0) {
        check(set, s, request, one ? *one : world->backend(), full, all_words, max_host_bytes);
        return true;
    }
    if (world)
        world->ranks().break_after(0, places.messages);
    try {
        align(one ? *one : world->backend(), set.batch(), s.scoring, request);
        return true;
    } catch (Error const & error) {
        EXPECT_EQ(error.status, one ? Status::cancelled : Status::communication) << all_words << ": " << error.what();
    }
    return false;
}

TEST(Rounds, EqualTheOracle)
{
    std::size_t saved = 0;
    for (std::uint64_t seed = 7500; seed < 7548 && !testing::Test::HasFailure(); ++seed) {
        Random random{seed};
        Scheme const & s = random.chance(0.5) ? random.pick(tie_schemes()) : random.pick(all_schemes());
        Mode const & mode = random.pick(all_modes());
        bool const is_wide = random.chance(0.25); // with kept columns
        std::uint64_t const m = random.between(strip + 1, (is_wide ? 6 : 9) * strip),
                            n = is_wide ? random.between(1100, 2500) : random.between(1, 400);
        PairSet const set{{random_pair(random, random.pick(all_models()), m, n, s.letters)}, s.scoring};
        auto const full = oracle(set, s.scoring, mode);
        Output const output = random.pick(std::vector{Output::cigar, Output::cigar, Output::score, Output::end});
        std::string const words = "Rounds seed=" + std::to_string(seed) + " " + name(mode) + " " + name(output);
        TemporaryFolder const folder;
        std::uint64_t stops = random.between(0, 3);
        for (bool resume = false;; resume = true) {
            Places places = random_places(random, n);
            if (stops > 0 && places.ranks == 1)
                places.most_slabs = random.between(1, 3);
            else if (stops > 0)
                places.messages = static_cast<std::int64_t>(random.between(1, 60));
            bool const last = stops == 0;
            stops -= stops > 0;
            bool const done =
                run_in(places, set, s, request_of(mode, output, folder / "run", resume), full, words, seed);
            saved += std::filesystem::exists(folder / "run/slab-000000.nwgpu");
            if (last || done) {
                EXPECT_TRUE(std::filesystem::is_empty(folder / "run")) << words << ": the pair is done";
                break;
            }
        }
    }
    EXPECT_GE(saved, 10u) << "runs that left something to resume";
}

// Ends of one score in different slabs and shares, in one column and in several: the first one of the tie rule.
TEST(Rounds, EqualEndsInDifferentSlabs)
{
    Scheme const & s = scheme("dna_2_4_4_2");
    Random random{7600};
    // Nothing of the query is in the target, but for the words.
    auto const between = [&] { return random_sequence(random, 1400, "AC"); };
    auto const beside = [&] { return random_sequence(random, 200, "GT"); };
    std::string const word = random_sequence(random, 60, "ACGT"), other = random_sequence(random, 60, "ACGT");
    std::string query = between();
    for (std::string const & next : {word, word, other, word})
        query += next + between();
    struct Case {
        std::string target;
        Mode mode;
    };
    for (Case const & c : {Case{beside() + word + beside(), local}, Case{beside() + other + beside() + word, local},
                           Case{beside() + word + beside() + other, local},
                           Case{word, {.free_query_begin = true, .free_query_end = true}}})
        for (int const ranks : {1, 2, 3})
            for (int const messages : {16, 40}) {
                PairSet const set{{{query, c.target}}, s.scoring};
                auto const full = oracle(set, s.scoring, c.mode);
                EXPECT_EQ(full[0].score, 120);
                std::string const words =
                    "RoundTies seed=7600 " + std::to_string(c.target.size()) + " messages=" + std::to_string(messages);
                TemporaryFolder const folder;
                run_in({2, {}, 90, 0, messages}, set, s, request_of(c.mode, Output::cigar, folder / "run", false), full,
                       words, 0);
                run_in({ranks, {}, 90}, set, s, request_of(c.mode, Output::cigar, folder / "run", true), full, words,
                       0);
            }
}

class RoundsOfOnePair : public testing::Test {
protected:
    Request request(bool resume, Output output = Output::cigar) const
    {
        return request_of(local, output, folder_ / "run", resume);
    }
    // Some ranks, until something is saved.
    void begin(Output output = Output::cigar, std::string const & isa = {})
    {
        run_in({3, isa, 80, 0, 40}, set_, s_, request(false, output), full_, "Rounds seed=7700", 0);
        ASSERT_TRUE(std::filesystem::exists(folder_ / "run/slab-000001.nwgpu"));
    }
    // Why ranks do not go on with it.
    std::string refusal(Output output)
    {
        RowWorld world{3, all_rows(strip, 80), engines_};
        try {
            align(world.backend(), set_.batch(), s_.scoring, request(true, output));
        } catch (Error const & error) {
            EXPECT_EQ(error.status, Status::checkpoint);
            return error.what();
        }
        return "it goes on";
    }

    Scheme const & s_ = scheme("dna_2_4_4_2");
    Random random_{7700};
    PairSet const set_{{random_pair(random_, Model::mutated, 12 * strip, 600, s_.letters, 0.1)}, s_.scoring};
    std::vector<PairResult> const full_ = oracle(set_, s_.scoring, local);
    RowWorld::MakeEngine const engines_ = [](int, std::shared_ptr<Team> const & team) {
        return cpu::make_engine({.team = team});
    };
    TemporaryFolder const folder_;
};

TEST_F(RoundsOfOnePair, WhatDoesNotFitIsRefused)
{
    begin(Output::score);
    EXPECT_NE(refusal(Output::cigar).find("made for a score alone"), std::string::npos);
    std::filesystem::remove_all(folder_ / "run");
    begin();
    std::filesystem::path last = folder_ / "run/slab-000001.nwgpu";
    for (auto const & entry : std::filesystem::directory_iterator{folder_ / "run"})
        last = std::max(last, entry.path());
    SlabFile file{last.string()};
    // Of the bottom: H of column 100, by more than neighbouring scores differ.
    file.bytes()[file.begin_of_arrays() + 401] ^= 0x40;
    file.seal();
    file.write();
    EXPECT_EQ(refusal(Output::cigar),
              folder_ / "run" +
                  ": the checkpoint is damaged: it holds scores that do not follow each other: remove its "
                  "files and begin again");
}

// Where kept columns end, they hold the scores of the row below; where they begin, those of the row above.
TEST_F(RoundsOfOnePair, SlabsFitTogether)
{
    begin(Output::cigar, cpu::available_isas().back()); // narrow blocks
    checkpoint::Folder slabs{folder_ / "run", {set_.view(0), s_.scoring, local}, true};
    checkpoint::SlabReader const reader{set_.view(0), s_.scoring, local};
    for (std::uint64_t k = 1; k < slabs.count(); ++k) {
        auto const above = slabs.load(k - 1), slab = slabs.load(k);
        checkpoint::SlabShape const & shape = slab->shape;
        path::CutLines const lines = shape.col_lines();
        std::uint64_t const count = (shape.cols - 1) / shape.tile_cols;
        EXPECT_GE(count, 1u);
        for (std::uint64_t cut = 0; cut < count; ++cut) {
            std::uint64_t const col = (cut + 1) * shape.tile_cols - 1;
            auto const column = [&](std::uint64_t row) { // rows from 1 on, and the one above
                return reader.load(slab->col_cuts, static_cast<std::uint64_t>(lines.place(cut, 0) - 1) + row, shape).h;
            };
            EXPECT_EQ(column(0), reader.load(above->bottom, col, above->shape).h) << k << " " << cut;
            EXPECT_EQ(column(shape.rows), reader.load(slab->bottom, col, shape).h) << k << " " << cut;
        }
    }
}

TEST_F(RoundsOfOnePair, ARankThatIsGoneCostsOneRound)
{
    RowWorld world{3, all_rows(strip, 80), engines_};
    std::thread later{[&] {
        while (!std::filesystem::exists(folder_ / "run/slab-000000.nwgpu"))
            std::this_thread::sleep_for(100us);
        world.dismiss(2);
    }};
    check(set_, s_, request(false), world.backend(), full_, "Rounds seed=7700");
    later.join();
    EXPECT_NE(world.warnings.find("the other ranks go on without rank 2 ("), std::string::npos) << world.warnings;
    EXPECT_EQ(world.warnings.find("alone"), std::string::npos) << world.warnings;
}

TEST_F(RoundsOfOnePair, LimitsOfMemoryAreKept)
{
    RowWorld world{3, all_rows(strip, 80), engines_, 1, {}, {0, 1u << 28, 1u << 28}};
    std::uint64_t const all = estimate(EngineSetup{.threads = 1}, set_.batch(), s_.scoring, request(false)).host_bytes;
    for (std::uint64_t const limit : {all, 2 * all, 8 * all, 100 * all}) {
        std::uint64_t const before = world.ranks().sent(2);
        check(set_, s_, request(false), world.backend(), full_, "Rounds seed=7700", limit);
        EXPECT_TRUE(world.ranks().sent(2) > before || limit < 8 * all) << "limit=" << limit;
    }
    // Rank 2 has too little: rank 0 goes on alone.
    RowWorld less{3, all_rows(strip, 80), engines_, 1, {}, {0, 0, 1000}};
    check(set_, s_, request(false), less.backend(), full_, "Rounds seed=7700");
}

} // namespace
} // namespace nwgpu::test
