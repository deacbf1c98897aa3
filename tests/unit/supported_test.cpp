// SPDX-License-Identifier: BSD-3-Clause
// Our answer to which instruction sets this CPU has, and Highway's.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cpu/engine.hpp"
#include "cpu/supported.hpp"
#include "cpu/targets.hpp" // before Highway

#include <hwy/targets.h>

namespace nwgpu::cpu {
namespace {

TEST(SupportedTest, AsHighwaySays)
{
    std::int64_t const compiled = HWY_TARGETS; // of those that kernels are compiled for
    EXPECT_EQ(supported_targets() & compiled, hwy::SupportedTargets() & compiled);
}

// The worst set is the baseline, which every CPU has; its name is ours, not that of a version of Highway.
TEST(SupportedTest, BaselineRunsEverywhere)
{
    EXPECT_EQ(available_isas().back(), compiled_isas().back());
#if HWY_ARCH_ARM_A64
    EXPECT_THAT(compiled_isas(), testing::ElementsAre("neon"));
#endif
}

} // namespace
} // namespace nwgpu::cpu
