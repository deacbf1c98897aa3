// SPDX-License-Identifier: BSD-3-Clause
// Antidiagonals in absolute scores: what the other kernels do not do, bands and other ties.  Along an antidiagonal no
// cell needs another, so a vector holds neighbouring rows.  With j = s - i:
//
//   E(i, j) = max(E(i, j-1) - extend, H(i, j-1) - open - extend)       antidiagonal s - 1, row i
//   F(i, j) = max(F(i-1, j) - extend, H(i-1, j) - open - extend)       antidiagonal s - 1, row i - 1
//   H(i, j) = max(H(i-1, j-1) + score, F(i, j), E(i, j) [, 0])         antidiagonal s - 2, row i - 1
//
// Called by wave_pair.cpp through the table of kernel_table.hpp.
#include "cpu/targets.hpp" // must come first

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/wave_kernel.cpp"
#include <hwy/foreach_target.h> // must come before highway.h

#include <hwy/highway.h>

#include "cpu/kernels.hpp"

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

// The cells i .. end - 1 of an antidiagonal, none of them on a border.  Returns the best score, if asked for.
template <class T, bool matrix, bool local, bool traced>
T inner_cells(Wave const & wave, Arrays<T> const & a, std::int64_t s, std::int64_t i, std::int64_t end,
              std::uint8_t * trace)
{
    hn::ScalableTag<T> const d;
    using V = hn::VFromD<decltype(d)>;
    auto const lanes = static_cast<std::int64_t>(hn::Lanes(d));
    auto const set = [&](std::int64_t value) HWY_ATTR { return hn::Set(d, static_cast<T>(value)); };
    V const open = set(wave.open), extend = set(wave.extend), open_extend = set(wave.open + wave.extend);
    V const match = set(wave.match), mismatch = set(wave.mismatch);
    T const * const query = static_cast<T const *>(wave.query) - 1;
    T const * const target = static_cast<T const *>(wave.target);
    std::int64_t const shift = wave.n - s; // letter s - i of the target is entry n - s + i of its reverse
    T const * const table = static_cast<T const *>(wave.matrix);
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
        if constexpr (local)
            h = hn::Max(h, hn::Zero(d));

        // Outputs.
        hn::StoreU(h, d, a.h + i);
        hn::StoreU(e, d, a.e + i);
        hn::StoreU(f, d, a.f + i);
        if constexpr (local) {
            auto const inside = hn::FirstN(d, static_cast<std::size_t>(end - i < lanes ? end - i : lanes));
            best = hn::Max(best, hn::IfThenElseZero(inside, h));
        }
        if constexpr (traced) {
            V const opened = hn::Sub(h, open);
            auto const bit = [&](auto mask, WaveBit value) HWY_ATTR { return hn::IfThenElseZero(mask, set(value)); };
            V bits = bit(hn::Eq(h, diagonal), wave_diagonal);
            bits = hn::Or(bits, bit(hn::Eq(h, f), wave_f));
            bits = hn::Or(bits, bit(hn::Eq(h, e), wave_e));
            bits = hn::Or(bits, bit(hn::Gt(opened, e), wave_e_opens));
            bits = hn::Or(bits, bit(hn::Gt(opened, f), wave_f_opens));
            store_bits(d, bits, trace);
            trace += lanes;
        }
    }
    return local ? hn::GetLane(hn::MaxOfLanes(d, best)) : T{0};
}

// H of the border cell that is `length` letters from the origin.
template <class T>
T border(Wave const & wave, bool free, std::int64_t length)
{
    if (free || wave.local)
        return 0;
    if (wave.lower > 0 || wave.upper < 0)
        return wave_minus_infinity<T>;
    return static_cast<T>(length == 0 ? 0 : -wave.open - length * wave.extend);
}

void consider(Wave const & wave, WaveBest & best, std::int64_t score, std::int64_t i, std::int64_t j)
{
    bool const later = j > best.j || (j == best.j && i > best.i);
    if (score > best.score || (score == best.score && later == wave.last_end))
        best = {score, i, j};
}

template <class T, bool matrix, bool local, bool traced>
void run(Wave const & wave)
{
    constexpr T minus_infinity = wave_minus_infinity<T>;
    T * const e = static_cast<T *>(wave.e);
    for (std::int64_t s = wave.first; s <= wave.last; ++s) {
        auto const h = [&](std::int64_t k) { return static_cast<T *>(wave.h[(k + 3) % 3]); };
        auto const f = [&](std::int64_t k) { return static_cast<T *>(wave.f[(k + 2) % 2]); };
        Arrays<T> const a{h(s), h(s - 1), h(s - 2), e, f(s), f(s - 1)};
        auto const [first, last] = wave.rows(s);

        std::int64_t const inner = first > 0 ? first : 1, inner_end = last < s ? last + 1 : s;
        std::uint8_t * const trace = traced ? wave.trace + (s - wave.first) * wave.stride + (inner - first) : nullptr;
        T const best = inner_cells<T, matrix, local, traced>(wave, a, s, inner, inner_end, trace);

        // Borders, and what the next antidiagonals see of cells that do not exist.
        auto const set = [&](std::int64_t i, T score) {
            a.h[i] = score;
            a.e[i] = a.f[i] = minus_infinity;
        };
        set(first - 1, minus_infinity);
        set(last + 1, minus_infinity);
        if (first == 0 && last >= 0)
            set(0, border<T>(wave, wave.free_top, s));
        if (last == s && last >= first)
            set(s, border<T>(wave, s == 0 ? wave.free_top : wave.free_left, s));

        if (local) {
            if (!wave.row || best <= 0 || best < wave.row->score)
                continue;
            for (std::int64_t i = inner; i < inner_end; ++i)
                if (a.h[i] == best)
                    consider(wave, *wave.row, best, i, s - i);
        } else if (wave.row) {
            bool const corner = s == wave.m + wave.n;
            if ((wave.free_bottom || corner) && wave.m >= first && wave.m <= last)
                consider(wave, corner ? *wave.column : *wave.row, a.h[wave.m], wave.m, s - wave.m);
            std::int64_t const i = s - wave.n;
            if (wave.free_right && i >= first && i <= last && !corner)
                consider(wave, *wave.column, a.h[i], i, wave.n);
        }
    }
}

template <class T, bool matrix, bool local>
void choose_trace(Wave const & wave)
{
    wave.trace ? run<T, matrix, local, true>(wave) : run<T, matrix, local, false>(wave);
}

template <class T>
void choose(Wave const & wave)
{
    if (wave.local)
        wave.letters > 0 ? choose_trace<T, true, true>(wave) : choose_trace<T, false, true>(wave);
    else
        wave.letters > 0 ? choose_trace<T, true, false>(wave) : choose_trace<T, false, false>(wave);
}

} // namespace

void wave(Wave const & wave, int width) { width == 32 ? choose<std::int32_t>(wave) : choose<std::int64_t>(wave); }

} // namespace nwgpu::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
