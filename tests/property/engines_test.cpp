// SPDX-License-Identifier: BSD-3-Clause
// Random pairs on a GPU: scores, spans and CIGARs are those of the CPU engine, which is quick enough for 10^7 of them
// (NWGPU_TEST_ENGINE=cuda NWGPU_TEST_PAIRS=10000000).
#include <gtest/gtest.h>

#include "groups.hpp"

namespace nwgpu::test {
namespace {

void expect_cpu(Group const & group)
{
    PairSet const set{group.pairs, group.scheme->scoring};
    Random random{group.seed};
    Request const request{group.mode, static_cast<Output>(random.below(3)), CigarStyle::eqx};
    static EngineSetup const cpu{.threads = 1};
    check(set, *group.scheme, request, group.options, run(set, group.scheme->scoring, request, cpu), group.words());
}

class EnginesProperty : public testing::Test {
    void SetUp() override
    {
        if (!on_a_gpu())
            GTEST_SKIP() << "NWGPU_TEST_ENGINE=cuda compares a GPU with the CPU";
    }
};

TEST_F(EnginesProperty, ShortPairs) { for_groups(0.5, 40, expect_cpu); }
TEST_F(EnginesProperty, ReadPairs) { for_groups(0.4, 320, expect_cpu); }
TEST_F(EnginesProperty, MediumPairs) { for_groups(0.09, 1300, expect_cpu); }
TEST_F(EnginesProperty, LongPairs) { for_groups(0.01, 5000, expect_cpu); }

} // namespace
} // namespace nwgpu::test
