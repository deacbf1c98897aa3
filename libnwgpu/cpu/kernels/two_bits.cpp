// SPDX-License-Identifier: BSD-3-Clause
// Letters of four kinds into two bits each, for engines to which letters have a long way.
#include "cpu/kernels/isas.hpp" // must come first

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/kernels/two_bits.cpp"
#include <hwy/foreach_target.h> // must come before highway.h

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include "cpu/kernels/simd-inl.hpp"
#include "model/two_bits.hpp"

HWY_BEFORE_NAMESPACE();
namespace nwgpu::cpu::HWY_NAMESPACE {

std::uint64_t to_two_bits(std::uint8_t const * letters, std::uint64_t blocks, FourLetters const & four,
                          std::uint8_t * to)
{
    hn::ScalableTag<std::uint8_t> const d;
    std::uint64_t const lanes = hn::Lanes(d);
    static_assert(two_bit_bytes % hn::MaxLanes(d) == 0);
    auto const zeroth = hn::Set(d, four[0]), first = hn::Set(d, four[1]), second = hn::Set(d, four[2]),
               third = hn::Set(d, four[3]);
    auto const none = hn::Zero(d);
    constexpr std::uint64_t ahead = 8 * two_bit_letters; // letters: what processors fetch by themselves is too late
    for (std::uint64_t b = 0; b < blocks; ++b, letters += two_bit_letters, to += two_bit_bytes) {
        for (std::uint64_t k = 0; k < two_bit_letters; k += 64)
            hwy::Prefetch(letters + ahead + k);
        auto known = hn::Eq(none, none);
        for (std::uint64_t k = 0; k < two_bit_bytes; k += lanes) {
            auto packed = none;
            for (unsigned part = 0; part < 4; ++part) {
                auto const here = hn::LoadU(d, letters + part * two_bit_bytes + k);
                auto const is_third = hn::Eq(here, third);
                auto const low = hn::Or(hn::Eq(here, first), is_third), high = hn::Or(hn::Eq(here, second), is_third);
                known = hn::And(known, hn::Or(hn::Eq(here, zeroth), hn::Or(low, high)));
                packed = hn::Or(packed, hn::IfThenElseZero(low, hn::Set(d, static_cast<std::uint8_t>(1u << 2 * part))));
                packed =
                    hn::Or(packed, hn::IfThenElseZero(high, hn::Set(d, static_cast<std::uint8_t>(2u << 2 * part))));
            }
            hn::StoreU(packed, d, to + k);
        }
        if (HWY_UNLIKELY(!hn::AllTrue(d, known)))
            return b;
    }
    return blocks;
}

} // namespace nwgpu::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
