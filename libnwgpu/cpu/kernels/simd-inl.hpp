// SPDX-License-Identifier: BSD-3-Clause
// SIMD helpers shared by the strip kernels.  Included once per instruction set, inside foreach_target.
#if defined(NWGPU_CPU_SIMD_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef NWGPU_CPU_SIMD_INL_HPP
#undef NWGPU_CPU_SIMD_INL_HPP
#else
#define NWGPU_CPU_SIMD_INL_HPP
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include <hwy/highway.h>

// Rows live in registers, so their loops must be unrolled; for the emulated target that only makes code.
#undef NWGPU_UNROLL
#if HWY_TARGET == HWY_EMU128
#define NWGPU_UNROLL
#else
#define NWGPU_UNROLL HWY_UNROLL(16)
#endif

HWY_BEFORE_NAMESPACE();
namespace nwgpu::cpu::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Vectors of whole bytes per lane move one lane towards position 0: out[p] = in[p + 1].  The last position is junk.
template <class D>
HWY_INLINE hn::VFromD<D> lanes_down(D d, hn::VFromD<D> in)
{
    hn::Repartition<std::uint32_t, D> const d32;
    constexpr std::size_t words = hn::MaxLanes(d32);
    auto next_block = in; // block b holds block b + 1 of `in`
    if constexpr (words > 4) {
        alignas(64) static constexpr std::int32_t index[16] = {4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3};
        alignas(64) static constexpr std::int32_t index8[8] = {4, 5, 6, 7, 0, 1, 2, 3};
        auto const indices = hn::SetTableIndices(d32, words == 16 ? index : index8);
        next_block = hn::BitCast(d, hn::TableLookupLanes(hn::BitCast(d32, in), indices));
    }
    hn::Repartition<std::uint8_t, D> const d8;
    return hn::BitCast(
        d, hn::CombineShiftRightBytes<sizeof(hn::TFromD<D>)>(d8, hn::BitCast(d8, next_block), hn::BitCast(d8, in)));
}

// One byte vector of D whose block b holds 16 bytes of each block source.
template <class D, class LoadBlock>
HWY_INLINE hn::VFromD<D> blocks(D d, LoadBlock const & load_block)
{
    constexpr std::size_t lanes = hn::MaxLanes(d);
    static_assert(lanes == 16 || lanes == 32 || lanes == 64);
    if constexpr (lanes == 16) {
        return load_block(0);
    } else if constexpr (lanes == 32) {
        return hn::Combine(d, load_block(1), load_block(0));
    } else {
        hn::Half<D> const half;
        return hn::Combine(d, hn::Combine(half, load_block(3), load_block(2)),
                           hn::Combine(half, load_block(1), load_block(0)));
    }
}

// A round of byte interleaving: moves one bit of the byte index of Rows registers into the register index.
template <int Rows, class D>
HWY_INLINE void interleave_round(D d, hn::VFromD<D> * HWY_RESTRICT a, int stride)
{
    NWGPU_UNROLL
    for (int i = 0; i < Rows; ++i)
        if ((i & stride) == 0) {
            auto const low = hn::InterleaveLower(d, a[i], a[i + stride]);
            a[i + stride] = hn::InterleaveUpper(d, a[i], a[i + stride]);
            a[i] = low;
        }
}

// In every block of 16 bytes: byte j of register i becomes byte i of register j.
template <class D>
HWY_INLINE void transpose_blocks(D d, hn::VFromD<D> * HWY_RESTRICT a)
{
    interleave_round<16>(d, a, 8);
    interleave_round<16>(d, a, 4);
    interleave_round<16>(d, a, 2);
    interleave_round<16>(d, a, 1);
}

// One slice of `Rows` bytes per lane, 8 or 16, becomes one vector per row: lane p's are those from slice(p).
template <int Rows, class D, class Slice>
HWY_INLINE void transpose_slices(D d, Slice const & slice, hn::VFromD<D> * HWY_RESTRICT a)
{
    static_assert(Rows == 8 || Rows == 16);
    hn::Full128<std::uint8_t> const d128;
    if constexpr (Rows == 16) {
        NWGPU_UNROLL
        for (int i = 0; i < 16; ++i)
            a[i] = blocks(d, [&](int b) HWY_ATTR { return hn::LoadU(d128, slice(16 * b + i)); });
    } else {
        // Register index = bits 3, 1, 0 of the lane number, half of the block = bit 2.
        hn::Half<hn::Full128<std::uint8_t>> const d64;
        NWGPU_UNROLL
        for (int i = 0; i < 8; ++i) {
            int const lane = (i & 4) << 1 | (i & 3);
            a[i] = blocks(d, [&](int b) HWY_ATTR {
                return hn::Combine(d128, hn::LoadU(d64, slice(16 * b + lane + 4)),
                                   hn::LoadU(d64, slice(16 * b + lane)));
            });
        }
    }
    if constexpr (Rows == 16) {
        transpose_blocks(d, a);
    } else {
        interleave_round<8>(d, a, 4);
        interleave_round<8>(d, a, 4);
        interleave_round<8>(d, a, 2);
        interleave_round<8>(d, a, 1);
    }
}

// The reverse for 16 rows: one vector per row becomes one slice per lane.
template <class D, class Slice>
HWY_INLINE void store_slices(D d, hn::VFromD<D> * HWY_RESTRICT a, Slice const & slice)
{
    constexpr int lanes = hn::MaxLanes(d);
    hn::Full128<std::uint8_t> const d128;
    transpose_blocks(d, a);
    alignas(64) std::uint8_t bytes[lanes];
    for (int i = 0; i < 16; ++i) {
        hn::Store(a[i], d, bytes);
        for (int block = 0; block < lanes / 16; ++block)
            hn::StoreU(hn::Load(d128, bytes + 16 * block), d128, slice(16 * block + i));
    }
}

// The table in which the exclusive or of two small codes finds their score.
template <class D>
HWY_INLINE hn::VFromD<D> score_by_difference(D d, hn::VFromD<D> match, hn::VFromD<D> mismatch)
{
    alignas(16) static constexpr hn::TFromD<D> equal[16] = {1};
    return hn::IfThenElse(hn::Eq(hn::LoadDup128(d, equal), hn::Zero(d)), mismatch, match);
}

// Bytes of a strip's rows as vectors, one for each of the R rows of a lane.  Lane k is at position last_lane - k;
// positions beyond hold what lane 0 has.  16 bytes are read from the first row of each lane on.
template <int R, class D>
HWY_INLINE void rows_to_lanes(D d, std::uint8_t const * rows, int last_lane, hn::VFromD<D> * HWY_RESTRICT out)
{
    hn::VFromD<D> a[16];
    transpose_slices<16>(
        d, [&](int p) { return rows + std::max(last_lane - p, 0) * R; }, a);
    for (int r = 0; r < R; ++r)
        out[r] = a[r];
}

// The reverse; 16 bytes are written from the first row of each lane on.
template <int R, class D>
HWY_INLINE void lanes_to_rows(D d, hn::VFromD<D> const * HWY_RESTRICT in, int last_lane, std::uint8_t * rows)
{
    hn::VFromD<D> a[16];
    for (int r = 0; r < 16; ++r)
        a[r] = in[r % R];
    alignas(64) std::uint8_t slices[hn::MaxLanes(d)][16];
    store_slices(d, a, [&](int p) { return slices[p]; });
    for (int lane = 0; lane <= last_lane; ++lane)
        std::memcpy(rows + lane * R, slices[last_lane - lane], 16);
}

} // namespace nwgpu::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif // toggle
