// SPDX-License-Identifier: BSD-3-Clause
// Fronts of furthest-reaching points, one penalty after the other (fronts.hpp).  A vector holds neighbouring diagonals.
// Then all points of the front go on over equal letters, one by one, eight letters at a time: away from the path few
// are equal.  Numbers may be up to 8 letters beyond the end of their diagonal until a later front cuts them, which no
// question about a cell of the matrix sees (docs/proofs.md, lemma 23).
#include "cpu/kernels/isas.hpp" // must come first

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/furthest/fronts.cpp"
#include <hwy/foreach_target.h> // must come before highway.h

#include <hwy/highway.h>

#include <algorithm>

#include "cpu/furthest/equal_letters-inl.hpp"
#include "cpu/furthest/fronts.hpp"

HWY_BEFORE_NAMESPACE();
namespace nwgpu::cpu::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

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
        if (m_ != nullptr)
            find_furthest(); // where points ended
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
        std::int64_t const s = f_.s, end = f_.toward;
        std::int64_t low = f_.low, high = f_.high;
        if (f_.lag != 0 || f_.words.count > 0 ? s > 0 : s >= f_.open + f_.extend && (s - f_.open) % f_.extend == 0) {
            low = std::max(low - 1, -f_.m);
            high = std::min(high + 1, f_.n);
        }
        if (f_.lag != 0) { // where all points lag behind, the last diagonal that is left moves on with each front
            low = std::max(low, f_.first + front_block + 4);
            high = std::min(high, f_.first + f_.stride - 2 * front_block - 4);
        }
        std::int64_t const left = f_.most - s + (f_.words.count > 0 ? f_.wait() : 0);
        if ((end - low) * f_.extend > left)
            low = end - left / f_.extend;
        if ((high - end) * f_.extend > left)
            high = end + left / f_.extend;
        if (high - low >= f_.points)
            return false;
        f_.points -= std::max<std::int64_t>(0, high - low + 1);
        old_low_ = f_.low;
        old_high_ = f_.high;
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
        if (count < lanes) {
            auto const inside = hn::FirstN(d, static_cast<std::size_t>(count));
            V const none = hn::Set(d, hwy::LimitsMin<T>());
            m = hn::IfThenElse(inside, m, none);
            e = hn::IfThenElse(inside, e, none);
            f = hn::IfThenElse(inside, f, none);
        }
        hn::StoreU(m, d, m_ + k);
        if constexpr (affine) {
            hn::StoreU(e, d, e_ + k);
            hn::StoreU(f, d, f_row_ + k);
        }
    }

    HWY_INLINE void end_front()
    {
        bool const leaves_out = f_.lag != 0 || f_.words.count > 0 || f_.has_gaps;
        leaves_out ? extend_points<true>(f_, m_ + f_.low) : extend_points<false>(f_, m_ + f_.low);
        if (f_.words.count > 0) {
            f_.pass_words(row(f_.m_ring, f_.ring, f_.s - f_.wait() - 1), f_.ready_low, f_.ready_high - 1);
            auto const is_new = [&](std::int64_t k) { return k < old_low_ || k > old_high_; };
            leave_out([&](std::int64_t k) HWY_ATTR { return m_[k] <= below_ ? is_new(k) : f_.is_too_far(k, m_[k]); });
        }
        // A path is a gap's letter of `extend` penalties between two fronts that have its cells: where the kernel ends,
        // so many fronts tell how far it has come (docs/proofs.md, lemma 24).
        if (f_.kept || f_.lag != 0 || f_.s + f_.extend >= f_.until)
            find_furthest();
        if (f_.kept) {
            f_.kept[f_.s - f_.first_kept] = {f_.room, f_.low, f_.high, f_.rows, f_.columns};
            T * const to = static_cast<T *>(f_.room) - f_.low;
            for (std::int64_t k = f_.low; k <= f_.high; k += lanes)
                hn::StoreU(hn::LoadU(d, m_ + k), d, to + k);
            f_.room = to + std::max(f_.low, f_.high + 1);
        }
        std::int64_t const end = f_.n - f_.m;
        f_.done = f_.low <= end && end <= f_.high && m_[end] >= f_.base + f_.n;
        ++f_.s;
        if (f_.lag != 0) {
            std::int64_t const least = f_.rows + f_.columns + 2 * f_.base - f_.lag;
            leave_out([&](std::int64_t k) HWY_ATTR { return m_[k] <= below_ || 2 * std::int64_t{m_[k]} - k < least; });
        }
    }

    // Of the last front, which has come as far as any before.
    HWY_INLINE void find_furthest()
    {
        V columns = hn::Set(d, hwy::LimitsMin<T>()), rows = columns;
        V diagonal = hn::Iota(d, static_cast<T>(f_.low)), below = hn::Set(d, below_);
        for (std::int64_t k = f_.low; k <= f_.high; k += lanes) {
            V const m = hn::LoadU(d, m_ + k);
            columns = hn::Max(columns, m);
            rows = hn::Max(rows, hn::Sub(hn::Max(m, hn::Add(diagonal, below)), diagonal)); // none are below their row 0
            diagonal = hn::Add(diagonal, hn::Set(d, static_cast<T>(lanes)));
        }
        f_.columns = std::min(f_.n, std::max(f_.columns, hn::GetLane(hn::MaxOfLanes(d, columns)) - f_.base));
        f_.rows = std::min(f_.m, std::max(f_.rows, hn::GetLane(hn::MaxOfLanes(d, rows)) - f_.base));
    }

    // The outermost diagonals.
    template <class Is>
    HWY_INLINE void leave_out(Is const & is)
    {
        while (f_.low < f_.high && is(f_.low))
            ++f_.low;
        while (f_.low < f_.high && is(f_.high))
            --f_.high;
    }

    Fronts & f_;
    T const below_;
    std::int64_t old_low_ = 0, old_high_ = 0; // of the front before
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
