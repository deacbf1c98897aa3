// SPDX-License-Identifier: BSD-3-Clause
// The kernel of query_lanes.hpp.
#include "cpu/kernels/isas.hpp" // must come first

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/batch/query_lanes.cpp"
#include <hwy/foreach_target.h> // must come before highway.h

#include <algorithm>
#include <cstring>

#include <hwy/highway.h>

#include "cpu/batch/query_lanes.hpp"
#include "cpu/kernels/simd-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace nwgpu::cpu::HWY_NAMESPACE {
namespace {

constexpr hn::ScalableTag<std::int8_t> d{};
constexpr std::size_t lanes = hn::MaxLanes(d);
using V = hn::VFromD<decltype(d)>;
constexpr std::int8_t zero = -128;

// What each letter of the query scores with C columns of the targets.
template <int C>
HWY_INLINE void score_letters(QueryLanes const & job, std::uint64_t col)
{
    V place[C];
    hn::Mask<decltype(d)> is_upper[C];
    NWGPU_UNROLL
    for (int c = 0; c < C; ++c) {
        auto const letter =
            hn::BitCast(d, hn::LoadU(hn::RebindToUnsigned<decltype(d)>{}, job.target + (col + c) * lanes));
        place[c] = hn::And(letter, hn::Set(d, 15));
        is_upper[c] = hn::TestBit(letter, hn::Set(d, 16));
    }
    for (int q = 0; q < job.letters; ++q) {
        std::int8_t const * const row = job.table + q * QueryLanes::table_stride;
        auto const lower = hn::LoadDup128(d, row), upper = hn::LoadDup128(d, row + 16);
        NWGPU_UNROLL
        for (int c = 0; c < C; ++c)
            hn::Store(hn::IfThenElse(is_upper[c], hn::TableLookupBytes(upper, place[c]),
                                     hn::TableLookupBytes(lower, place[c])),
                      d, job.profile + (q * C + c) * lanes);
    }
}

// C columns behind `col`: F of each column runs down the rows, E and H of each row through the columns.
template <int C>
void tile(QueryLanes const & job, std::uint64_t col, V & best)
{
    score_letters<C>(job, col);
    V const extend = hn::Set(d, job.extend), open_extend = hn::Set(d, job.open_extend), floor = hn::Set(d, zero);
    std::int8_t *const hs = job.state, *const es = hs + job.rows * lanes;
    V f[C], above[C], most[C]; // above: H of the row above
    NWGPU_UNROLL
    for (int c = 0; c < C; ++c)
        f[c] = above[c] = most[c] = floor;
    V corner = floor;
    for (std::uint64_t row = 0; row < job.rows; ++row) {
        std::int8_t const * const scores = job.profile + job.query[row] * (C * lanes);
        V const left = hn::Load(d, hs + row * lanes);
        V diagonal = corner, h = left, e = hn::Load(d, es + row * lanes);
        corner = left;
        NWGPU_UNROLL
        for (int c = 0; c < C; ++c) {
            V const from_diagonal = hn::SaturatedAdd(diagonal, hn::Load(d, scores + c * lanes));
            h = hn::Max(hn::Max(from_diagonal, e), f[c]);
            diagonal = above[c];
            above[c] = h;
            most[c] = hn::Max(most[c], h);
            V const opened = hn::SaturatedSub(h, open_extend);
            e = hn::Max(hn::SaturatedSub(e, extend), opened);
            f[c] = hn::Max(hn::SaturatedSub(f[c], extend), opened);
        }
        hn::Store(h, d, hs + row * lanes);
        hn::Store(e, d, es + row * lanes);
    }
    NWGPU_UNROLL
    for (int c = 0; c < C; ++c)
        best = hn::Max(best, most[c]);
}

} // namespace

void query_lanes(QueryLanes const & job)
{
    std::memset(job.state, zero, 2 * job.rows * lanes);
    V best = hn::Set(d, zero);
    std::uint64_t col = 0;
    for (; col + QueryLanes::columns <= job.cols; col += QueryLanes::columns)
        tile<QueryLanes::columns>(job, col, best);
    for (; col < job.cols; ++col)
        tile<1>(job, col, best);
    alignas(64) std::int8_t of_lane[lanes];
    hn::Store(best, d, of_lane);
    std::transform(of_lane, of_lane + lanes, job.best, [](std::int8_t score) { return score - zero; });
}

} // namespace nwgpu::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
