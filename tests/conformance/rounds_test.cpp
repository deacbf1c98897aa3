// SPDX-License-Identifier: BSD-3-Clause
// Pairs dealt out by rows, with a checkpoint: stopped at some moment, resumed by other places; the oracle's answer.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>

#include "base/error.hpp"
#include "support/folder.hpp"
#include "support/row_world.hpp"

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
    for (std::uint64_t seed = 7500; seed < 7540 && !testing::Test::HasFailure(); ++seed) {
        Random random{seed};
        Scheme const & s = random.chance(0.5) ? random.pick(tie_schemes()) : random.pick(all_schemes());
        Mode const & mode = random.pick(all_modes());
        std::uint64_t const m = random.between(strip + 1, 9 * strip), n = random.between(1, 400);
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

} // namespace
} // namespace nwgpu::test
