// SPDX-License-Identifier: BSD-3-Clause
// Equal letters of two sequences, for pairs of few changes (few_changes.hpp).
#include "cpu/kernels/isas.hpp" // must come first

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/furthest/equal_letters.cpp"
#include <hwy/foreach_target.h> // must come before highway.h

#include <hwy/highway.h>

#include "cpu/furthest/equal_letters-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace nwgpu::cpu::HWY_NAMESPACE {

std::uint64_t equal_letters(std::uint8_t const * query, std::uint8_t const * target, std::uint64_t most)
{
    return static_cast<std::uint64_t>(many_equal_letters(query, target, static_cast<std::int64_t>(most)));
}

} // namespace nwgpu::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
