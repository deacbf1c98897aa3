// SPDX-License-Identifier: BSD-3-Clause
// 64 cells of a column at a time (bit_group.hpp), after Myers (1999) and Hyyro (2003): `more` and `less` are the rows
// whose cell of the last column is one more, or one less, than the one above.
#include "cpu/kernels/isas.hpp" // must come first

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/furthest/bit_group.cpp"
#include <hwy/foreach_target.h> // must come before highway.h

#include <hwy/highway.h>

#include "cpu/furthest/bit_group.hpp"

HWY_BEFORE_NAMESPACE();
namespace nwgpu::cpu::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

void bit_group(BitGroup const & g)
{
    hn::CappedTag<std::uint64_t, BitGroup::most_lanes> const d;
    hn::Rebind<std::uint32_t, decltype(d)> const d32;
    hn::Rebind<std::uint8_t, decltype(d)> const d8;
    using V = hn::VFromD<decltype(d)>;
    constexpr auto lanes = static_cast<std::int64_t>(hn::MaxLanes(d));
    HWY_ALIGN std::int64_t lane_before[BitGroup::most_lanes] = {0, 0, 1, 2};
    auto const from_lane_before = hn::SetTableIndices(d, lane_before);
    auto const first = hn::FirstN(d, 1);
    V const rows0 = hn::LoadU(d, g.letters[0]), rows1 = hn::LoadU(d, g.letters[1]), rows2 = hn::LoadU(d, g.letters[2]),
            one = hn::Set(d, 1), all = hn::Set(d, ~std::uint64_t{0});
    V more = all, less = hn::Zero(d), left = hn::Zero(d), left_less = hn::Zero(d);
    std::uint64_t * to = g.steps;
    for (std::int64_t t = g.begin; t < g.end + lanes; ++t) {
        // Of the row above each lane: than in the column before.
        std::uint64_t more_above = 1, less_above = 0;
        if (g.above_steps != nullptr && t <= g.above_end) {
            std::uint64_t const * const from = g.above_steps + t * (BitGroup::planes * lanes);
            more_above = from[BitGroup::left * lanes] >> 63;
            less_above = from[BitGroup::left_less * lanes] >> 63;
        }
        V const in_more = hn::IfThenElse(first, hn::Set(d, more_above),
                                         hn::TableLookupLanes(hn::ShiftRight<63>(left), from_lane_before)),
                in_less = hn::IfThenElse(first, hn::Set(d, less_above),
                                         hn::TableLookupLanes(hn::ShiftRight<63>(left_less), from_lane_before));
        V const letter = hn::PromoteTo(d, hn::PromoteTo(d32, hn::LoadU(d8, g.target - t)));
        V const letter0 = hn::Sub(hn::Zero(d), hn::And(letter, one)),
                letter1 = hn::Sub(hn::Zero(d), hn::And(hn::ShiftRight<1>(letter), one)),
                letter2 = hn::Sub(hn::Zero(d), hn::ShiftRight<2>(letter));
        V const different = hn::Or(hn::Or(hn::Xor(rows0, letter0), hn::Xor(rows1, letter1)), hn::Xor(rows2, letter2));
        V const equal = hn::Or(hn::Xor(different, all), in_less);
        V const same = hn::Or(hn::Or(hn::Xor(hn::Add(hn::And(equal, more), more), more), equal), less);
        left = hn::Or(less, hn::AndNot(hn::Or(same, more), all));
        left_less = hn::And(more, same);
        V const above_left = hn::Or(hn::Add(left, left), in_more);
        more = hn::Or(hn::Or(hn::Add(left_less, left_less), in_less), hn::AndNot(hn::Or(same, above_left), all));
        less = hn::And(above_left, same);
        hn::StoreU(same, d, to + BitGroup::same * lanes);
        hn::StoreU(more, d, to + BitGroup::above * lanes);
        hn::StoreU(left, d, to + BitGroup::left * lanes);
        hn::StoreU(left_less, d, to + BitGroup::left_less * lanes);
        to += BitGroup::planes * lanes;
        if (t - g.begin < lanes - 1) { // lanes behind have not begun
            auto const begun = hn::FirstN(d, static_cast<std::size_t>(t - g.begin + 1));
            more = hn::IfThenElse(begun, more, all);
            less = hn::IfThenElseZero(begun, less);
        }
    }
}

} // namespace nwgpu::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
