// SPDX-License-Identifier: BSD-3-Clause
// Every published algorithm against the oracle, scores, ends and CIGARs, on lengths around every tile; the CUDA ones
// twice: their very kernels thread by thread on the CPU, and on a GPU where there is one.
#include <gtest/gtest.h>

#include <algorithm>

#include "emulation/emulated.hpp"
#include "published/engine.hpp"
#include "published/subject.hpp"
#include "support/engines.hpp"

namespace nwgpu::test {
namespace {

enum class On { cpu, emulated, gpu };
struct Case {
    std::string choice;
    On on;
};

std::string name(Case const & c)
{
    std::string name = c.choice;
    std::ranges::replace_if(
        name, [](unsigned char letter) { return !std::isalnum(letter); }, '_');
    return (c.on == On::gpu ? "cuda_" : "") + name;
}

class Published : public testing::TestWithParam<Case> {
protected:
    void SetUp() override
    {
        if (GetParam().on == On::gpu)
            NWGPU_NEEDS_GPU();
        backend_ = GetParam().on == On::emulated ? make_emulated(GetParam().choice)
                                                 : published::make_engine(GetParam().choice, {.threads = 3});
    }
    Subject subject() { return {*choice_.algorithm, *backend_, "--algorithm " + name(GetParam())}; }
    template <typename T>
    T by_place(T cpu, T emulated, T gpu) const
    {
        return GetParam().on == On::cpu ? cpu : GetParam().on == On::emulated ? emulated : gpu;
    }

    published::Choice const choice_ = published::parse_choice(GetParam().choice);
    std::unique_ptr<Backend> backend_;
};

TEST_P(Published, EverySchemeEqualsOracle)
{
    EXPECT_EQ(choice_.algorithm->processor == published::Processor::cpu, GetParam().on == On::cpu);
    subject().check_schemes(by_place(12, 2, 4), by_place(200, 80, 400), 1);
}

TEST_P(Published, EdgeLengthsEqualOracle)
{
    using Lengths = std::vector<std::uint64_t>;
    subject().check_lengths(by_place(Lengths{0, 1, 2, 3, 7, 8, 9, 31, 32, 33, 64, 127, 128, 129, 257},
                                     Lengths{0, 1, 2, 31, 33, 64, 101}, Lengths{0, 1, 31, 33, 64, 129, 257, 513}),
                            2);
}

// The thesis's own check, 50 random sequences of 100 to 23K residues, on the CPU at a tenth of the lengths; the
// engine's CIGARs are the oracle's, which would take too long here.
class PublishedThesis : public Published {};

TEST_P(PublishedThesis, CheckEqualsEngine)
{
    Scheme const s = subject().schemes().front();
    std::uint64_t longest = by_place(2300, 0, 23000);
    char const paper = choice_.algorithm->paper[0];
    if (paper == 'B' || paper == 'C') // 12 bytes a cell, published to 8K
        longest = std::min<std::uint64_t>(longest, 8192);
    Random random{3};
    std::vector<SequencePair> pairs;
    for (int k = 0; k < 25; ++k)
        pairs.push_back(random_pair(random, k % 2 == 0 ? Model::mutated : Model::uniform, random.between(100, longest),
                                    random.between(100, longest), s.letters));
    PairSet const set{std::move(pairs), s.scoring};
    for (Mode const & mode : subject().modes()) {
        Request const request{mode, choice_.algorithm->output, CigarStyle::eqx};
        check(set, s, request, *backend_, run(set, s.scoring, request, EngineSetup{}),
              "thesis seed=3 " + subject().words);
    }
}

std::vector<Case> cases(On on, std::vector<std::string> const & choices)
{
    std::vector<Case> all;
    for (std::string const & choice : choices)
        all.push_back({choice, on});
    return all;
}

// Few threads, since each switch between two of them costs more than a cell; tiles that are not square, several
// super-tiles, scans over several blocks, more blocks than one at a barrier, and CUDAlign's smallest and odd grids.
std::vector<std::string> const & choices()
{
    static std::vector<std::string> const all{"gpu1-ml-diag:threads=32",
                                              "gpu2-ml-diagrow2pass",
                                              "gpu2-ml-diagrow2pass:rows=3,cols=2",
                                              "gpu3-ml-diagdiag",
                                              "gpu3-ml-diagdiag:cols=33",
                                              "gpu4-ml-diagdiag2pass:cols=32",
                                              "gpu5-coop-diagdiag:cols=34",
                                              "gpu6-coop-diagdiag2pass:cols=33",
                                              "gpu7-mlsp-diagdiag:cols=35",
                                              "gpu8-mlsp-diagdiag:cols=32",
                                              "gpu8-mlsp-diagdiag:cols=70",
                                              "gpu9-mlsp-diagdiagdiag:warps=3,cols=40",
                                              "gpu9-mlsp-diagdiagdiag:warps=2,cols=32",
                                              "gpu10-mlsp-supertile:cols=32,side=1",
                                              "gpu10-mlsp-supertile:cols=33,side=2",
                                              "rowscan:threads=32",
                                              "antidiagonal:threads=32",
                                              "swat-offload:blocks=2,threads=32",
                                              "swat-coalesced:blocks=1,threads=32",
                                              "swat-tiled:tile=8",
                                              "swat-tiled:tile=19",
                                              "swat-barrier:blocks=3,threads=32",
                                              "cudalign",
                                              "cudalign:blocks=1,threads=1",
                                              "cudalign:blocks=2,threads=4",
                                              "cudalign:blocks=5,threads=2",
                                              "cudalign:blocks=3,threads=8",
                                              "cudalign:blocks=3,threads=2,rows=3",
                                              "cudalign:blocks=2,threads=1,rows=4096",
                                              "cudalign:blocks=2,threads=4,rows=0"};
    return all;
}

TEST(PublishedList, NoneIsLeftOut)
{
    for (published::Algorithm const & algorithm : published::algorithms()) {
        bool const listed = std::any_of(choices().begin(), choices().end(), [&](std::string const & choice) {
            return published::parse_choice(choice).algorithm == &algorithm;
        });
        EXPECT_EQ(listed, algorithm.processor == published::Processor::cuda) << algorithm.name;
    }
}

std::vector<Case> on_gpus()
{
    std::vector<Case> all;
    for (published::Algorithm const & algorithm : published::algorithms())
        if (algorithm.processor == published::Processor::cuda && cuda::build_info() != "none")
            all.push_back({algorithm.name, On::gpu});
    return all;
}

auto const on_cpu =
    testing::ValuesIn(cases(On::cpu, {"cpu1-st-row", "cpu2-st-diag", "cpu3-st-diagrow", "cpu3-st-diagrow:rows=1,cols=7",
                                      "cpu4-mt-diagrow", "cpu4-mt-diagrow:rows=8,cols=3", "swat-serial"}));
auto const case_name = [](auto const & info) { return name(info.param); };
INSTANTIATE_TEST_SUITE_P(Cpu, Published, on_cpu, case_name);
INSTANTIATE_TEST_SUITE_P(Emulated, Published, testing::ValuesIn(cases(On::emulated, choices())), case_name);
INSTANTIATE_TEST_SUITE_P(Gpu, Published, testing::ValuesIn(on_gpus()), case_name);
INSTANTIATE_TEST_SUITE_P(Cpu, PublishedThesis, on_cpu, case_name);
INSTANTIATE_TEST_SUITE_P(Gpu, PublishedThesis, testing::ValuesIn(on_gpus()), case_name);

} // namespace
} // namespace nwgpu::test
