// SPDX-License-Identifier: BSD-3-Clause
// Our answer to which instruction sets this CPU has, and Highway's.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cpu/engine.hpp"
#include "cpu/kernels/cpu_features.hpp"
#include "cpu/kernels/isas.hpp" // before Highway

#include <hwy/targets.h>

namespace nwgpu::cpu {
namespace {

TEST(CpuFeaturesTest, AsHighwaySays)
{
    std::int64_t const compiled = HWY_TARGETS; // of those that kernels are compiled for
    EXPECT_EQ(isas_of_this_cpu() & compiled, hwy::SupportedTargets() & compiled);
}

// The worst set is the baseline, which every CPU has; its name is ours, not that of a version of Highway.
TEST(CpuFeaturesTest, BaselineRunsEverywhere)
{
    EXPECT_EQ(available_isas().back(), compiled_isas().back());
#if HWY_ARCH_ARM_A64
    EXPECT_THAT(compiled_isas(), testing::ElementsAre("neon"));
#endif
}

} // namespace
} // namespace nwgpu::cpu
