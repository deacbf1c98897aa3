// SPDX-License-Identifier: BSD-3-Clause
// Long pairs on the GPU against the CPU engine: several levels of kept boundaries, moving bases, little memory.
#include <gtest/gtest.h>

#include "gpu/gpu.hpp"
#include "support/cases.hpp"

namespace nwgpu::test {
namespace {

struct LongCase {
    std::string scheme;
    Mode mode;
    Model model;
    std::uint64_t m, n;
};

class GpuLong : public testing::TestWithParam<LongCase> {};

TEST_P(GpuLong, EqualsCpu)
{
    NWGPU_NEEDS_GPU();
    LongCase const & c = GetParam();
    Scheme const & s = scheme(c.scheme);
    Random random{21};
    PairSet const set{{random_pair(random, c.model, c.m, c.n, s.letters, 0.05)}, s.scoring};
    Request const request{c.mode, Output::cigar, CigarStyle::eqx};
    auto const full = run(set, s.scoring, request, CpuSetup{});
    for (cuda::Tuning const & tuning : {cuda::Tuning{}, {8, 0, 0, 1}, {32, 0, 0, 1}, {-1, 0, 0, 1}})
        check(set, s, request, *make_gpu(tuning), full, "GpuLong seed=21 " + describe(tuning));
    check(set, s, {c.mode, Output::score, CigarStyle::eqx}, *make_gpu(), full, "GpuLong seed=21 score");
    if (c.mode.local)
        check(set, s, request, *make_gpu({.skip = -1}), full, "GpuLong seed=21 nothing skipped");
}

Mode const local{.local = true};
Mode const fitting{.free_target_begin = true, .free_target_end = true};
Mode const overlap{.free_query_begin = true, .free_target_end = true};

INSTANTIATE_TEST_SUITE_P(All, GpuLong,
                         testing::Values(LongCase{"dna_2_4_4_2", {}, Model::mutated, 30000, 30000},
                                         LongCase{"dna_2_4_4_2", {}, Model::structured, 50000, 41000},
                                         LongCase{"dna_2_4_4_2", local, Model::mutated, 60000, 60000},
                                         LongCase{"dna_2_4_4_2", local, Model::uniform, 40000, 50000},
                                         LongCase{"dna_2_4_4_2", fitting, Model::noisy, 9000, 120000},
                                         LongCase{"dna_2_4_4_2", overlap, Model::tandem, 30000, 30000},
                                         LongCase{"edit", {}, Model::noisy, 30000, 33000},
                                         LongCase{"edit", {}, Model::uniform, 20000, 20000},
                                         LongCase{"BLOSUM62_11_1", {}, Model::mutated, 23000, 23000},
                                         LongCase{"BLOSUM62_11_1", local, Model::structured, 23000, 23000},
                                         LongCase{"dna_1_3_3_2", local, Model::mutated, 310000, 290000},
                                         LongCase{"dna_2_4_4_2", local, Model::structured, 250000, 250000},
                                         LongCase{"BLOSUM62_11_1", local, Model::mutated, 200000, 180000},
                                         LongCase{"dna_2_4_4_2", {}, Model::uniform, 1000, 300000},
                                         LongCase{"dna_2_4_4_2", local, Model::mutated, 300000, 900}),
                         [](auto const & info) { return "case" + std::to_string(info.index); });

// Local pairs with few rows, whose target the engine cuts into parts.
TEST(GpuParts, EqualCpu)
{
    NWGPU_NEEDS_GPU();
    struct Shape {
        std::string scheme;
        Model model;
        std::uint64_t m, n;
    };
    std::uint64_t seed = 31;
    for (Shape const & shape : {Shape{"dna_2_4_4_2", Model::mutated, 300, 200000},
                                {"dna_2_4_4_2", Model::tandem, 500, 120000},
                                {"dna_2_4_4_2", Model::two_letters, 64, 300000},
                                {"BLOSUM62_11_1", Model::uniform, 400, 150000},
                                {"dna_1_3_3_2", Model::mutated, 1000, 1000000},
                                {"linear_1_1_0_2", Model::uniform, 200, 200000}}) {
        Scheme const & s = scheme(shape.scheme);
        Random random{++seed};
        PairSet const set{{random_pair(random, shape.model, shape.m, shape.n, s.letters, 0.05)}, s.scoring};
        auto const full = run(set, s.scoring, {local, Output::cigar, CigarStyle::eqx}, CpuSetup{});
        for (int const parts : {0, 2, 7, 33})
            for (Output const output : {Output::cigar, Output::end, Output::score})
                check(set, s, {local, output, CigarStyle::eqx},
                      *make_gpu({.max_traced_cells = 1u << 20, .parts = parts}), full,
                      "GpuParts seed=" + std::to_string(seed) + " parts=" + std::to_string(parts));
    }
}

// Similar pairs, which the engine may compute in a band.
struct BandCase {
    std::string scheme;
    Model model;
    double divergence;
    std::uint64_t m, n;
};

class GpuBand : public testing::TestWithParam<BandCase> {};

TEST_P(GpuBand, EqualsCpu)
{
    NWGPU_NEEDS_GPU();
    BandCase const & c = GetParam();
    Scheme const & s = scheme(c.scheme);
    Random random{27};
    PairSet const set{{random_pair(random, c.model, c.m, c.n, s.letters, c.divergence)}, s.scoring};
    Request const request{{}, Output::cigar, CigarStyle::eqx};
    auto const full = run(set, s.scoring, request, CpuSetup{});
    for (cuda::Tuning tuning : {cuda::Tuning{}, {4}, {8}, {16}, {32}, {-1}, {-1, 0, 64}}) {
        tuning.band = 1;
        check(set, s, request, *make_gpu(tuning), full, "GpuBand seed=27 " + describe(tuning));
    }
    cuda::Tuning const tuning{.band = 1};
    check(set, s, {{}, Output::score, CigarStyle::eqx}, *make_gpu(tuning), full, "GpuBand seed=27 score");
    check(set, s, request, *make_gpu(tuning, std::uint64_t{96} << 20), full, "GpuBand seed=27 little memory");
}

INSTANTIATE_TEST_SUITE_P(All, GpuBand,
                         testing::Values(BandCase{"dna_2_4_4_2", Model::mutated, 0.01, 120000, 120000},
                                         BandCase{"dna_2_4_4_2", Model::mutated, 0.05, 150000, 140000},
                                         BandCase{"dna_2_4_4_2", Model::structured, 0.01, 131072, 130000},
                                         BandCase{"dna_2_4_4_2", Model::tandem, 0.01, 100000, 100000},
                                         BandCase{"edit", Model::mutated, 0.02, 110000, 117000},
                                         BandCase{"BLOSUM62_11_1", Model::mutated, 0.02, 100000, 99000},
                                         BandCase{"extend_0", Model::mutated, 0.01, 100000, 100000},
                                         BandCase{"dna_2_4_4_2", Model::uniform, 1, 100000, 100000}),
                         [](auto const & info) { return "case" + std::to_string(info.index); });

// That a band is found where it saves much: else the tests above would compare whole matrices.
TEST(GpuBand, IsUsed)
{
    NWGPU_NEEDS_GPU();
    Scheme const & s = scheme("dna_2_4_4_2");
    Random random{28};
    PairSet const set{{random_pair(random, Model::mutated, 2000000, 2000000, s.letters, 0.01)}, s.scoring};
    auto const seconds = [&](int band) {
        auto const gpu = make_gpu({.band = band});
        double best = 1e9;
        for (int k = 0; k < 2; ++k) {
            auto const begin = std::chrono::steady_clock::now();
            align(*gpu, set.batch(), s.scoring, {{}, Output::score, CigarStyle::eqx});
            best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
        }
        return best;
    };
    EXPECT_LT(seconds(0), 0.8 * seconds(-1));
}

TEST(GpuCancel, StopsWithin100Milliseconds)
{
    NWGPU_NEEDS_GPU();
    Scheme const & s = scheme("dna_2_4_4_2");
    Random random{24};
    PairSet const set{{random_pair(random, Model::uniform, 2000000, 2000000, s.letters)}, s.scoring};
    auto const gpu = make_gpu();
    using Clock = std::chrono::steady_clock;
    Clock::time_point asked;
    int calls = 0;
    Progress const stop = [&](std::uint64_t done, std::uint64_t total) {
        EXPECT_LE(done, total);
        asked = Clock::now();
        return ++calls < 4;
    };
    try {
        align(*gpu, set.batch(), s.scoring, {}, stop);
        FAIL() << "not cancelled";
    } catch (Error const & error) {
        EXPECT_EQ(error.status, Status::cancelled);
        EXPECT_LT(Clock::now() - asked, std::chrono::milliseconds{100});
    }
    // At any time, also while a band is looked for.
    PairSet const similar{{random_pair(random, Model::mutated, 5000000, 5000000, s.letters, 0.01)}, s.scoring};
    for (int const milliseconds : {0, 10, 25, 50, 100, 200}) {
        auto const begin = Clock::now();
        Progress const late = [&](std::uint64_t, std::uint64_t) {
            return Clock::now() - begin < std::chrono::milliseconds{milliseconds};
        };
        try {
            align(*gpu, similar.batch(), s.scoring, {{}, Output::cigar, CigarStyle::eqx}, late);
            ADD_FAILURE() << "not cancelled after " << milliseconds;
        } catch (Error const & error) {
            EXPECT_EQ(error.status, Status::cancelled) << error.what();
        }
    }
    PairSet const small{{{"ACGT", "ACGT"}}, s.scoring};
    check(small, s, {{}, Output::cigar, CigarStyle::eqx}, *gpu, oracle(small, s.scoring, {}), "after a cancelled call");
}

} // namespace
} // namespace nwgpu::test
