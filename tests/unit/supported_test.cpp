// SPDX-License-Identifier: BSD-3-Clause
// Our answer to which instruction sets this CPU has, and Highway's.
#include <gtest/gtest.h>

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

} // namespace
} // namespace nwgpu::cpu
