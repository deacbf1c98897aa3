// SPDX-License-Identifier: BSD-3-Clause
// Antidiagonals in absolute scores: what the other kernels do not do, bands and other ties.  Along an antidiagonal no
// cell needs another, so a vector holds neighbouring rows.  With j = s - i:
//
//   E(i, j) = max(E(i, j-1) - extend, H(i, j-1) - open - extend)       antidiagonal s - 1, row i
//   F(i, j) = max(F(i-1, j) - extend, H(i-1, j) - open - extend)       antidiagonal s - 1, row i - 1
//   H(i, j) = max(H(i-1, j-1) + score, F(i, j), E(i, j) [, 0])         antidiagonal s - 2, row i - 1
//
// Called by align_antidiagonals.cpp through the table of kernel_table.hpp.
#include "cpu/kernels/isas.hpp" // must come first

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/kernels/antidiagonals.cpp"
#include <hwy/foreach_target.h> // must come before highway.h

#include <hwy/highway.h>

#include "cpu/kernels/kernels.hpp"

HWY_BEFORE_NAMESPACE();
namespace nwgpu::cpu::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

template <class D, class V>
void store_bits(D d, V bits, std::uint8_t * to)
{
    if constexpr (sizeof(hn::TFromD<D>) == 4) {
        hn::Rebind<std::uint8_t, D> const d8;
        hn::StoreU(hn::DemoteTo(d8, bits), d8, to);
    } else {
        HWY_ALIGN hn::TFromD<D> lanes[hn::MaxLanes(d)];
        hn::Store(bits, d, lanes);
        for (std::size_t k = 0; k < hn::Lanes(d); ++k)
            to[k] = static_cast<std::uint8_t>(lanes[k]);
    }
}

template <class T>
struct Arrays { // of one antidiagonal: its own, the one before and the one before that
    T *h, *h1, *h2, *e, *f, *f1;
};

// The cells i .. end - 1 of an antidiagonal, none of them on a border; `floored`: none is below 0.  Returns the best
// score, if it is sought and above 0.
template <class T, bool matrix, bool floored, bool seeking, bool traced>
T inner_cells(AntidiagonalJob const & job, Arrays<T> const & a, std::int64_t s, std::int64_t i, std::int64_t end,
              std::uint8_t * trace)
{
    hn::ScalableTag<T> const d;
    using V = hn::VFromD<decltype(d)>;
    auto const lanes = static_cast<std::int64_t>(hn::Lanes(d));
    auto const set = [&](std::int64_t value) HWY_ATTR { return hn::Set(d, static_cast<T>(value)); };
    V const open = set(job.open), extend = set(job.extend), open_extend = set(job.open + job.extend);
    V const match = set(job.match), mismatch = set(job.mismatch);
    T const * const query = static_cast<T const *>(job.query) - 1;
    T const * const target = static_cast<T const *>(job.target);
    std::int64_t const shift = job.n - s; // letter s - i of the target is entry n - s + i of its reverse
    T const * const table = static_cast<T const *>(job.matrix);
    V best = hn::Zero(d);
    for (; i < end; i += lanes) {
        // Inputs.
        V const q = hn::LoadU(d, query + i), t = hn::LoadU(d, target + (shift + i));
        V const left = hn::LoadU(d, a.h1 + i), up = hn::LoadU(d, a.h1 + i - 1), corner = hn::LoadU(d, a.h2 + i - 1);
        V const e_left = hn::LoadU(d, a.e + i), f_up = hn::LoadU(d, a.f1 + i - 1);
        V score;
        if constexpr (matrix)
            score = hn::GatherIndex(d, table, hn::Add(q, t));
        else
            score = hn::IfThenElse(hn::Eq(q, t), match, mismatch);

        // The cell.
        V const e = hn::Max(hn::Sub(e_left, extend), hn::Sub(left, open_extend));
        V const f = hn::Max(hn::Sub(f_up, extend), hn::Sub(up, open_extend));
        V const diagonal = hn::Add(corner, score);
        V h = hn::Max(diagonal, hn::Max(e, f));
        if constexpr (floored)
            h = hn::Max(h, hn::Zero(d));

        // Outputs.
        hn::StoreU(h, d, a.h + i);
        hn::StoreU(e, d, a.e + i);
        hn::StoreU(f, d, a.f + i);
        if constexpr (seeking) {
            auto const inside = hn::FirstN(d, static_cast<std::size_t>(end - i < lanes ? end - i : lanes));
            best = hn::Max(best, hn::IfThenElseZero(inside, h));
        }
        if constexpr (traced) {
            V const opened = hn::Sub(h, open);
            auto const bit = [&](auto mask, AntidiagonalBit value)
                                 HWY_ATTR { return hn::IfThenElseZero(mask, set(value)); };
            V bits = bit(hn::Eq(h, diagonal), antidiagonal_diagonal);
            bits = hn::Or(bits, bit(hn::Eq(h, f), antidiagonal_f));
            bits = hn::Or(bits, bit(hn::Eq(h, e), antidiagonal_e));
            bits = hn::Or(bits, bit(hn::Gt(opened, e), antidiagonal_e_opens));
            bits = hn::Or(bits, bit(hn::Gt(opened, f), antidiagonal_f_opens));
            store_bits(d, bits, trace);
            trace += lanes;
        }
    }
    return seeking ? hn::GetLane(hn::MaxOfLanes(d, best)) : T{0};
}

// H of the border cell that is `length` letters from the origin.
template <class T>
T border(AntidiagonalJob const & job, bool free, std::int64_t length)
{
    if (free || job.floored)
        return 0;
    if (job.lower > 0 || job.upper < 0)
        return antidiagonal_minus_infinity<T>;
    return static_cast<T>(length == 0 ? 0 : -job.open - length * job.extend);
}

void consider(AntidiagonalJob const & job, AntidiagonalBest & best, std::int64_t score, std::int64_t i, std::int64_t j)
{
    bool const later = j > best.j || (j == best.j && i > best.i);
    if (score > best.score || (score == best.score && later == job.last_end))
        best = {score, i, j};
}

template <class T, bool matrix, bool floored, bool seeking, bool traced>
void run(AntidiagonalJob const & job)
{
    constexpr T minus_infinity = antidiagonal_minus_infinity<T>;
    T * const e = static_cast<T *>(job.e);
    for (std::int64_t s = job.first; s <= job.last; ++s) {
        auto const h = [&](std::int64_t k) { return static_cast<T *>(job.h[(k + 3) % 3]); };
        auto const f = [&](std::int64_t k) { return static_cast<T *>(job.f[(k + 2) % 2]); };
        Arrays<T> const a{h(s), h(s - 1), h(s - 2), e, f(s), f(s - 1)};
        auto const [first, last] = job.rows(s);

        std::int64_t const inner = first > 0 ? first : 1, inner_end = last < s ? last + 1 : s;
        std::uint8_t * const trace = traced ? job.trace + (s - job.first) * job.stride + (inner - first) : nullptr;
        T const best = inner_cells<T, matrix, floored, seeking, traced>(job, a, s, inner, inner_end, trace);

        // Borders, and what the next antidiagonals see of cells that do not exist.
        auto const set = [&](std::int64_t i, T score) {
            a.h[i] = score;
            a.e[i] = a.f[i] = minus_infinity;
        };
        set(first - 1, minus_infinity);
        set(last + 1, minus_infinity);
        if (first == 0 && last >= 0)
            set(0, border<T>(job, job.free_top, s));
        if (last == s && last >= first)
            set(s, border<T>(job, s == 0 ? job.free_top : job.free_left, s));

        if constexpr (seeking) {
            if (!job.row || best <= 0 || best < job.row->score)
                continue;
            for (std::int64_t i = inner; i < inner_end; ++i)
                if (a.h[i] == best)
                    consider(job, *job.row, best, i, s - i);
        } else if (job.row) {
            bool const corner = s == job.m + job.n;
            if ((job.free_bottom || corner) && job.m >= first && job.m <= last)
                consider(job, corner ? *job.column : *job.row, a.h[job.m], job.m, s - job.m);
            std::int64_t const i = s - job.n;
            if (job.free_right && i >= first && i <= last && !corner)
                consider(job, *job.column, a.h[i], i, job.n);
        }
    }
}

template <class T, bool matrix, bool floored, bool seeking>
void choose_trace(AntidiagonalJob const & job)
{
    job.trace ? run<T, matrix, floored, seeking, true>(job) : run<T, matrix, floored, seeking, false>(job);
}

template <class T, bool matrix>
void choose_ends(AntidiagonalJob const & job)
{
    if (job.floored)
        job.ends_anywhere ? choose_trace<T, matrix, true, true>(job) : choose_trace<T, matrix, true, false>(job);
    else
        job.ends_anywhere ? choose_trace<T, matrix, false, true>(job) : choose_trace<T, matrix, false, false>(job);
}

template <class T>
void choose(AntidiagonalJob const & job)
{
    job.letters > 0 ? choose_ends<T, true>(job) : choose_ends<T, false>(job);
}

} // namespace

void antidiagonals(AntidiagonalJob const & job, int width)
{
    width == 32 ? choose<std::int32_t>(job) : choose<std::int64_t>(job);
}

} // namespace nwgpu::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
