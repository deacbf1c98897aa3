// SPDX-License-Identifier: BSD-3-Clause
// What tests of pairs longer than a block share.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <tuple>

#include "support/cases.hpp"

namespace nwgpu::test {

struct Shape {
    Model model;
    std::uint64_t query, target;
    double divergence;
};

// Of tests over names of schemes and numbers of all_modes().
inline std::string scheme_and_mode(testing::TestParamInfo<std::tuple<std::string, int>> const & info)
{
    return std::get<0>(info.param) + "_" + name(all_modes()[std::get<1>(info.param)]);
}

} // namespace nwgpu::test
