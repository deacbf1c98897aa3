// SPDX-License-Identifier: BSD-3-Clause
// Sequences side by side, one per lane, for batch_global, batch_local and batch_extend.  Called by lane_batch.cpp
// through the table of kernel_table.hpp.
#include "cpu/kernels/isas.hpp" // must come first

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/kernels/batch_letters.cpp"
#include <hwy/foreach_target.h> // must come before highway.h

#include <algorithm>

#include <hwy/highway.h>

#include "cpu/kernels/kernels.hpp"
#include "cpu/kernels/lane_groups.hpp"
#include "cpu/kernels/simd-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace nwgpu::cpu::HWY_NAMESPACE {
namespace {

constexpr int all_lanes = hn::MaxLanes(hn::ScalableTag<std::uint8_t>{});

// 16 letters of every lane, from at(lane).
template <int lanes, class At>
HWY_INLINE void interleave(At const & at, std::uint8_t * out)
{
    // The interleaving needs whole blocks of 16 bytes; with fewer lanes their upper half is a copy.
    hn::CappedTag < std::uint8_t, lanes<16 ? 16 : lanes> const d;
    hn::VFromD<decltype(d)> rows[16];
    transpose_slices<16>(
        d, [&](int p) HWY_ATTR { return at(p % lanes); }, rows);
    for (int r = 0; r < 16; ++r) {
        if constexpr (lanes < 16)
            hn::StoreU(hn::LowerHalf(rows[r]), hn::Half<decltype(d)>{}, out + r * lanes);
        else
            hn::StoreU(rows[r], d, out + r * lanes);
    }
}

template <int lanes>
void run(BatchLetters const & letters)
{
    std::uint8_t padding[16];
    std::fill_n(padding, 16, letters.padding);
    auto const shortest = static_cast<std::uint64_t>(*std::min_element(letters.length, letters.length + lanes));
    std::uint64_t position = 0;
    for (; position < shortest; position += 16)
        interleave<lanes>([&](int lane) HWY_ATTR { return letters.sequence[lane] + position; },
                          letters.out + position * lanes);
    for (; position < letters.longest; position += 16)
        interleave<lanes>(
            [&](int lane) HWY_ATTR {
                bool const inside = position < static_cast<std::uint64_t>(letters.length[lane]);
                return inside ? letters.sequence[lane] + position : padding;
            },
            letters.out + position * lanes);
    for (int lane = 0; lane < lanes; ++lane)
        for (int end = letters.length[lane]; end % 16 != 0; ++end)
            letters.out[end * lanes + lane] = letters.padding;
}

} // namespace

void batch_letters(BatchLetters const & letters, int lanes)
{
    return lanes == all_lanes ? run<all_lanes>(letters) : run<all_lanes / 2>(letters);
}

} // namespace nwgpu::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
