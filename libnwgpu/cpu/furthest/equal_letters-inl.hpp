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

#include "base/equal_letters.hpp"
#include "cpu/furthest/fronts.hpp"

HWY_BEFORE_NAMESPACE();
namespace nwgpu::cpu::HWY_NAMESPACE {
namespace {

// Letters that are compared at a time: reads of 64 bytes would nearly always cross a line of the cache.
using LettersTag = hwy::HWY_NAMESPACE::CappedTag<std::uint8_t, 32>;
constexpr std::int64_t letters_at_once = hwy::HWY_NAMESPACE::MaxLanes(LettersTag{});
static_assert(letters_at_once <= 32);

// How many letters are equal from a and b on, `most` at most; reads up to 63 letters behind them.
HWY_INLINE std::int64_t equal_letters_from(std::uint8_t const * a, std::uint8_t const * b, std::int64_t most)
{
    namespace hn = hwy::HWY_NAMESPACE;
    LettersTag const d;
    std::int64_t equal = 0;
    for (; equal < most; equal += static_cast<std::int64_t>(hn::Lanes(d))) {
        auto const different = hn::Ne(hn::LoadU(d, a + equal), hn::LoadU(d, b + equal));
        if (std::intptr_t const k = hn::FindFirstTrue(d, different); k >= 0)
            return std::min<std::int64_t>(equal + k, most);
    }
    return most;
}

// A bit for each place of a vector's letters where these differ; the others are 0.
HWY_INLINE std::uint64_t different_letters(std::uint8_t const * a, std::uint8_t const * b)
{
    namespace hn = hwy::HWY_NAMESPACE;
    LettersTag const d;
#if HWY_TARGET == HWY_AVX3
    // As on AVX2: bits that come from mask registers take longer.  (And where GCC 12 has no register for a mask of 32
    // bits it may read it again as one of 64.)
    return static_cast<std::uint32_t>(
        ~_mm256_movemask_epi8(_mm256_cmpeq_epi8(hn::LoadU(d, a).raw, hn::LoadU(d, b).raw)));
#else
    std::uint8_t bytes[8] = {};
    hn::StoreMaskBits(d, hn::Ne(hn::LoadU(d, a), hn::LoadU(d, b)), bytes);
    return eight_letters(bytes);
#endif
}

// The same where hundreds are expected: two vectors at a time.
HWY_INLINE std::int64_t many_equal_letters(std::uint8_t const * a, std::uint8_t const * b, std::int64_t most)
{
    namespace hn = hwy::HWY_NAMESPACE;
    LettersTag const d;
    auto const lanes = static_cast<std::int64_t>(hn::Lanes(d));
    std::int64_t equal = 0;
    for (; equal + 2 * lanes <= most; equal += 2 * lanes) {
        auto const first = hn::Ne(hn::LoadU(d, a + equal), hn::LoadU(d, b + equal)),
                   second = hn::Ne(hn::LoadU(d, a + equal + lanes), hn::LoadU(d, b + equal + lanes));
        if (hn::AllFalse(d, hn::Or(first, second)))
            continue;
        std::uint64_t const bits = different_letters(a + equal, b + equal),
                            more = different_letters(a + equal + lanes, b + equal + lanes);
        return equal + (bits != 0 ? std::countr_zero(bits) : lanes + std::countr_zero(more));
    }
    return equal + equal_letters_from(a + equal, b + equal, most - equal);
}

// The points of a front's diagonals, cells of the matrix, go on over equal letters, and up to 8 letters beyond the end
// of their diagonal; `numbers` begins with diagonal f.low.  If `checked`, some may be no cells: these stay.  Not while
// the front is computed: numbers that were stored together can be read one by one only when they have left the core's
// store queue.  Not inlined, so that addresses are added up once.
template <bool checked, class T>
HWY_NOINLINE void extend_points(Fronts const & f, T * numbers)
{
    std::int64_t const base = f.base;
    std::uint8_t const *query = f.query - base - f.low, *const target = f.target - base;
    T const * const first = numbers;
    auto const go_on = [&](std::int64_t lane) HWY_ATTR {
        std::int64_t const reach = numbers[lane];
        if (checked && reach < base)
            return;
        std::uint64_t const different = eight_letters(query + reach - lane) ^ eight_letters(target + reach);
        if (different != 0) [[likely]] {
            numbers[lane] = static_cast<T>(reach + (__builtin_ctzll(different) >> 3));
        } else {
            std::int64_t const k = f.low + (numbers - first) + lane, from = reach + 8;
            numbers[lane] = static_cast<T>(
                from + equal_letters_from(query + from - lane, target + from, base + std::min(f.n, f.m + k) - from));
        }
    };
    std::int64_t count = f.high - f.low + 1;
    for (; count >= 8; count -= 8, numbers += 8, query -= 8) {
#pragma GCC unroll 8
        for (std::int64_t lane = 0; lane < 8; ++lane)
            go_on(lane);
    }
    for (std::int64_t lane = 0; lane < count; ++lane)
        go_on(lane);
}

} // namespace
} // namespace nwgpu::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
