// SPDX-License-Identifier: BSD-3-Clause
// Tests that are repeated for each engine of the build.  Those of the CUDA engine are called "cuda..." and skip
// themselves where there is no GPU; tests/gpu/run.sh runs them on a machine with one.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <tuple>
#include <vector>

#include "cuda/engine.hpp"
#include "support/cases.hpp"

#define NWGPU_NEEDS_GPU()                                                                                              \
    if (nwgpu::cuda::device_count() == 0)                                                                              \
    GTEST_SKIP() << nwgpu::cuda::why_none()

namespace nwgpu::test {

// Parameters: the engine, and whatever else.
template <typename... T>
class OnEachEngine : public testing::TestWithParam<std::tuple<BackendKind, T...>> {
protected:
    void SetUp() override
    {
        if (kind() == BackendKind::cuda)
            NWGPU_NEEDS_GPU();
    }
    BackendKind kind() const { return std::get<0>(this->GetParam()); }
    template <std::size_t k = 1>
    auto const & value() const
    {
        return std::get<k>(this->GetParam());
    }
};

inline std::vector<BackendKind> cuda_if_built()
{
    return std::vector<BackendKind>(cuda::build_info() != "none", BackendKind::cuda);
}

template <typename... Values>
auto on_each_engine(Values const &... values)
{
    std::vector<BackendKind> kinds = cuda_if_built();
    kinds.insert(kinds.begin(), BackendKind::cpu);
    return testing::Combine(testing::ValuesIn(kinds), values...);
}

// For what the CPU is the reference of.
template <typename... Values>
auto on_cuda(Values const &... values)
{
    return testing::Combine(testing::ValuesIn(cuda_if_built()), values...);
}

// "cpu_dna_2_4_4_2": each parameter has a name_of().
inline std::string name_of(BackendKind kind) { return kind == BackendKind::cuda ? "cuda" : "cpu"; }
inline std::string name_of(std::string const & text) { return text; }
inline std::string name_of(Mode const & mode) { return name(mode); }
struct ParameterNames {
    template <typename... T>
    std::string operator()(testing::TestParamInfo<std::tuple<BackendKind, T...>> const & info) const
    {
        std::string words;
        auto const add = [&](auto const & value) { words.append(words.empty() ? "" : "_").append(name_of(value)); };
        std::apply([&](auto const &... values) { (add(values), ...); }, info.param);
        return words;
    }
};

// Names of schemes, as parameters.
inline std::vector<std::string> names_of(std::vector<Scheme> const & schemes)
{
    std::vector<std::string> names;
    for (Scheme const & s : schemes)
        names.push_back(s.name);
    return names;
}

} // namespace nwgpu::test
