// SPDX-License-Identifier: BSD-3-Clause
// Letters compared many at a time, for kernels of fronts.  Included once per instruction set, inside
// foreach_target.
#if defined(NWGPU_CPU_EQUAL_LETTERS_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef NWGPU_CPU_EQUAL_LETTERS_INL_HPP
#undef NWGPU_CPU_EQUAL_LETTERS_INL_HPP
#else
#define NWGPU_CPU_EQUAL_LETTERS_INL_HPP
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

HWY_BEFORE_NAMESPACE();
namespace nwgpu::cpu::HWY_NAMESPACE {
namespace {

// How many letters are equal from a and b on, `most` at most; reads up to 63 letters behind them.
HWY_INLINE std::int64_t equal_letters(std::uint8_t const * a, std::uint8_t const * b, std::int64_t most)
{
    namespace hn = hwy::HWY_NAMESPACE;
    hn::ScalableTag<std::uint8_t> const d;
    std::int64_t equal = 0;
    for (; equal < most; equal += static_cast<std::int64_t>(hn::Lanes(d))) {
        auto const different = hn::Ne(hn::LoadU(d, a + equal), hn::LoadU(d, b + equal));
        if (std::intptr_t const k = hn::FindFirstTrue(d, different); k >= 0)
            return std::min<std::int64_t>(equal + k, most);
    }
    return most;
}

HWY_INLINE std::uint64_t eight(std::uint8_t const * from)
{
    std::uint64_t bytes;
    std::memcpy(&bytes, from, 8);
    return std::endian::native == std::endian::big ? __builtin_bswap64(bytes) : bytes;
}

} // namespace
} // namespace nwgpu::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
