// SPDX-License-Identifier: BSD-3-Clause
// CUDAlign's checkpoints: runs that are stopped after some slabs go on with other blocks and threads, or on the CPU
// engine, and runs that the CPU engine began go on as CUDAlign, with the oracle's answer.  The kernels are emulated.
#include <filesystem>
#include <functional>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "checkpoint/folder.hpp"
#include "emulation/emulated.hpp"
#include "published/engine.hpp"
#include "support/cases.hpp"
#include "support/folder.hpp"

namespace nwgpu::test {
namespace {

// `call` is stopped, and has left a checkpoint.
void expect_stopped(std::function<void()> const & call, std::string const & folder, std::string const & words)
{
    try {
        call();
        ADD_FAILURE() << words << ": was not stopped";
    } catch (Error const & error) {
        EXPECT_EQ(error.status, Status::cancelled) << words << ": " << error.what();
    }
    EXPECT_TRUE(std::filesystem::exists(folder + "/slab-000000.nwgpu")) << words;
}

struct Run {
    std::string choice; // of CUDAlign's parameters; empty: the CPU engine
    int slabs = 0;      // after which it is stopped; 0: not at all
};

void run_until(Run const & run, PairSet const & set, Scheme const & s, Request const & request,
               std::string const & words)
{
    int saved = 0;
    Progress const progress = [&](std::uint64_t, std::uint64_t) { return ++saved < run.slabs; };
    auto const most = static_cast<std::uint64_t>(run.slabs);
    EngineSetup const cpu{.threads = 1, .tuning = {.max_trace_bytes = 1 << 16, .slab_strips = 1, .most_slabs = most}};
    expect_stopped(
        [&] {
            if (run.choice.empty())
                align(cpu, set.batch(), s.scoring, request);
            else
                align(*make_emulated("cudalign:" + run.choice), set.batch(), s.scoring, request, progress);
        },
        request.checkpoint.folder, words);
}

// All but the last are stopped.
void check_resumed(std::vector<Run> const & runs, PairSet const & set, Scheme const & s, Request request,
                   std::string words)
{
    TemporaryFolder const folder;
    request.checkpoint = {folder / "run", false, 0};
    words += " " + s.name + " " + name(request.mode) + " " + name(request.output);
    for (Run const & run : runs) {
        words += " then " + run.choice;
        if (&run != &runs.back())
            run_until(run, set, s, request, words);
        else if (run.choice.empty())
            check(set, s, request, {.threads = 2}, oracle(set, s.scoring, request.mode), words);
        else
            check(set, s, request, *make_emulated("cudalign:" + run.choice), oracle(set, s.scoring, request.mode),
                  words);
        request.checkpoint.resume = true;
    }
    EXPECT_FALSE(std::filesystem::exists(folder / "run/slab-000000.nwgpu")) << words << ": the pair is done";
}

PairSet pair_of(Scheme const & s, Model model, std::uint64_t m, std::uint64_t n, std::uint64_t seed)
{
    Random random{seed};
    return {{random_pair(random, model, m, n, s.letters)}, s.scoring};
}

TEST(PublishedCheckpoint, GoesOnWithOtherGrids)
{
    std::uint64_t seed = 50;
    for (char const * const name : {"dna_1_3_3_2", "dna_5_3_8_1", "linear_1_1_0_1", "BLOSUM62_11_1"})
        for (Mode const & mode : {Mode{}, Mode{.local = true}})
            for (Output const output : {Output::cigar, Output::end, Output::score}) {
                Model const model = seed % 3 == 0 ? Model::structured : seed % 3 == 1 ? Model::mutated : Model::tandem;
                Scheme const & s = scheme(name);
                check_resumed({{"blocks=2,threads=2,rows=5,checkpoint=3", 2},
                               {"blocks=3,threads=4,rows=0,checkpoint=2", 1},
                               {"blocks=1,threads=8,rows=3,checkpoint=1"}},
                              pair_of(s, model, 190 + seed % 7, 150 + 3 * seed, seed), s, {mode, output, {}},
                              "checkpoint seed=" + std::to_string(seed));
                ++seed;
            }
}

// As time goes: the first slab is four times the strips that a drain costs.
TEST(PublishedCheckpoint, IsSavedAsTimeGoes)
{
    Scheme const & s = scheme("dna_1_3_3_2");
    check_resumed({{"blocks=2,threads=2", 1}, {"blocks=2,threads=2", 1}, {"blocks=3,threads=2"}},
                  pair_of(s, Model::mutated, 250, 260, 91), s, {{.local = true}, Output::cigar, {}},
                  "checkpoint seed=91");
}

TEST(PublishedCheckpoint, TheEnginesGoOnAndAreGoneOnWith)
{
    std::uint64_t seed = 70;
    for (char const * const name : {"dna_1_3_3_2", "linear_1_1_0_1", "BLOSUM62_11_1"})
        for (Mode const & mode : {Mode{}, Mode{.local = true}})
            for (Output const output : {Output::cigar, Output::score}) {
                Scheme const & s = scheme(name);
                std::string const words = "checkpoint seed=" + std::to_string(seed);
                check_resumed({{"blocks=2,threads=2,rows=9,checkpoint=6", 3}, {""}},
                              pair_of(s, Model::structured, 230, 300, seed), s, {mode, output, {}}, words);
                check_resumed({{"", 1}, {"blocks=2,threads=16,rows=7,checkpoint=9", 2}, {"blocks=1,threads=32"}},
                              pair_of(s, Model::mutated, 3400, 150, seed), s, {mode, output, {}}, words);
                ++seed;
            }
}

// A tie over two slabs: the first end counts, whichever slab has it.
TEST(PublishedCheckpoint, TheFirstOfEqualEndsIsTheEnd)
{
    Scheme const & s = scheme("dna_5_3_8_1");
    std::string const unit = "GATTACAGT";
    for (std::string const & target : {"CC" + unit + "CCCCCCCCCCCCCCCC", "CCCCCCCC" + unit + "CCCC" + unit}) {
        std::string query;
        while (query.size() < 100)
            query += unit + "AAAAAAA";
        PairSet const set{{{query, target}}, s.scoring};
        check_resumed({{"blocks=1,threads=2,checkpoint=2", 3}, {"blocks=1,threads=4"}}, set, s,
                      {{.local = true}, Output::cigar, {}}, "equal ends");
    }
}

std::pair<Status, std::string> failure_of(Backend & backend, PairSet const & set, Scheme const & s,
                                          Request const & request)
{
    try {
        BatchResult const result = align(backend, set.batch(), s.scoring, request);
        return {result.status[0], result.failures.message(0)};
    } catch (Error const & error) {
        return {error.status, error.what()};
    }
}

TEST(PublishedCheckpoint, WhatCannotGoOnSaysWhy)
{
    Scheme const & s = scheme("dna_1_3_3_2");
    PairSet const set = pair_of(s, Model::mutated, 3400, 90, 60);
    TemporaryFolder const folder;
    Request request{{.local = true}, Output::score, {}};
    request.checkpoint = {folder / "run", false, 0};
    auto const cudalign = make_emulated("cudalign:blocks=2,threads=8");

    run_until({"", 1}, set, s, request, "seed=60");
    EXPECT_EQ(failure_of(*cudalign, set, s, request).first, Status::checkpoint) << "it holds a checkpoint already";
    request.checkpoint.resume = true;
    request.output = Output::cigar; // of a checkpoint that an engine made for a score alone
    auto const [status, why] = failure_of(*cudalign, set, s, request);
    EXPECT_EQ(status, Status::checkpoint);
    EXPECT_NE(why.find("made for a score alone"), std::string::npos) << why;
    PairSet const other = pair_of(s, Model::mutated, 3400, 90, 61);
    EXPECT_EQ(failure_of(*cudalign, other, s, request).first, Status::checkpoint);
    EXPECT_EQ(failure_of(*published::make_engine("swat-serial", {}), set, s, request).first, Status::unsupported);
    request.output = Output::score;
    check(set, s, request, *cudalign, oracle(set, s.scoring, request.mode), "seed=60 the right call resumes it");
}

// Slabs of the CUDA engine may be limited to a band, which CUDAlign does not know; scores beyond 32 bits are damage.
TEST(PublishedCheckpoint, ForeignSlabsAreRefused)
{
    Scheme const & s = scheme("dna_1_3_3_2");
    PairSet const set = pair_of(s, Model::mutated, 200, 200, 62);
    for (bool const in_a_band : {true, false}) {
        TemporaryFolder const folder;
        Request request{{}, Output::cigar, {}};
        request.checkpoint = {folder / "run", true, 0};
        {
            checkpoint::Folder slabs{folder / "run", {set.view(0), s.scoring, {}}, false};
            checkpoint::SlabReader const reader{set.view(0), s.scoring, {}};
            checkpoint::Slab slab;
            slab.shape.rows = slab.shape.strip_rows = slab.shape.tile_rows = 64;
            slab.shape.cols = slab.shape.tile_cols = 200;
            slab.shape.entry_bytes = in_a_band ? 4 : 16;
            if (in_a_band)
                slab.shape.band = path::band_around(set.view(0), 20);
            slab.bottom.resize(200 * slab.shape.entry_bytes);
            for (std::uint64_t k = 0; k < 200; ++k)
                reader.store({in_a_band ? 0 : std::int64_t{1} << 40, 0}, slab.bottom, k, slab.shape);
            slabs.save(std::move(slab));
        }
        auto const [status, why] = failure_of(*make_emulated("cudalign"), set, s, request);
        EXPECT_EQ(status, Status::checkpoint) << why;
        EXPECT_NE(why.find(in_a_band ? "in a band" : "scores that this pair cannot have"), std::string::npos) << why;
    }
}

} // namespace
} // namespace nwgpu::test
