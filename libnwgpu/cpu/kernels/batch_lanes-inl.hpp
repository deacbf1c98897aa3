// SPDX-License-Identifier: BSD-3-Clause
// What the kernels for many pairs, one per lane, have in common: letters, lengths and the best cell of each lane.
// Included once per instruction set, inside foreach_target.
#if defined(NWGPU_CPU_BATCH_LANES_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef NWGPU_CPU_BATCH_LANES_INL_HPP
#undef NWGPU_CPU_BATCH_LANES_INL_HPP
#else
#define NWGPU_CPU_BATCH_LANES_INL_HPP
#endif

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <type_traits>
#include <vector>

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace nwgpu::cpu::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// One letter per lane, each as wide as a lane.
template <class D>
HWY_INLINE hn::VFromD<D> load_letters(D d, std::uint8_t const * letters)
{
    hn::Rebind<std::uint8_t, D> const d8;
    if constexpr (sizeof(hn::TFromD<D>) == 1)
        return hn::BitCast(d, hn::LoadU(d8, letters));
    else
        return hn::PromoteTo(d, hn::LoadU(d8, letters));
}

// The lengths of all lanes in use, ascending.
[[maybe_unused]] std::vector<std::uint64_t> distinct(std::int32_t const * length_of, std::size_t lanes)
{
    std::vector<std::uint64_t> all;
    std::copy_if(length_of, length_of + lanes, std::back_inserter(all), [](std::int32_t length) { return length > 0; });
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
}

// The best cell of each lane so far; columns must be shown in their order.  A column is too wide a number for 8 bits:
// its upper part is kept apart.
template <class T>
class LaneBest {
public:
    explicit LaneBest(T least) : least_{least} { std::fill_n(score_, lanes, least); }

    HWY_INLINE void consider_score(hn::Vec<hn::ScalableTag<T>> score)
    {
        hn::Store(hn::Max(score, hn::Load(d, score_)), d, score_);
    }
    HWY_INLINE void consider(hn::Vec<hn::ScalableTag<T>> score, hn::Vec<hn::ScalableTag<T>> row, std::uint64_t col)
    {
        auto const better = hn::Gt(score, hn::Load(d, score_));
        auto const replace = [&](auto value, T * where)
                                 HWY_ATTR { hn::Store(hn::IfThenElse(better, value, hn::Load(d, where)), d, where); };
        replace(score, score_);
        replace(row, row_);
        replace(hn::Set(d, static_cast<T>(col)), col_low_);
        replace(hn::Set(d, static_cast<T>(col >> 8)), col_high_);
    }
    // Scores above `least`.
    void store(std::int32_t * score, std::int32_t * row, std::int32_t * col) const
    {
        for (std::size_t lane = 0; lane < lanes; ++lane) {
            score[lane] = score_[lane] - least_;
            row[lane] = static_cast<std::make_unsigned_t<T>>(row_[lane]);
            col[lane] = static_cast<std::uint8_t>(col_low_[lane]) |
                        static_cast<std::int32_t>(static_cast<std::uint8_t>(col_high_[lane])) << 8;
        }
    }

private:
    static constexpr hn::ScalableTag<T> d{};
    static constexpr std::size_t lanes = hn::MaxLanes(d);

    alignas(64) T score_[lanes], row_[lanes] = {}, col_low_[lanes] = {}, col_high_[lanes] = {};
    T const least_;
};

} // namespace
} // namespace nwgpu::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif // toggle
