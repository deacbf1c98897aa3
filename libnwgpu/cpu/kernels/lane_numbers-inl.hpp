// SPDX-License-Identifier: BSD-3-Clause
// Sixteen bits for each byte of a vector, and their prefix maximum.  Included once per instruction set, inside
// foreach_target, by the kernels whose 8-bit scores are relative to bases.
#if defined(NWGPU_CPU_LANE_NUMBERS_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef NWGPU_CPU_LANE_NUMBERS_INL_HPP
#undef NWGPU_CPU_LANE_NUMBERS_INL_HPP
#else
#define NWGPU_CPU_LANE_NUMBERS_INL_HPP
#endif

#include <cstdint>
#include <type_traits>

#include <hwy/highway.h>

#include "cpu/kernels/simd-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace nwgpu::cpu::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// `low` has the numbers of the first eight bytes of each block of 16, `high` those of the others: widening and
// narrowing stay within blocks, which is quick.
template <int lanes>
struct LaneNumbers {
    static constexpr hn::CappedTag<std::int8_t, lanes> d{};
    static constexpr hn::CappedTag<std::int16_t, lanes / 2> d16{};
    static constexpr hn::Repartition<std::uint16_t, decltype(d16)> du16{};
    static constexpr hn::Repartition<std::uint8_t, decltype(d16)> d8{};
    static constexpr hn::Repartition<std::uint32_t, decltype(d16)> d32{};
    using V = hn::VFromD<decltype(d)>;
    using V16 = hn::VFromD<decltype(d16)>;
    V16 low, high;

    // Written out: GCC would make them without the instruction set.
    HWY_INLINE LaneNumbers() {}
    HWY_INLINE LaneNumbers(V16 of_low, V16 of_high) : low{of_low}, high{of_high} {}

    // Where load() and store() have the number of a byte.
    static constexpr int place(int byte) { return byte / 8 % 2 * (lanes / 2) + byte / 16 * 8 + byte % 8; }
    static HWY_INLINE LaneNumbers load(std::int16_t const * from)
    {
        return {hn::Load(d16, from), hn::Load(d16, from + lanes / 2)};
    }
    HWY_INLINE void store(std::int16_t * to) const
    {
        hn::Store(low, d16, to);
        hn::Store(high, d16, to + lanes / 2);
    }
    static HWY_INLINE LaneNumbers all(std::int64_t value)
    {
        V16 const both = hn::Set(d16, static_cast<std::int16_t>(value));
        return {both, both};
    }
    static HWY_INLINE LaneNumbers of(V bytes)
    {
        V const zero = hn::Zero(d);
        return {hn::ShiftRight<8>(hn::BitCast(d16, hn::InterleaveLower(d, zero, bytes))),
                hn::ShiftRight<8>(hn::BitCast(d16, hn::InterleaveUpper(d, zero, bytes)))};
    }
    HWY_INLINE LaneNumbers plus(LaneNumbers const & other) const
    {
        return {hn::Add(low, other.low), hn::Add(high, other.high)};
    }
    HWY_INLINE LaneNumbers minus(LaneNumbers const & other) const
    {
        return {hn::Sub(low, other.low), hn::Sub(high, other.high)};
    }
    HWY_INLINE LaneNumbers half() const { return {hn::ShiftRight<1>(low), hn::ShiftRight<1>(high)}; }
    // The lower eight bits.
    HWY_INLINE V narrow() const
    {
        constexpr std::uint8_t none = 0x80;
        alignas(16) static constexpr std::uint8_t of_low[16] = {0,    2,    4,    6,    8,    10,   12,   14,
                                                                none, none, none, none, none, none, none, none};
        alignas(16) static constexpr std::uint8_t of_high[16] = {none, none, none, none, none, none, none, none,
                                                                 0,    2,    4,    6,    8,    10,   12,   14};
        auto const bytes = [&](V16 v, std::uint8_t const * from) HWY_ATTR {
            return hn::TableLookupBytesOr0(hn::BitCast(d8, v), hn::LoadDup128(d8, from));
        };
        return hn::BitCast(d, hn::Or(bytes(low, of_low), bytes(high, of_high)));
    }
    // The nearest numbers of eight bits to this less `other`.
    HWY_INLINE V less(LaneNumbers const & other) const
    {
        V16 const most = hn::Set(d16, INT8_MAX), least = hn::Set(d16, INT8_MIN);
        auto const clamped = [&](V16 a, V16 b)
                                 HWY_ATTR { return hn::Max(least, hn::Min(most, hn::SaturatedSub(a, b))); };
        return LaneNumbers{clamped(low, other.low), clamped(high, other.high)}.narrow();
    }
    // Replaced by `other` where `where` is not 0.
    HWY_INLINE void replace(LaneNumbers const & where, LaneNumbers const & other)
    {
        V16 const zero = hn::Zero(d16);
        low = hn::IfThenElse(hn::Eq(where.low, zero), low, other.low);
        high = hn::IfThenElse(hn::Eq(where.high, zero), high, other.high);
    }
    // Every number is replaced by that of the next byte; the last one is junk.
    HWY_INLINE LaneNumbers down() const
    {
        auto const next_block = hn::BitCast(d8, hn::TableLookupLanes(hn::BitCast(d32, low), moved(1)));
        return {hn::BitCast(d16, hn::CombineShiftRightBytes<2>(d8, hn::BitCast(d8, high), hn::BitCast(d8, low))),
                hn::BitCast(d16, hn::CombineShiftRightBytes<2>(d8, next_block, hn::BitCast(d8, high)))};
    }
    // The maximum of every number and of those of all later bytes, taken as unsigned ones.
    HWY_INLINE LaneNumbers maximum_from_behind() const
    {
        auto const in_half_block = [&](V16 v) HWY_ATTR {
            auto const with_shifted = [&](auto m, auto bytes) HWY_ATTR {
                return hn::Max(m,
                               hn::BitCast(du16, hn::ShiftRightBytes<decltype(bytes)::value>(d8, hn::BitCast(d8, m))));
            };
            auto m = hn::BitCast(du16, v);
            m = with_shifted(m, std::integral_constant<int, 2>{});
            m = with_shifted(m, std::integral_constant<int, 4>{});
            return with_shifted(m, std::integral_constant<int, 8>{});
        };
        auto const first = [&](auto m) HWY_ATTR { // of each block, in all of its places
            alignas(16) static constexpr std::uint8_t bytes[16] = {0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1};
            return hn::BitCast(du16, hn::TableLookupBytes(hn::BitCast(d8, m), hn::LoadDup128(d8, bytes)));
        };
        auto upper = in_half_block(high);
        auto lower = hn::Max(in_half_block(low), first(upper));
        auto const of_block = first(lower);
        for (int distance = 1; distance < lanes / 16; ++distance) {
            auto const behind = hn::BitCast(
                du16, hn::And(hn::TableLookupLanes(hn::BitCast(d32, of_block), moved(distance)), exists(distance)));
            upper = hn::Max(upper, behind);
            lower = hn::Max(lower, behind);
        }
        return {hn::BitCast(d16, lower), hn::BitCast(d16, upper)};
    }

private:
    // The words of blocks that are `distance` blocks behind, and where there are such blocks.
    struct Blocks {
        alignas(64) std::int32_t index[4][16] = {};
        alignas(64) std::uint32_t exists[4][16] = {};
        constexpr Blocks()
        {
            for (int distance = 0; distance < 4; ++distance)
                for (int word = 0; word < lanes / 4; ++word) {
                    bool const found = word + 4 * distance < lanes / 4;
                    index[distance][word] = found ? word + 4 * distance : word;
                    exists[distance][word] = found ? ~std::uint32_t{0} : 0;
                }
        }
    };
    static constexpr Blocks blocks_behind{};
    static HWY_INLINE auto moved(int distance) { return hn::SetTableIndices(d32, blocks_behind.index[distance]); }
    static HWY_INLINE auto exists(int distance) { return hn::Load(d32, blocks_behind.exists[distance]); }
};

} // namespace nwgpu::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif // toggle
