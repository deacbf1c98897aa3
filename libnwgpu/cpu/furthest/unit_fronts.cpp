// SPDX-License-Identifier: BSD-3-Clause
// Fronts where a mismatch and each letter of a gap cost 1 and opening a gap nothing (fronts.hpp): only the front before
// is asked, which lies where it is kept.
//
//   M(s, k) = max(M(s - 1, k - 1) + 1, M(s - 1, k) + 1, M(s - 1, k + 1)), to the end of the diagonal at most, and on
//   over equal letters
//
// Numbers may be up to 8 letters beyond the end of their diagonal until the next front cuts them, which no question
// about a cell of the matrix sees (docs/proofs.md, lemma 23).
#include "cpu/kernels/isas.hpp" // must come first

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/furthest/unit_fronts.cpp"
#include <hwy/foreach_target.h> // must come before highway.h

#include <hwy/highway.h>

#include <algorithm>

#include "cpu/furthest/equal_letters-inl.hpp"
#include "cpu/furthest/fronts.hpp"

HWY_BEFORE_NAMESPACE();
namespace nwgpu::cpu::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

template <class T>
class UnitRun {
public:
    HWY_INLINE explicit UnitRun(Fronts & fronts) : f_{fronts} {}

    HWY_INLINE void run()
    {
        while (!f_.done && f_.s < f_.until && choose_diagonals()) {
            compute();
            if (f_.lag != 0) {
                find_furthest();
                leave_out();
            }
        }
        if (f_.s > 0)
            find_furthest();
    }

private:
    using D = hn::ScalableTag<T>;
    using V = hn::VFromD<D>;
    static constexpr D d{};
    static constexpr std::int64_t lanes = hn::MaxLanes(d);
    // Entries beside a front that say "not reached": the next front reads two on either side.
    static constexpr std::int64_t margin = std::max<std::int64_t>(lanes, 4);
    static_assert(lanes + margin <= front_block);

    // Those that can be reached and matter.  False if they are too many.
    HWY_INLINE bool choose_diagonals()
    {
        std::int64_t const end = f_.toward, left = f_.most - f_.s, more = f_.s > 0;
        std::int64_t const low = std::max({f_.low - more, -f_.m, end - left}),
                           high = std::min({f_.high + more, f_.n, end + left});
        f_.is_over = high < low;
        if (f_.is_over || high - low >= f_.points)
            return false;
        f_.points -= high - low + 1;
        f_.low = low;
        f_.high = high;
        return true;
    }

    HWY_INLINE static void fill_margin(T * at)
    {
        for (std::int64_t k = 0; k < margin; k += lanes)
            hn::StoreU(hn::Set(d, hwy::LimitsMin<T>()), d, at + k);
    }

    HWY_INLINE void compute()
    {
        std::int64_t const low = f_.low, high = f_.high, end = f_.n - f_.m;
        T * const row =
            f_.kept ? static_cast<T *>(f_.room)
                    : static_cast<T *>(f_.m_ring) + (f_.s & (f_.ring - 1)) * f_.stride + (low - f_.first - margin);
        T * const m = row + margin - low; // diagonal 0
        fill_margin(row);
        std::int64_t k = low;
        if (f_.s == 0) {
            hn::StoreU(
                hn::IfThenElse(hn::FirstN(d, 1), hn::Set(d, static_cast<T>(f_.base)), hn::Set(d, hwy::LimitsMin<T>())),
                d, m);
            k += lanes;
        } else {
            T const * const before = static_cast<T const *>(f_.front) - f_.front_low;
            f_.pass_words(before, f_.front_low, f_.front_high);
            V const one = hn::Set(d, T{1}), columns = hn::Set(d, static_cast<T>(f_.base + f_.n)),
                    rows = hn::Set(d, static_cast<T>(f_.base + f_.m));
            for (; k <= high; k += lanes) {
                V const same = hn::Max(hn::LoadU(d, before + k - 1), hn::LoadU(d, before + k));
                V v = hn::Max(hn::Add(same, one), hn::LoadU(d, before + k + 1));
                v = hn::Min(v, hn::Min(columns, sum(rows, hn::Iota(d, static_cast<T>(k)))));
                if (high - k < lanes - 1)
                    v = hn::IfThenElse(hn::FirstN(d, static_cast<std::size_t>(high - k + 1)), v,
                                       hn::Set(d, hwy::LimitsMin<T>()));
                hn::StoreU(v, d, m + k);
            }
        }
        fill_margin(m + k);
        if (f_.kept) {
            f_.kept[f_.s - f_.first_kept] = {m + low, low, high, f_.rows, f_.columns};
            f_.room = m + k;
        }
        f_.front = m + low;
        f_.front_low = low;
        f_.front_high = high;
        extend_points<false>(f_, m + low);
        f_.done = low <= end && end <= high && m[end] >= f_.base + f_.n;
        if (f_.words.count > 0) {
            while (f_.low < f_.high && f_.is_too_far(f_.low, m[f_.low]))
                ++f_.low;
            while (f_.low < f_.high && f_.is_too_far(f_.high, m[f_.high]))
                --f_.high;
        }
        ++f_.s;
    }

    // Diagonals so far on the right are none of the matrix, where the sum would be too high for a number.
    HWY_INLINE static V sum(V a, V b)
    {
        if constexpr (sizeof(T) == 2)
            return hn::SaturatedAdd(a, b);
        else
            return hn::Add(a, b);
    }

    // Of the last front, which has come as far as any before.
    HWY_INLINE void find_furthest()
    {
        V columns = hn::Set(d, hwy::LimitsMin<T>()), rows = columns;
        V const base = hn::Set(d, static_cast<T>(f_.base - 1));
        auto const * const m = static_cast<T const *>(f_.front) - f_.front_low;
        for (std::int64_t k = f_.front_low; k <= f_.front_high; k += lanes) {
            V const v = hn::LoadU(d, m + k), diagonal = hn::Iota(d, static_cast<T>(k));
            columns = hn::Max(columns, v);
            rows = hn::Max(rows, hn::Sub(hn::Max(v, hn::Add(diagonal, base)), diagonal));
        }
        f_.columns = std::min(f_.n, std::max(f_.columns, hn::GetLane(hn::MaxOfLanes(d, columns)) - f_.base));
        f_.rows = std::min(f_.m, std::max(f_.rows, hn::GetLane(hn::MaxOfLanes(d, rows)) - f_.base));
    }

    HWY_INLINE void leave_out()
    {
        std::int64_t const least = f_.rows + f_.columns + 2 * f_.base - f_.lag;
        auto const * const m = static_cast<T const *>(f_.front) - f_.front_low;
        auto const behind = [&](std::int64_t k) HWY_ATTR { return 2 * std::int64_t{m[k]} - k < least; };
        while (f_.low < f_.high && behind(f_.low))
            ++f_.low;
        while (f_.low < f_.high && behind(f_.high))
            --f_.high;
    }

    Fronts & f_;
};

} // namespace

void unit_fronts(Fronts & fronts, int width)
{
    width == 16 ? UnitRun<std::int16_t>{fronts}.run() : UnitRun<std::int32_t>{fronts}.run();
}

} // namespace nwgpu::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
