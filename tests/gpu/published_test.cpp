// SPDX-License-Identifier: BSD-3-Clause
// The published CUDA algorithms on a GPU: against the oracle, against the CPU engine on the thesis's own check (50
// random sequences of 100 to 23K residues), and CUDAlign's three real pairs with their published scores and ends.
#include <gtest/gtest.h>

#include <algorithm>

#include <cuda_runtime_api.h>

#include "gpu/genome_pairs.hpp"
#include "gpu/gpu.hpp"
#include "published/engine.hpp"
#include "published/subject.hpp"

namespace nwgpu::test {
namespace {

std::vector<std::string> cuda_names()
{
    std::vector<std::string> names;
    for (published::Algorithm const & algorithm : published::algorithms())
        if (algorithm.processor == published::Processor::cuda)
            names.push_back(algorithm.name);
    return names;
}

std::string identifier(testing::TestParamInfo<std::string> const & info)
{
    std::string name = info.param;
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
}

class GpuPublished : public testing::TestWithParam<std::string> {
protected:
    void SetUp() override
    {
        NWGPU_NEEDS_GPU();
        backend_ = published::make_engine(GetParam(), {});
    }
    Subject subject() { return {*choice_.algorithm, *backend_, "--algorithm " + GetParam()}; }

    published::Choice const choice_ = published::parse_choice(GetParam());
    std::unique_ptr<Backend> backend_;
};

TEST_P(GpuPublished, EverySchemeEqualsOracle) { subject().check_schemes(4, 400, 31); }

TEST_P(GpuPublished, EdgeLengthsEqualOracle) { subject().check_lengths({0, 1, 31, 33, 64, 129, 257, 513}, 32); }

// The CPU engine's CIGARs are the oracle's, which would take too long here.
TEST_P(GpuPublished, ThesisCheckEqualsCpu)
{
    Scheme const s = subject().schemes().front();
    Random random{33};
    std::vector<SequencePair> pairs;
    for (int k = 0; k < 25; ++k) // 50 sequences
        pairs.push_back(random_pair(random, k % 2 == 0 ? Model::mutated : Model::uniform, random.between(100, 23000),
                                    random.between(100, 23000), s.letters));
    char const paper = choice_.algorithm->paper[0];
    if (paper == 'B' || paper == 'C') // 12 bytes a cell, published to 8K
        for (SequencePair & pair : pairs)
            pair = {pair.query.substr(0, 8192), pair.target.substr(0, 8192)};
    PairSet const set{std::move(pairs), s.scoring};
    for (Mode const & mode : subject().modes()) {
        Request const request{mode, choice_.algorithm->output, CigarStyle::eqx};
        check(set, s, request, *backend_, run(set, s.scoring, request, CpuSetup{}), "thesis seed=33");
    }
}

INSTANTIATE_TEST_SUITE_P(All, GpuPublished, testing::ValuesIn(cuda_names()), identifier);

// The paper's overlapping shares on two GPUs: one GPU's score, end and path.  The caller's device stays current.
TEST(GpuSeveral, RowscanOnTwoGpusEqualsOne)
{
    NWGPU_NEEDS_GPU();
    if (cuda::device_count() < 2)
        GTEST_SKIP() << "needs two GPUs, there is one";
    for (int const current : {0, 1}) {
        ASSERT_EQ(cudaSetDevice(current), cudaSuccess);
        auto const one = published::make_engine("rowscan", {});
        for (char const * const choice : {"rowscan:gpus=2", "rowscan:gpus=2,parts=7"}) {
            auto const two = published::make_engine(choice, {.cuda = {.device = current}});
            for (char const * const name : {"dna_5_3_8_1", "linear_1_1_0_1", "BLOSUM62_11_1"}) {
                Scheme const & s = scheme(name);
                Random random{35};
                std::vector<SequencePair> pairs;
                for (Model const model : all_models())
                    for (std::uint64_t const longest : {40, 5000, 200000})
                        pairs.push_back(
                            random_pair(random, model, random.between(1, 300), random.between(1, longest), s.letters));
                PairSet const set{std::move(pairs), s.scoring};
                for (Mode const & mode : {Mode{.local = true}, Mode{}})
                    for (Output const output : {Output::score, Output::end, Output::cigar}) {
                        if (!mode.local && output != Output::end)
                            continue; // one GPU's work
                        Request const request{mode, output, CigarStyle::eqx};
                        std::string const words = "seed=35 device=" + std::to_string(current) + " " + choice;
                        check(set, s, request, *two, run(set, s.scoring, request, *one, "one GPU " + words), words);
                    }
            }
            int now = -1;
            EXPECT_EQ(cudaGetDevice(&now), cudaSuccess);
            EXPECT_EQ(now, current);
        }
    }
    EXPECT_EQ(cudaSetDevice(0), cudaSuccess);
}

TEST(GpuSeveral, MoreThanThereAreIsAnError)
{
    NWGPU_NEEDS_GPU();
    std::string const count = std::to_string(cuda::device_count());
    try {
        published::make_engine("rowscan:gpus=1024", {});
        ADD_FAILURE();
    } catch (Error const & error) {
        EXPECT_EQ(error.status, Status::no_device);
        EXPECT_NE(std::string{error.what()}.find("this machine has " + count), std::string::npos) << error.what();
    }
}

// Small enough for compute-sanitizer; parameters that make several tiles, blocks and super-tiles of little.
TEST(GpuSmall, PublishedAlgorithms)
{
    NWGPU_NEEDS_GPU();
    for (char const * const name :
         {"gpu1-ml-diag:threads=32", "gpu2-ml-diagrow2pass", "gpu3-ml-diagdiag:cols=32",
          "gpu4-ml-diagdiag2pass:cols=32", "gpu5-coop-diagdiag:cols=32", "gpu6-coop-diagdiag2pass:cols=32",
          "gpu7-mlsp-diagdiag:cols=33", "gpu8-mlsp-diagdiag:cols=32", "gpu9-mlsp-diagdiagdiag:warps=2,cols=40",
          "gpu10-mlsp-supertile:cols=32,side=2", "rowscan:threads=64", "antidiagonal",
          "swat-offload:blocks=3,threads=32", "swat-coalesced:blocks=3,threads=32", "swat-tiled:tile=32",
          "swat-barrier:blocks=3,threads=32", "cudalign:blocks=2,threads=16"}) {
        published::Choice const choice = published::parse_choice(name);
        auto const backend = published::make_engine(name, {});
        Subject subject{*choice.algorithm, *backend, "--algorithm " + std::string{name}};
        Scheme const s = subject.schemes().front();
        Random random{34};
        PairSet const set{{random_pair(random, Model::mutated, 90, 110, s.letters)}, s.scoring};
        for (Mode const & mode : subject.modes())
            check(set, s, {mode, choice.algorithm->output, CigarStyle::eqx}, *backend, oracle(set, s.scoring, mode),
                  "GpuSmall seed=34 " + subject.words);
    }
}

TEST(GpuSmall, RowscanOnTwoGpus)
{
    NWGPU_NEEDS_GPU();
    if (cuda::device_count() < 2)
        GTEST_SKIP() << "needs two GPUs, there is one";
    Scheme const & s = scheme("dna_5_3_8_1");
    Mode const local{.local = true};
    Random random{37};
    PairSet const set{{random_pair(random, Model::mutated, 30, 700, s.letters)}, s.scoring};
    for (char const * const choice : {"rowscan:threads=64,gpus=2", "rowscan:threads=64,gpus=2,parts=5"})
        check(set, s, {local, Output::cigar, CigarStyle::eqx}, *published::make_engine(choice, {}),
              oracle(set, s.scoring, local), "GpuSmall seed=37 --algorithm " + std::string{choice});
}

// Scores and ends of the thesis's table 6.7, by its own algorithm.
class GpuPublishedGenomes : public testing::TestWithParam<Published> {
protected:
    void SetUp() override
    {
        NWGPU_NEEDS_GPU();
        NWGPU_NEEDS_DATA(GetParam().query);
        NWGPU_NEEDS_DATA(GetParam().target);
        pair_.emplace(std::vector{genomes(GetParam().query, GetParam().target)}, scheme_.scoring);
    }

    Scheme const & scheme_ = cudalign();
    std::optional<PairSet> pair_;
};

TEST_P(GpuPublishedGenomes, CudalignGivesThePublishedScore)
{
    Published const & p = GetParam();
    auto const backend = published::make_engine("cudalign", {});
    auto const results =
        run(*pair_, scheme_.scoring, {{.local = true}, Output::end, CigarStyle::eqx}, *backend, "cudalign");
    EXPECT_EQ(results[0].score, p.score);
    EXPECT_EQ(results[0].span.query_end, p.query_end);
    EXPECT_EQ(results[0].span.target_end, p.target_end);
}

// Over special rows: the path that the engine finds.
TEST_P(GpuPublishedGenomes, CudalignWalksTheEnginesPath)
{
    Request const request{{.local = true}, Output::cigar, CigarStyle::eqx};
    auto const backend = published::make_engine("cudalign:blocks=2112", {});
    check(*pair_, scheme_, request, *backend, run(*pair_, scheme_.scoring, request, *make_gpu(), "engine"), "cudalign");
}

INSTANTIATE_TEST_SUITE_P(Cudalign, GpuPublishedGenomes, published_pairs(),
                         [](auto const & info) { return "score" + std::to_string(info.param.score); });

} // namespace
} // namespace nwgpu::test
