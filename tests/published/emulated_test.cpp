// SPDX-License-Identifier: BSD-3-Clause
// The published CUDA algorithms against the oracle without a GPU: the very kernels, thread by thread on the CPU.  On a
// GPU tests/gpu/published_test.cpp does the same with more.
#include <gtest/gtest.h>

#include <algorithm>

#include "emulation/emulated.hpp"
#include "published/subject.hpp"

namespace nwgpu::test {
namespace {

class PublishedKernels : public testing::TestWithParam<std::string> {
protected:
    published::Choice const choice_ = published::parse_choice(GetParam());
    std::unique_ptr<Backend> const backend_ = make_emulated(GetParam());
    Subject subject_{*choice_.algorithm, *backend_, "emulated --algorithm " + GetParam()};
};

TEST_P(PublishedKernels, EverySchemeEqualsOracle) { subject_.check_schemes(2, 80, 5); }

TEST_P(PublishedKernels, EdgeLengthsEqualOracle) { subject_.check_lengths({0, 1, 2, 31, 33, 64, 101}, 6); }

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
                                              "cudalign:blocks=3,threads=8"};
    return all;
}

TEST(PublishedKernelsList, NoneIsLeftOut)
{
    for (published::Algorithm const & algorithm : published::algorithms()) {
        bool const listed = std::any_of(choices().begin(), choices().end(), [&](std::string const & choice) {
            return published::parse_choice(choice).algorithm == &algorithm;
        });
        EXPECT_EQ(listed, algorithm.processor == published::Processor::cuda) << algorithm.name;
    }
}

INSTANTIATE_TEST_SUITE_P(All, PublishedKernels, testing::ValuesIn(choices()), [](auto const & info) {
    std::string name = info.param;
    for (char & letter : name)
        if (!std::isalnum(static_cast<unsigned char>(letter)))
            letter = '_';
    return name;
});

} // namespace
} // namespace nwgpu::test
