// SPDX-License-Identifier: BSD-3-Clause
// The facade: choice of the engine, pairs, pairs that fail alone.
#include "align/aligner.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "model/alphabet.hpp"

namespace nwgpu {
namespace {

// "ACGT", "A*C", "", "AC"
class AlignerTest : public testing::Test {
protected:
    static constexpr char const letters_[] = "ACGTA*CAC";
    static constexpr std::uint64_t offsets_[] = {0, 4, 7, 7, 9};
    RawSequences const raw_{{reinterpret_cast<std::uint8_t const *>(letters_), 9}, offsets_};
    Scoring const dna_ = Scoring::uniform(4, 5, {10, 1}, alphabet_codes("dna"));
    Request const cigar_{{}, Output::cigar, CigarStyle::eqx};
    Aligner aligner_{{}};

    BatchResult align(std::vector<Pair> const & pairs) { return aligner_.align({raw_, raw_, pairs}, dna_, cigar_, {}); }
};

TEST_F(AlignerTest, BadPairsFailAlone)
{
    BatchResult const result = align({{1, 0}, {0, 0}, {0, 1}, {2, 3}, {3, 3}});
    Status const bad = Status::invalid_sequence;
    EXPECT_EQ(result.status, (Array<Status>{bad, Status::ok, bad, Status::ok, Status::ok}));
    EXPECT_EQ(result.score, (Array<std::int64_t>{0, 16, 0, -12, 8}));
    EXPECT_EQ(result.run_offsets, (Array<std::uint64_t>{0, 0, 1, 1, 2, 3}));
    EXPECT_EQ(result.failures.message(0), "query: letter '*' at position 1 is not in the alphabet");
    EXPECT_EQ(result.failures.message(2), "target: letter '*' at position 1 is not in the alphabet");
    EXPECT_EQ(result.failures.count(), 2u);
    EXPECT_EQ(result.span[0], AlignedSpan{});
}

TEST_F(AlignerTest, AllPairsBadOrNoPairs)
{
    EXPECT_EQ(align({{1, 1}}).status[0], Status::invalid_sequence);
    EXPECT_EQ(align({}).count(), 0u);
}

TEST_F(AlignerTest, PairsAreChecked)
{
    for (Pair const pair : {Pair{4, 0}, Pair{0, 4}, Pair{UINT64_MAX, 0}}) {
        try {
            align({{0, 0}, pair});
            ADD_FAILURE();
        } catch (Error const & error) {
            EXPECT_EQ(error.status, Status::invalid_argument);
            EXPECT_EQ(error.pair, 1u);
        }
    }
}

TEST_F(AlignerTest, SequencesAloneMayPassTheMemoryLimit)
{
    AlignerOptions options;
    options.max_host_bytes = 100;
    Aligner limited{options};
    EXPECT_THROW(limited.align({raw_, raw_, {}}, dna_, cigar_, {}), Error);
}

TEST_F(AlignerTest, EstimateCountsTheCodes)
{
    std::vector<Pair> const pairs{{0, 0}, {1, 1}, {3, 3}};
    Estimate const estimate = aligner_.estimate({raw_, raw_, pairs}, dna_, cigar_);
    EXPECT_EQ(estimate.cells, 20u) << "of the pairs that can be aligned";
    EXPECT_GE(estimate.host_bytes, 2 * CodedSequences::bytes_for(raw_));
}

TEST(AlignerOptions, CudaByNameIsAnErrorWithoutIt)
{
    AlignerOptions options;
    options.backend = BackendKind::cuda;
    if (device_count(BackendKind::cuda) > 0)
        GTEST_SKIP() << "there is a CUDA device";
    EXPECT_THROW(Aligner{options}, Error);
    EXPECT_NE(why_no_device(), "");
    EXPECT_EQ(describe_device(BackendKind::cuda, 0), "");
}

TEST(AlignerOptions, AutomaticSaysSoInTheLog)
{
    std::vector<std::string> log;
    AlignerOptions options;
    options.log = [&](LogLevel, std::string const & text) { log.push_back(text); };
    Aligner const automatic{options};
    EXPECT_EQ(log.size(), resolve(BackendKind::automatic) == BackendKind::cpu ? 1u : 0u);
    options.backend = BackendKind::cpu;
    log.clear();
    Aligner const cpu{options};
    EXPECT_TRUE(log.empty());
    EXPECT_EQ(cpu.backend().name().substr(0, 4), "cpu:");
}

TEST(AlignerOptions, UnknownInstructionSets)
{
    AlignerOptions options;
    options.backend = BackendKind::cpu;
    options.cpu_isa = "avx9";
    EXPECT_THROW(Aligner{options}, Error);
    options.cpu_isa = "";
    setenv("NWGPU_FORCE_ISA", "avx9", 1);
    EXPECT_THROW(Aligner{options}, Error);
    unsetenv("NWGPU_FORCE_ISA");
    EXPECT_NO_THROW(Aligner{options});
}

TEST(Devices, TheCpuIsOne)
{
    EXPECT_EQ(device_count(BackendKind::cpu), 1);
    EXPECT_NE(describe_device(BackendKind::cpu, 0), "");
    EXPECT_EQ(describe_device(BackendKind::cpu, 1), "");
    EXPECT_EQ(build_info().substr(0, 5), "cuda=");
}

} // namespace
} // namespace nwgpu
