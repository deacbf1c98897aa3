// SPDX-License-Identifier: BSD-3-Clause
// The published CUDA algorithms on several GPUs, and CUDAlign's three real pairs with their published scores and ends.
// tests/published compares them with the oracle.
#include <gtest/gtest.h>

#include <cuda_runtime_api.h>

#include "gpu/genome_pairs.hpp"
#include "gpu/gpu.hpp"
#include "published/engine.hpp"

namespace nwgpu::test {
namespace {

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
