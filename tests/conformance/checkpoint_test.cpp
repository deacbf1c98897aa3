// SPDX-License-Identifier: BSD-3-Clause
// Runs that save checkpoints, are stopped and resumed, against the oracle.
#include <filesystem>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "checkpoint/folder.hpp"
#include "conformance/long_pairs.hpp"
#include "support/folder.hpp"
#include "support/slabs.hpp"

namespace nwgpu::test {
namespace {

std::vector<Shape> const shapes{{Model::mutated, 3000, 3010, 0.15},
                                {Model::structured, 2900, 2500, 0.1},
                                {Model::two_letters, 2200, 1100, 0},
                                {Model::uniform, 5000, 40, 0}};

// Blocks of the path much smaller than the pair.
CpuSetup small_blocks(int threads, std::uint64_t slab_strips, std::uint64_t most_slabs, int width = 0)
{
    CpuSetup options;
    options.threads = threads;
    options.tuning = {width, 1u << 16};
    options.tuning.slab_strips = slab_strips;
    options.tuning.most_slabs = most_slabs;
    return options;
}

class CheckpointTest : public testing::TestWithParam<std::tuple<std::string, int>> {};

TEST_P(CheckpointTest, EqualsOracle)
{
    auto const & [scheme_name, mode_number] = GetParam();
    Scheme const & s = scheme(scheme_name);
    Mode const mode = all_modes()[mode_number];
    std::string const words = "CheckpointTest seed=" + std::to_string(300 + mode_number);
    Random random{static_cast<std::uint64_t>(300 + mode_number)};
    for (Shape const & shape : shapes) {
        PairSet const set{{random_pair(random, shape.model, shape.query, shape.target, s.letters, shape.divergence)},
                          s.scoring};
        auto const full = oracle(set, s.scoring, mode);
        for (Output const output : {Output::cigar, mode.local ? Output::end : Output::score}) {
            TemporaryFolder const folder;
            Request request{mode, output, CigarStyle::eqx};
            request.checkpoint = {folder / "run", false, 0};
            check(set, s, request, small_blocks(1, 1, 0), full, words + " in one go");
            EXPECT_FALSE(std::filesystem::exists(folder / "run/slab-000000.nwgpu")) << "the pair is done";

            // Stopped twice; with other threads and slabs afterwards.
            auto const stop = [&](CpuSetup const & options) {
                try {
                    align(options, set.batch(), s.scoring, request);
                } catch (Error const & error) {
                    EXPECT_EQ(error.status, Status::cancelled) << words << ": " << error.what();
                }
                request.checkpoint.resume = true;
            };
            stop(small_blocks(1, 1, 1));
            EXPECT_TRUE(shape.query <= 1024 || std::filesystem::exists(folder / "run/slab-000000.nwgpu"));
            stop(small_blocks(2, 1, 1));
            check(set, s, request, small_blocks(2, 3, 0), full, words + " resumed " + name(output));
        }
        if (HasFailure())
            return;
    }
}

INSTANTIATE_TEST_SUITE_P(EveryMode, CheckpointTest,
                         testing::Combine(testing::Values("dna_2_4_4_2"), testing::Range(0, 17)), scheme_and_mode);
INSTANTIATE_TEST_SUITE_P(EveryWidth, CheckpointTest,
                         testing::Combine(testing::Values("edit", "leaves_16_bits", "BLOSUM62_11_1", "all_2_30"),
                                          testing::Values(0, 1, 13)),
                         scheme_and_mode);

// What is measured for a prediction has nothing to do with the checkpoint of the pair.
TEST(CheckpointFiles, EstimateLeavesThemAlone)
{
    Scheme const & s = scheme("dna_2_4_4_2");
    Random random{321};
    PairSet const set{{random_pair(random, Model::mutated, 3000, 3000, s.letters, 0.1)}, s.scoring};
    TemporaryFolder const folder;
    Request request{{}, Output::cigar, CigarStyle::eqx};
    request.checkpoint = {folder / "run", false, 0};
    EXPECT_GT(estimate(small_blocks(1, 1, 0), set.batch(), s.scoring, request).seconds, 0);
    EXPECT_FALSE(std::filesystem::exists(folder / "run"));
    EXPECT_THROW(align(small_blocks(1, 1, 1), set.batch(), s.scoring, request), Error);
    request.checkpoint.resume = true;
    EXPECT_GT(estimate(small_blocks(1, 1, 0), set.batch(), s.scoring, request).seconds, 0);
    check(set, s, request, small_blocks(1, 1, 0), oracle(set, s.scoring, {}), "CheckpointFiles seed=321");
}

// Before its first row a kept column holds the score above it, which an engine that resumes may take for a tile's
// corner.
TEST(CheckpointFiles, ColumnsBeginWithTheirCorner)
{
    Scheme const & s = scheme("dna_2_4_4_2");
    Random random{320};
    PairSet const set{{random_pair(random, Model::mutated, 6000, 6100, s.letters, 0.1)}, s.scoring};
    for (Mode const & mode : {Mode{}, Mode{.free_target_begin = true}, Mode{.local = true}}) {
        TemporaryFolder const folder;
        Request request{mode, Output::cigar, CigarStyle::eqx};
        request.checkpoint = {folder / "run", false, 0};
        EXPECT_THROW(align(small_blocks(1, 1, 2), set.batch(), s.scoring, request), Error);
        checkpoint::Folder slabs{folder / "run", {set.view(0), s.scoring, mode}, true};
        checkpoint::SlabReader const reader{set.view(0), s.scoring, mode};
        ASSERT_EQ(slabs.count(), 2u);
        auto const above = slabs.load(0), below = slabs.load(1);
        path::CutLines const lines = below->shape.col_lines();
        std::uint64_t const count = (below->shape.cols - 1) / below->shape.tile_cols;
        EXPECT_GE(count, 3u);
        for (std::uint64_t k = 0; k < count; ++k) {
            auto const at = static_cast<std::uint64_t>(lines.place(k, 0) - 1);
            EXPECT_EQ(reader.load(below->col_cuts, at, below->shape).h,
                      reader.load(above->bottom, (k + 1) * above->shape.tile_cols - 1, above->shape).h)
                << "CheckpointFiles seed=320 column cut " << k;
        }
        EXPECT_EQ(reader.load(above->col_cuts, static_cast<std::uint64_t>(lines.place(0, 0) - 1), above->shape).h,
                  mode.global() ? -4 - 2 * static_cast<std::int64_t>(above->shape.tile_cols) : 0);
    }
}

// Ends of one score in different slabs, in one column and in several: the first one of the tie rule is found, wherever
// the run was stopped.
TEST(CheckpointTies, EqualEndsInDifferentSlabs)
{
    Scheme const & s = scheme("dna_2_4_4_2");
    for (std::uint64_t const seed : {330, 331}) {
        Random random{seed};
        // Nothing of the query is in the target, but for the words.
        auto const between = [&] { return random_sequence(random, 1400, "AC"); };
        auto const beside = [&] { return random_sequence(random, 500, "GT"); };
        std::string const word = random_sequence(random, 60, "ACGT"), other = random_sequence(random, 60, "ACGT");
        std::string query = between();
        for (std::string const & next : {word, word, other, word})
            query += next + between();
        std::string const words = "CheckpointTies seed=" + std::to_string(seed);
        struct Case {
            char const * words;
            std::string target;
            Mode mode;
        };
        for (Case const & c : {Case{" one column", beside() + word + beside(), {.local = true}},
                               Case{" the later one first", beside() + other + beside() + word, {.local = true}},
                               Case{" the later one last", beside() + word + beside() + other, {.local = true}},
                               Case{" the last column", word, {.free_query_begin = true, .free_query_end = true}}}) {
            PairSet const set{{{query, c.target}}, s.scoring};
            auto const full = oracle(set, s.scoring, c.mode);
            EXPECT_EQ(full[0].score, 120) << words << c.words;
            for (std::uint64_t const most_slabs : {0, 1, 2, 3}) {
                TemporaryFolder const folder;
                Request request{c.mode, Output::cigar, CigarStyle::eqx};
                request.checkpoint = {folder / "run", false, 0};
                if (most_slabs > 0) {
                    EXPECT_THROW(align(small_blocks(1, 1, most_slabs), set.batch(), s.scoring, request), Error);
                    request.checkpoint.resume = true;
                }
                check(set, s, request, small_blocks(2, 1, 0), full, words + c.words);
            }
        }
    }
}

// Whatever the arrays of a file say, with right fingerprints: an error of the checkpoint, or an answer.
TEST(CheckpointFiles, AnyContentIsSurvived)
{
    Scheme const & s = scheme("dna_2_4_4_2");
    for (std::uint64_t seed = 340; seed < 340 + 3 * 40; ++seed) {
        std::string const words = "CheckpointFiles seed=" + std::to_string(seed);
        Random random{seed};
        Mode const mode = seed % 3 == 0 ? Mode{} : seed % 3 == 1 ? Mode{.local = true} : Mode{.free_query_end = true};
        PairSet const set{{random_pair(random, Model::mutated, 3300, 1200, s.letters, 0.1)}, s.scoring};
        TemporaryFolder const folder;
        Request request{mode, Output::cigar, CigarStyle::eqx};
        request.checkpoint = {folder / "run", false, 0};
        EXPECT_THROW(align(small_blocks(1, 1, 2), set.batch(), s.scoring, request), Error) << words;
        SlabFile file{folder / (random.chance(0.5) ? "run/slab-000000.nwgpu" : "run/slab-000001.nwgpu")};
        std::size_t const begin = file.begin_of_arrays(), size = file.bytes().size() - begin;
        std::vector<std::uint64_t> const extremes{0, UINT64_MAX, std::uint64_t{1} << 63, std::uint64_t{1} << 31,
                                                  random.next()};
        for (std::uint64_t changes = random.between(1, 20); changes > 0; --changes) {
            std::uint64_t const length = random.between(1, 8);
            std::memcpy(file.bytes().data() + begin + random.below(size - length), &random.pick(extremes), length);
        }
        file.seal();
        file.write();
        request.checkpoint.resume = true;
        try {
            align(small_blocks(1, 1, 0), set.batch(), s.scoring, request);
        } catch (Error const & error) {
            EXPECT_EQ(error.status, Status::checkpoint) << words << ": " << error.what();
            EXPECT_EQ(std::string{error.what()}.rfind(request.checkpoint.folder, 0), 0u)
                << words << ": " << error.what();
        }
    }
}

// All letters equal, query and target exchanged: everything but the lengths is the same.
TEST(CheckpointFiles, ExchangedSequencesAreRefused)
{
    Scheme const & s = scheme("dna_2_4_4_2");
    std::string const shorter(2048, 'A'), longer(6144, 'A');
    PairSet const set{{{shorter, longer}}, s.scoring}, exchanged{{{longer, shorter}}, s.scoring};
    TemporaryFolder const folder;
    Request request{{}, Output::cigar, CigarStyle::eqx};
    request.checkpoint = {folder / "run", false, 0};
    EXPECT_THROW(align(small_blocks(1, 1, 1), set.batch(), s.scoring, request), Error);
    request.checkpoint.resume = true;
    try {
        align(small_blocks(1, 1, 0), exchanged.batch(), s.scoring, request);
        ADD_FAILURE() << "the checkpoint of " << shorter.size() << " x " << longer.size() << " letters was taken";
    } catch (Error const & error) {
        EXPECT_EQ(error.status, Status::checkpoint) << error.what();
    }
    check(set, s, request, small_blocks(1, 1, 0), oracle(set, s.scoring, {}), "CheckpointFiles exchanged");
}

} // namespace
} // namespace nwgpu::test
