// SPDX-License-Identifier: BSD-3-Clause
// Letters into codes.  The letters '@' to DEL, and so all of the alphabet, by four lookups of 16; vectors with others
// one letter after the other.
#include "cpu/kernels/isas.hpp" // must come first

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/kernels/translate.cpp"
#include <hwy/foreach_target.h> // must come before highway.h

#include <hwy/highway.h>

#include "cpu/kernels/simd-inl.hpp"
#include "model/batch.hpp"

HWY_BEFORE_NAMESPACE();
namespace nwgpu::cpu::HWY_NAMESPACE {

std::uint8_t translate(std::uint8_t const * letters, std::uint64_t n, std::uint8_t const * codes, std::uint8_t * out)
{
    hn::ScalableTag<std::uint8_t> const d;
    std::uint64_t const lanes = hn::Lanes(d);
    auto const table = [&](int k) HWY_ATTR { return hn::LoadDup128(d, codes + 64 + 16 * k); };
    auto const t0 = table(0), t1 = table(1), t2 = table(2), t3 = table(3);
    auto const low = hn::Set(d, 15), bit4 = hn::Set(d, 16), bit5 = hn::Set(d, 32), top = hn::Set(d, 0xc0),
               of_letters = hn::Set(d, 0x40);
    auto all = hn::Zero(d);
    std::uint8_t others = 0;
    std::uint64_t i = 0;
    for (; i + lanes <= n; i += lanes) {
        auto const v = hn::LoadU(d, letters + i);
        if (HWY_UNLIKELY(!hn::AllTrue(d, hn::Eq(hn::And(v, top), of_letters)))) {
            others |= nwgpu::translate(letters + i, lanes, codes, out + i);
            continue;
        }
        auto const place = hn::And(v, low);
        auto const odd = hn::TestBit(v, bit4);
        auto const first = hn::IfThenElse(odd, hn::TableLookupBytes(t1, place), hn::TableLookupBytes(t0, place));
        auto const second = hn::IfThenElse(odd, hn::TableLookupBytes(t3, place), hn::TableLookupBytes(t2, place));
        auto const code = hn::IfThenElse(hn::TestBit(v, bit5), second, first);
        all = hn::Or(all, code);
        hn::StoreU(code, d, out + i);
    }
    others |= nwgpu::translate(letters + i, n - i, codes, out + i);
    std::uint8_t bytes[hn::MaxLanes(d)];
    hn::StoreU(all, d, bytes);
    for (std::uint64_t lane = 0; lane < lanes; ++lane)
        others |= bytes[lane];
    return others;
}

} // namespace nwgpu::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
