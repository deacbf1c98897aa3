// SPDX-License-Identifier: BSD-3-Clause
// Real genomes on the GPU: the scores and ends that the CUDAlign paper gives, paths against the CPU engine, and paths
// too long for it re-scored.
#include <gtest/gtest.h>

#include "gpu/gpu.hpp"
#include "model/alphabet.hpp"
#include "support/cases.hpp"
#include "support/data.hpp"

namespace nwgpu::test {
namespace {

// match +1, mismatch -3, first gap 5, extension 2
Scheme const & cudalign() { return scheme("dna_1_3_3_2"); }

std::string upper(std::string sequence)
{
    for (char & letter : sequence)
        letter = fold_case(letter);
    return sequence;
}

SequencePair genomes(std::string const & query, std::string const & target)
{
    return {upper(read_fasta(query).front().sequence), upper(read_fasta(target).front().sequence)};
}

struct Published {
    char const * query;
    char const * target;
    std::int64_t score;
    std::uint64_t query_end, target_end;
};

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

INSTANTIATE_TEST_SUITE_P(
    Cudalign, GpuGenomes,
    testing::Values(Published{"genomes/NC_000898.1_human_herpesvirus_6B.fa.gz",
                              "genomes/NC_007605.1_human_herpesvirus_4.fa.gz", 18, 41058, 44353},
                    Published{"genomes/CP000051.1_chlamydia_trachomatis.fa.gz",
                              "genomes/AE002160.2_chlamydia_muridarum.fa.gz", 88353, 722725, 1072950},
                    Published{"genomes/BA000035.2_corynebacterium_efficiens.fa.gz",
                              "genomes/BX927147.1_corynebacterium_glutamicum.fa.gz", 4226, 2991493, 2689488}),
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
        check(set, cudalign(), request, *make_gpu(), run(set, cudalign().scoring, request, cpu::EngineOptions{}),
              "Chlamydia");
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
