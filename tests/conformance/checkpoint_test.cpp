// SPDX-License-Identifier: BSD-3-Clause
// Runs that save checkpoints, are stopped and resumed, against the oracle.
#include <filesystem>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "checkpoint/folder.hpp"
#include "conformance/long_pairs.hpp"
#include "support/folder.hpp"

namespace nwgpu::test {
namespace {

std::vector<Shape> const shapes{{Model::mutated, 3000, 3010, 0.15},
                                {Model::structured, 2900, 2500, 0.1},
                                {Model::two_letters, 2200, 1100, 0},
                                {Model::uniform, 5000, 40, 0}};

// Blocks of the path much smaller than the pair.
cpu::EngineOptions small_blocks(int threads, std::uint64_t slab_strips, std::uint64_t most_slabs, int width = 0)
{
    cpu::EngineOptions options;
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
            BatchResult result;
            auto const stop = [&](cpu::EngineOptions const & options) {
                try {
                    engine(options).align(set.batch(), s.scoring, request, {}, result);
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
    EXPECT_GT(engine(small_blocks(1, 1, 0)).estimate(set.batch(), s.scoring, request).seconds, 0);
    EXPECT_FALSE(std::filesystem::exists(folder / "run"));
    BatchResult result;
    EXPECT_THROW(engine(small_blocks(1, 1, 1)).align(set.batch(), s.scoring, request, {}, result), Error);
    request.checkpoint.resume = true;
    EXPECT_GT(engine(small_blocks(1, 1, 0)).estimate(set.batch(), s.scoring, request).seconds, 0);
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
        BatchResult result;
        EXPECT_THROW(engine(small_blocks(1, 1, 2)).align(set.batch(), s.scoring, request, {}, result), Error);
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

} // namespace
} // namespace nwgpu::test
