// SPDX-License-Identifier: BSD-3-Clause
// Real genomes on the GPU: the scores and ends that the CUDAlign paper gives, paths against the CPU engine, and paths
// too long for it re-scored.
#include <gtest/gtest.h>

#include "gpu/genome_pairs.hpp"
#include "gpu/gpu.hpp"

namespace nwgpu::test {
namespace {

class GpuGenomes : public testing::TestWithParam<Published> {};

TEST_P(GpuGenomes, PublishedScoreAndEnd)
{
    NWGPU_NEEDS_GPU();
    Published const & p = GetParam();
    NWGPU_NEEDS_DATA(p.query);
    NWGPU_NEEDS_DATA(p.target);
    PairSet const set{{genomes(p.query, p.target)}, cudalign().scoring};
    auto const results =
        run(set, cudalign().scoring, {{.local = true}, Output::end, CigarStyle::eqx}, *make_gpu(), "GpuGenomes");
    EXPECT_EQ(results[0].score, p.score);
    EXPECT_EQ(results[0].span.query_end, p.query_end);
    EXPECT_EQ(results[0].span.target_end, p.target_end);
}

INSTANTIATE_TEST_SUITE_P(Cudalign, GpuGenomes, published_pairs(),
                         [](auto const & info) { return "score" + std::to_string(info.param.score); });

TEST(GpuGenomePaths, ChlamydiaEqualsCpu)
{
    NWGPU_NEEDS_GPU();
    char const * const query = "genomes/CP000051.1_chlamydia_trachomatis.fa.gz";
    char const * const target = "genomes/AE002160.2_chlamydia_muridarum.fa.gz";
    NWGPU_NEEDS_DATA(query);
    NWGPU_NEEDS_DATA(target);
    PairSet const set{{genomes(query, target)}, cudalign().scoring};
    for (Mode const & mode : {Mode{.local = true}, Mode{}}) {
        Request const request{mode, Output::cigar, CigarStyle::eqx};
        check(set, cudalign(), request, *make_gpu(), run(set, cudalign().scoring, request, EngineSetup{}), "Chlamydia");
    }
}

TEST(GpuGenomePaths, EscherichiaIsConsistent)
{
    NWGPU_NEEDS_GPU();
    char const * const query = "genomes/NC_000913.3_ecoli_K12_MG1655.fa.gz";
    char const * const target = "genomes/NC_002695.2_ecoli_O157H7_Sakai.fa.gz";
    NWGPU_NEEDS_DATA(query);
    NWGPU_NEEDS_DATA(target);
    PairSet const set{{genomes(query, target)}, cudalign().scoring};
    for (Mode const & mode : {Mode{.local = true}, Mode{}}) {
        auto const results =
            run(set, cudalign().scoring, {mode, Output::cigar, CigarStyle::eqx}, *make_gpu(), "E. coli");
        std::printf("[          ] E. coli, %s: score %lld, %zu runs\n", name(mode).c_str(),
                    static_cast<long long>(results[0].score), results[0].runs.size());
        expect_consistent(set, 0, cudalign().scoring, mode, results[0], "E. coli");
    }
}

} // namespace
} // namespace nwgpu::test
