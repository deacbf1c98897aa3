// SPDX-License-Identifier: BSD-3-Clause
// Runs that save checkpoints, are stopped and resumed: on the CPU against the oracle; on the GPU, and from one engine
// to the other, against the CPU engine without a checkpoint.
#include <filesystem>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "checkpoint/folder.hpp"
#include "support/engines.hpp"
#include "support/folder.hpp"
#include "support/slabs.hpp"

namespace nwgpu::test {
namespace {

// Blocks of the path much smaller than the pair.
EngineSetup small_blocks(int threads, std::uint64_t slab_strips, std::uint64_t most_slabs,
                         std::uint64_t trace = 1u << 16)
{
    return {.threads = threads,
            .tuning = {.max_trace_bytes = trace, .slab_strips = slab_strips, .most_slabs = most_slabs}};
}

// The runs but the last are stopped after some slabs, the last goes to the end; returns how many were stopped.
std::size_t check_resumed(PairSet const & set, Scheme const & s, Request request, std::vector<EngineSetup> const & runs,
                          std::vector<PairResult> const & full, std::string const & words)
{
    TemporaryFolder const folder;
    request.checkpoint = {folder / "run", false, 0};
    std::size_t stopped = 0;
    for (std::size_t k = 0; k + 1 < runs.size(); ++k, request.checkpoint.resume = true)
        try {
            align(runs[k], set.batch(), s.scoring, request);
        } catch (Error const & error) {
            EXPECT_EQ(error.status, Status::cancelled) << words << ": " << error.what();
            EXPECT_TRUE(std::filesystem::exists(folder / "run/slab-000000.nwgpu")) << words;
            ++stopped;
        }
    check(set, s, request, runs.back(), full, words);
    EXPECT_FALSE(std::filesystem::exists(folder / "run/slab-000000.nwgpu")) << words << ": the pair is done";
    return stopped;
}

struct Shape {
    Model model;
    std::uint64_t query, target;
    double divergence;
};

std::vector<Shape> const shapes{{Model::mutated, 3000, 3010, 0.15},
                                {Model::structured, 2900, 2500, 0.1},
                                {Model::two_letters, 2200, 1100, 0},
                                {Model::uniform, 5000, 40, 0}};

class CheckpointTest : public OnEachEngine<std::string, Mode> {};

TEST_P(CheckpointTest, EqualsOracle)
{
    Scheme const & s = scheme(value());
    Mode const mode = value<2>();
    Random random{300};
    for (Shape const & shape : shapes) {
        PairSet const set{{random_pair(random, shape.model, shape.query, shape.target, s.letters, shape.divergence)},
                          s.scoring};
        auto const full = oracle(set, s.scoring, mode);
        for (Output const output : {Output::cigar, mode.local ? Output::end : Output::score}) {
            Request const request{mode, output, CigarStyle::eqx};
            check_resumed(set, s, request, {small_blocks(1, 1, 0)}, full, "CheckpointTest seed=300 in one go");
            // Stopped twice; with other threads and slabs afterwards.
            std::size_t const stopped =
                check_resumed(set, s, request, {small_blocks(1, 1, 1), small_blocks(2, 1, 1), small_blocks(2, 3, 0)},
                              full, "CheckpointTest seed=300 resumed " + name(output));
            EXPECT_TRUE(stopped > 0 || shape.query <= 1024);
        }
        if (HasFailure())
            return;
    }
}

auto on_cpu(auto const &... values) { return testing::Combine(testing::Values(BackendKind::cpu), values...); }
INSTANTIATE_TEST_SUITE_P(EveryMode, CheckpointTest,
                         on_cpu(testing::Values("dna_2_4_4_2"), testing::ValuesIn(all_modes())), ParameterNames{});
INSTANTIATE_TEST_SUITE_P(EveryWidth, CheckpointTest,
                         on_cpu(testing::Values("edit", "leaves_16_bits", "BLOSUM62_11_1", "all_2_30"),
                                testing::Values(global, local, fitting)),
                         ParameterNames{});

// On a GPU, with both kinds of kernels, and from one engine to the other.
struct LargeCase {
    std::string words, scheme;
    Mode mode;
    Model model;
    double divergence;
    std::uint64_t m, n, slab_rows;
    int band = -1; // of a proven band: 1 always, -1 never

    EngineSetup gpu(int rows_per_half, std::uint64_t most_slabs) const
    {
        return on_gpu({.rows_per_half = rows_per_half,
                       .max_traced_cells = 1,
                       .band = band,
                       .slab_rows = slab_rows,
                       .most_slabs = most_slabs});
    }
    EngineSetup cpu(std::uint64_t most_slabs) const { return small_blocks(0, 3, most_slabs, 1u << 20); }
};
std::string name_of(LargeCase const & c) { return c.words; }

class CheckpointEngines : public OnEachEngine<LargeCase> {};
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(CheckpointEngines); // without CUDA

TEST_P(CheckpointEngines, EqualCpu)
{
    LargeCase const & c = value();
    Scheme const & s = scheme(c.scheme);
    Random random{41};
    PairSet const set{{random_pair(random, c.model, c.m, c.n, s.letters, c.divergence)}, s.scoring};
    auto const full = run(set, s.scoring, {c.mode, Output::cigar, CigarStyle::eqx}, EngineSetup{});
    int const other = c.band > 0 ? 0 : -1, wide = c.band > 0 ? 0 : 16;
    for (auto const & [first, last] : {std::pair{c.gpu(0, 2), c.gpu(0, 0)},
                                       {c.gpu(8, 2), c.gpu(other, 0)},
                                       {c.gpu(-1, 2), c.gpu(wide, 0)},
                                       {c.gpu(0, 2), c.cpu(0)},
                                       {c.cpu(2), c.gpu(0, 0)}})
        for (Output const output : {Output::cigar, Output::score})
            EXPECT_EQ(
                check_resumed(set, s, {c.mode, output, CigarStyle::eqx}, {first, last}, full,
                              "CheckpointEngines seed=41 stopped " + describe(first) + " resumed " + describe(last)),
                1u);
}

Mode const query_ends{.free_query_begin = true, .free_query_end = true};
INSTANTIATE_TEST_SUITE_P(
    All, CheckpointEngines,
    on_cuda(testing::Values(
        LargeCase{"global", "dna_2_4_4_2", {}, Model::mutated, 0.1, 30000, 30000, 5000},
        LargeCase{"local", "dna_2_4_4_2", local, Model::mutated, 0.05, 30000, 28000, 5000},
        LargeCase{"structured", "dna_2_4_4_2", local, Model::structured, 0.05, 60000, 50000, 9000},
        LargeCase{"unrelated", "dna_2_4_4_2", local, Model::uniform, 1, 30000, 30000, 7000},
        LargeCase{"tandem", "dna_1_3_3_2", local, Model::tandem, 0.02, 100000, 80000, 16384},
        LargeCase{"fitting", "dna_2_4_4_2", fitting, Model::noisy, 0.1, 20000, 60000, 3000},
        LargeCase{"overlap", "dna_2_4_4_2", overlap, Model::tandem, 0.1, 30000, 30000, 8192},
        LargeCase{"query_ends", "edit", query_ends, Model::noisy, 0.1, 40000, 21000, 5000},
        LargeCase{"extend", "dna_2_4_4_2", extend, Model::mutated, 0.1, 30000, 30000, 5000},
        LargeCase{"extend_left", "dna_1_3_3_2", extend_left, Model::noisy, 0.1, 30000, 28000, 5000},
        LargeCase{"protein", "BLOSUM62_11_1", {}, Model::mutated, 0.1, 23000, 23000, 6000},
        LargeCase{"band", "dna_2_4_4_2", {}, Model::mutated, 0.01, 100000, 100000, 16384, 1},
        LargeCase{"band_structured", "dna_2_4_4_2", {}, Model::structured, 0.01, 131072, 130000, 30000, 1},
        LargeCase{"band_edit", "edit", {}, Model::mutated, 0.02, 110000, 117000, 20000, 1})),
    ParameterNames{});

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
class CheckpointTies : public OnEachEngine<> {};
INSTANTIATE_TEST_SUITE_P(All, CheckpointTies, on_each_engine(), ParameterNames{});

TEST_P(CheckpointTies, EqualEndsInDifferentSlabs)
{
    Scheme const & s = scheme("dna_2_4_4_2");
    std::vector<std::vector<EngineSetup>> ways{{small_blocks(2, 1, 0)}};
    for (std::uint64_t const most_slabs : {1, 2, 3})
        ways.push_back({small_blocks(1, 1, most_slabs), small_blocks(2, 1, 0)});
    bool const cuda = kind() == BackendKind::cuda;
    if (cuda) {
        ways.clear();
        LargeCase const c{.slab_rows = 8192};
        for (int const rows : {0, -1})
            for (auto const & way :
                 {std::vector{c.gpu(rows, 2), c.gpu(rows, 0)}, {c.gpu(rows, 2), c.cpu(0)}, {c.cpu(2), c.gpu(rows, 0)}})
                ways.push_back(way);
    }
    for (std::uint64_t const seed : {330, 331}) {
        Random random{seed};
        // Nothing of the query is in the target, but for the words.
        auto const between = [&] { return random_sequence(random, cuda ? 9000 : 1400, "AC"); };
        auto const beside = [&] { return random_sequence(random, cuda ? 5000 : 500, "GT"); };
        std::string const word = random_sequence(random, 60, "ACGT"), other = random_sequence(random, 60, "ACGT");
        std::string query = between();
        for (std::string const & next : {word, word, other, word})
            query += next + between();
        struct Case {
            char const * words;
            std::string target;
            Mode mode;
        };
        for (Case const & c : {Case{" one column", beside() + word + beside(), local},
                               Case{" the later one first", beside() + other + beside() + word, local},
                               Case{" the later one last", beside() + word + beside() + other, local},
                               Case{" the last column", word, {.free_query_begin = true, .free_query_end = true}}}) {
            PairSet const set{{{query, c.target}}, s.scoring};
            Request const request{c.mode, Output::cigar, CigarStyle::eqx};
            auto const full = cuda ? run(set, s.scoring, request, EngineSetup{}) : oracle(set, s.scoring, c.mode);
            EXPECT_EQ(full[0].score, 120) << c.words;
            if (cuda && !c.mode.local)
                continue; // too few columns for a slab
            for (auto const & runs : ways)
                EXPECT_EQ(check_resumed(set, s, request, runs, full,
                                        "CheckpointTies seed=" + std::to_string(seed) + c.words + " stopped " +
                                            describe(runs[0]) + " resumed " + describe(runs.back())),
                          runs.size() - 1);
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
TEST_P(CheckpointTies, ExchangedSequencesAreRefused)
{
    Scheme const & s = scheme("dna_2_4_4_2");
    bool const cuda = kind() == BackendKind::cuda;
    std::string const shorter(cuda ? 20000 : 2048, 'A'), longer(cuda ? 60000 : 6144, 'A');
    PairSet const set{{{shorter, longer}}, s.scoring}, exchanged{{{longer, shorter}}, s.scoring};
    TemporaryFolder const folder;
    Request request{{}, Output::cigar, CigarStyle::eqx};
    auto const setup = [&](std::uint64_t most_slabs) {
        return cuda ? LargeCase{.slab_rows = 4096}.gpu(0, most_slabs) : small_blocks(1, 1, most_slabs);
    };
    auto const full = run(set, s.scoring, request, EngineSetup{});
    request.checkpoint = {folder / "run", false, 0};
    EXPECT_THROW(align(setup(1), set.batch(), s.scoring, request), Error);
    request.checkpoint.resume = true;
    try {
        align(setup(0), exchanged.batch(), s.scoring, request);
        ADD_FAILURE() << "the checkpoint of " << shorter.size() << " x " << longer.size() << " letters was taken";
    } catch (Error const & error) {
        EXPECT_EQ(error.status, Status::checkpoint) << error.what();
    }
    check(set, s, request, setup(0), full, "ExchangedSequencesAreRefused");
}

} // namespace
} // namespace nwgpu::test
