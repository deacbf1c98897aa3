// SPDX-License-Identifier: BSD-3-Clause
// Fronts of furthest-reaching points, one penalty after the other (fronts.hpp).  A vector holds neighbouring diagonals.
// Points that a front moves on are extended one by one, eight letters at a time: away from the path few letters are
// equal, and a diagonal moves on every few penalties only.  Where most points of a vector move, four letters of each
// are compared together first.
#include "cpu/kernels/isas.hpp" // must come first

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/furthest/fronts.cpp"
#include <hwy/foreach_target.h> // must come before highway.h

#include <hwy/highway.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "cpu/furthest/equal_letters-inl.hpp"
#include "cpu/furthest/fronts.hpp"

HWY_BEFORE_NAMESPACE();
namespace nwgpu::cpu::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

template <class D>
HWY_INLINE std::uint64_t bits_of(D d, hn::Mask<D> mask)
{
    std::uint8_t bytes[8] = {};
    hn::StoreMaskBits(d, mask, bytes);
    std::uint64_t bits;
    std::memcpy(&bits, bytes, 8);
    return std::endian::native == std::endian::big ? __builtin_bswap64(bits) : bits;
}

// Entries of diagonals low .. high are initialised; whole blocks at a time, for which there is room.
template <class T>
void make_ready(Fronts & f, std::int64_t low, std::int64_t high)
{
    hn::ScalableTag<T> const d;
    auto const lanes = static_cast<std::int64_t>(hn::Lanes(d));
    auto const fill = [&](std::int64_t begin) HWY_ATTR {
        auto const none = [&](void * ring, std::int64_t fronts) HWY_ATTR {
            T * row = static_cast<T *>(ring) + (begin - f.first);
            for (std::int64_t s = 0; s < fronts; ++s, row += f.stride)
                for (std::int64_t k = 0; k < front_block; k += lanes)
                    hn::StoreU(hn::Set(d, hwy::LimitsMin<T>()), d, row + k);
        };
        none(f.m_ring, f.ring);
        none(f.e_ring, f.gap_ring);
        none(f.f_ring, f.gap_ring);
        for (std::int64_t k = begin; k < begin + front_block; ++k)
            static_cast<T *>(f.limits)[k - f.first] = static_cast<T>(f.base + std::min(f.n, f.m + k));
    };
    if (f.ready_low == f.ready_high)
        f.ready_low = f.ready_high = low - front_block / 4;
    for (; f.ready_low > low; f.ready_low -= front_block)
        fill(f.ready_low - front_block);
    for (; f.ready_high <= high; f.ready_high += front_block)
        fill(f.ready_high);
}

template <class T, bool affine>
class Run {
public:
    HWY_INLINE explicit Run(Fronts & fronts) : f_{fronts}, below_{static_cast<T>(f_.base - 1)} {}

    HWY_INLINE void run()
    {
        while (!f_.done && f_.s < f_.until && choose_diagonals()) {
            start_front();
            std::int64_t k = f_.low;
            for (; k + lanes - 1 <= f_.high; k += lanes)
                points(k, lanes);
            if (k <= f_.high)
                points(k, f_.high + 1 - k);
            end_front();
        }
    }

private:
    using D = hn::ScalableTag<T>;
    using V = hn::VFromD<D>;
    static constexpr D d{};
    static constexpr std::int64_t lanes = hn::MaxLanes(d);

    HWY_INLINE T * row(void * ring, std::int64_t rows, std::int64_t s) const
    {
        return static_cast<T *>(ring) + (s & (rows - 1)) * f_.stride - f_.first;
    }

    // Those that can be reached and matter.  False if they are too many.
    HWY_INLINE bool choose_diagonals()
    {
        std::int64_t const s = f_.s, end = f_.n - f_.m;
        std::int64_t low = f_.low, high = f_.high;
        if (f_.lag != 0 ? s > 0 : s >= f_.open + f_.extend && (s - f_.open) % f_.extend == 0) {
            low = std::max(low - 1, -f_.m);
            high = std::min(high + 1, f_.n);
        }
        std::int64_t const left = f_.most - s;
        if ((end - low) * f_.extend > left)
            low = end - left / f_.extend;
        if ((high - end) * f_.extend > left)
            high = end + left / f_.extend;
        if (high - low >= f_.points)
            return false;
        f_.points -= high - low + 1;
        f_.low = low;
        f_.high = high;
        return true;
    }

    HWY_INLINE void start_front()
    {
        std::int64_t const s = f_.s;
        if (f_.low <= f_.ready_low || f_.high + lanes >= f_.ready_high)
            make_ready<T>(f_, f_.low - 1, f_.high + lanes);
        m_ = row(f_.m_ring, f_.ring, s);
        before_ = row(f_.m_ring, f_.ring, s - 1);
        mismatch_ = row(f_.m_ring, f_.ring, s - f_.mismatch);
        gap_ = row(f_.m_ring, f_.ring, s - f_.open - f_.extend);
        if constexpr (affine) {
            e_ = row(f_.e_ring, f_.gap_ring, s);
            f_row_ = row(f_.f_ring, f_.gap_ring, s);
            old_e_ = row(f_.e_ring, f_.gap_ring, s - f_.extend);
            old_f_ = row(f_.f_ring, f_.gap_ring, s - f_.extend);
        }
        limits_ = static_cast<T const *>(f_.limits) - f_.first;
    }

    // Diagonals k .. k + count - 1.
    HWY_INLINE void points(std::int64_t k, std::int64_t count)
    {
        V const one = hn::Set(d, T{1}), before = hn::LoadU(d, before_ + k);
        V e = hn::LoadU(d, gap_ + k - 1), f = hn::LoadU(d, gap_ + k + 1);
        if constexpr (affine) {
            e = hn::Max(e, hn::LoadU(d, old_e_ + k - 1));
            f = hn::Max(f, hn::LoadU(d, old_f_ + k + 1));
        }
        e = hn::Add(e, one);
        V m = hn::Max(hn::Max(hn::Add(hn::LoadU(d, mismatch_ + k), one), before), hn::Max(e, f));
        m = hn::Min(m, hn::LoadU(d, limits_ + k));
        if (f_.s == 0)
            m = hn::Set(d, static_cast<T>(f_.base));
        auto moved = hn::Gt(m, hn::Max(before, hn::Set(d, below_)));
        if (count < lanes) {
            auto const inside = hn::FirstN(d, static_cast<std::size_t>(count));
            V const none = hn::Set(d, hwy::LimitsMin<T>());
            m = hn::IfThenElse(inside, m, none);
            e = hn::IfThenElse(inside, e, none);
            f = hn::IfThenElse(inside, f, none);
            moved = hn::And(moved, inside);
        }
        hn::StoreU(m, d, m_ + k);
        if constexpr (affine) {
            hn::StoreU(e, d, e_ + k);
            hn::StoreU(f, d, f_row_ + k);
        }
        std::uint64_t bits = bits_of(d, moved);
        if (hn::CountTrue(d, moved) > lanes / 2) { // else one by one
            V const equal = next_letters(m, k);
            hn::StoreU(hn::IfThenElse(moved, hn::Add(m, equal), m), d, m_ + k);
            bits = bits_of(d, hn::And(moved, hn::Eq(equal, hn::Set(d, T{4}))));
        }
        if (bits == 0)
            return;
        // The points move on over equal letters, and up to 7 letters beyond the end of their diagonal.
        T * const numbers = m_ + k;
        std::uint8_t const *const query = f_.query - f_.base - k, *const target = f_.target - f_.base;
        do {
            auto const lane = static_cast<std::int64_t>(std::countr_zero(bits));
            std::int64_t const reach = numbers[lane];
            std::uint8_t const *const q = query + (reach - lane), *const t = target + reach;
            std::uint64_t const different = eight(q) ^ eight(t);
            if (different != 0) [[likely]]
                numbers[lane] = static_cast<T>(reach + (std::countr_zero(different) >> 3));
            else
                numbers[lane] = static_cast<T>(reach + 8 + equal_letters(q + 8, t + 8, limits_[k + lane] - reach - 8));
            bits &= bits - 1;
        } while (bits != 0);
    }

    // How many of the next 4 letters are equal; a number that no cell of the matrix has stands for row or column 0.
    HWY_INLINE V next_letters(V m, std::int64_t k) const
    {
        V const base = hn::Set(d, static_cast<T>(f_.base));
        V const first = hn::Max(base, hn::Add(base, hn::Iota(d, static_cast<T>(k))));
        alignas(64) T numbers[lanes];
        alignas(64) std::int32_t different[lanes];
        hn::Store(hn::Max(m, first), d, numbers);
        std::uint8_t const *const query = f_.query - f_.base - k, *const target = f_.target - f_.base;
        for (std::int64_t lane = 0; lane < lanes; ++lane) {
            std::int64_t const reach = numbers[lane];
            std::uint32_t q, t;
            std::memcpy(&q, query + reach - lane, 4);
            std::memcpy(&t, target + reach, 4);
            q ^= t;
            std::memcpy(different + lane, &q, 4);
        }
        return equal_of(different);
    }
    HWY_INLINE static V equal_of(std::int32_t const * different)
    {
        hn::Repartition<std::int32_t, D> const d32;
        using V32 = hn::VFromD<decltype(d32)>;
        auto const count = [&](std::int32_t const * from) HWY_ATTR {
            V32 const bytes = hn::Load(d32, from), none = hn::Zero(d32);
            V32 equal = hn::VecFromMask(d32, hn::Eq(bytes, none)); // minus one for each
            for (int const bits : {8, 16, 24})
                equal =
                    hn::Add(equal, hn::VecFromMask(d32, hn::Eq(hn::And(bytes, hn::Set(d32, (1 << bits) - 1)), none)));
            return hn::Sub(none, equal);
        };
        if constexpr (sizeof(T) == 4) {
            return count(different);
        } else {
            hn::Half<D> const half;
            return hn::Combine(d, hn::DemoteTo(half, count(different + lanes / 2)),
                               hn::DemoteTo(half, count(different)));
        }
    }

    // No point is beyond the end of its diagonal.
    HWY_INLINE void end_front()
    {
        V columns = hn::Set(d, hwy::LimitsMin<T>()), rows = columns;
        V diagonal = hn::Iota(d, static_cast<T>(f_.low)), below = hn::Set(d, below_);
        T * const to = f_.kept ? static_cast<T *>(f_.room) - f_.low : m_; // else to where they are
        for (std::int64_t k = f_.low; k <= f_.high; k += lanes) {
            V const m = hn::Min(hn::LoadU(d, m_ + k), hn::LoadU(d, limits_ + k));
            hn::StoreU(m, d, m_ + k);
            hn::StoreU(m, d, to + k);
            columns = hn::Max(columns, m);
            rows = hn::Max(rows, hn::Sub(hn::Max(m, hn::Add(diagonal, below)), diagonal)); // none are below their row 0
            diagonal = hn::Add(diagonal, hn::Set(d, static_cast<T>(lanes)));
        }
        std::int64_t const end = f_.n - f_.m;
        f_.columns = std::max(f_.columns, hn::GetLane(hn::MaxOfLanes(d, columns)) - f_.base);
        f_.rows = std::max(f_.rows, hn::GetLane(hn::MaxOfLanes(d, rows)) - f_.base);
        if (f_.kept) {
            f_.kept[f_.s] = {f_.room, f_.low, f_.high, f_.rows, f_.columns};
            f_.room = to + f_.high + 1;
        }
        f_.done = f_.low <= end && end <= f_.high && m_[end] == f_.base + f_.n;
        ++f_.s;
        if (f_.lag == 0)
            return;
        std::int64_t const least = f_.rows + f_.columns + 2 * f_.base - f_.lag;
        auto const behind = [&](std::int64_t k)
                                HWY_ATTR { return m_[k] <= below_ || 2 * std::int64_t{m_[k]} - k < least; };
        while (f_.low < f_.high && behind(f_.low))
            ++f_.low;
        while (f_.low < f_.high && behind(f_.high))
            --f_.high;
    }

    Fronts & f_;
    T const below_;
    T *m_ = nullptr, *before_ = nullptr, *mismatch_ = nullptr, *gap_ = nullptr;
    T *e_ = nullptr, *f_row_ = nullptr, *old_e_ = nullptr, *old_f_ = nullptr;
    T const * limits_ = nullptr;
};

template <class T>
void run(Fronts & fronts)
{
    fronts.open > 0 ? Run<T, true>{fronts}.run() : Run<T, false>{fronts}.run();
}

} // namespace

void fronts(Fronts & fronts, int width) { width == 16 ? run<std::int16_t>(fronts) : run<std::int32_t>(fronts); }

} // namespace nwgpu::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
