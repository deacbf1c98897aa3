// SPDX-License-Identifier: BSD-3-Clause
// Substitution scores from a matrix: a profile of the strip's query letters, and the lookup of one slice per lane and
// step.  Included once per instruction set, inside foreach_target, by the strip kernels.
#if defined(NWGPU_CPU_PROFILE_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef NWGPU_CPU_PROFILE_INL_HPP
#undef NWGPU_CPU_PROFILE_INL_HPP
#else
#define NWGPU_CPU_PROFILE_INL_HPP
#endif

#include <algorithm>
#include <cstring>
#include <type_traits>

#include <hwy/highway.h>

#include "cpu/kernels/kernels.hpp"
#include "cpu/kernels/simd-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace nwgpu::cpu::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// out(letter)[row]: the score of query row against a target letter.  Reads up to 63 letters beyond the query's rows,
// and leaves junk there.
template <class Out>
HWY_INLINE void look_up_scores(std::uint8_t const * query, std::uint64_t rows, ProfileTable const & table,
                               Out const & out)
{
    hn::CappedTag<std::uint8_t, 64> const d;
    auto const scores_of = [&](int letter) {
        return reinterpret_cast<std::uint8_t const *>(table.scores + letter * table.stride);
    };
    if (table.letters <= 32) {
        for (std::uint64_t row = 0; row < rows; row += hn::Lanes(d)) {
            auto const code = hn::LoadU(d, query + row);
            auto const index = hn::And(code, hn::Set(d, 15));
            auto const is_high = hn::TestBit(code, hn::Set(d, 16));
            for (int letter = 0; letter < table.letters; ++letter) {
                auto const low = hn::LoadDup128(d, scores_of(letter)), high = hn::LoadDup128(d, scores_of(letter) + 16);
                hn::StoreU(hn::IfThenElse(is_high, hn::TableLookupBytes(high, index), hn::TableLookupBytes(low, index)),
                           d, out(letter) + row);
            }
        }
    } else {
        for (int letter = 0; letter < table.letters; ++letter)
            for (std::uint64_t row = 0; row < rows; ++row)
                out(letter)[row] = scores_of(letter)[query[row]];
    }
}

// profile[letter][row].  Rows beyond the last in its lane get 0, which is no more than a score of 0.
inline void build_profile(std::uint8_t const * query, std::uint64_t rows, ProfileTable const & table,
                          std::int8_t * profile)
{
    auto * const first = reinterpret_cast<std::uint8_t *>(profile + profile_front);
    look_up_scores(query, rows, table, [&](int letter) { return first + letter * profile_stride; });
    for (int letter = 0; letter < table.letters; ++letter)
        std::memset(first + letter * profile_stride + rows, 0, 16);
}

// The scores of each step: slices of the profile, one a lane, transposed.  `ahead`: half of that is done one step
// ahead, four rows at a time; a step's own rows wait for each other, and the lookup fills the gaps.  Disabled (for
// uniform scores) it costs nothing.
template <bool enabled, int lanes, int R, bool ahead>
class ProfileReader {
public:
    using D = hn::CappedTag<std::uint8_t, lanes>;
    using V = hn::VFromD<D>;

    ProfileReader(std::int8_t const * profile, int last_lane) :
        last_lane_{reinterpret_cast<std::uint8_t const *>(profile) + profile_front + last_lane * R}
    {}

    // Steps may run from j to the returned one.  `letters[i]` is the target letter of position 0 at step i.
    HWY_INLINE std::int64_t prepare(std::uint8_t const * letters, std::int64_t j, std::int64_t steps)
    {
        if constexpr (!enabled)
            return steps;
        begin_ = j;
        std::int64_t const end = std::min(steps, j + chunk);
        for (std::int64_t i = j; i < end + lanes; ++i)
            offset_[i - j] = static_cast<std::uint16_t>(letters[i] * (profile_stride / 8));
        if constexpr (ahead)
            for (int quarter = 0; quarter < 4; ++quarter)
                look_up(j, quarter);
        return end;
    }

    // Ahead: the scores of rows r to r + 3 at step j, beyond R junk.  To be called for all of them, step by step.
    HWY_INLINE void four_rows(std::int64_t j, int r, V * HWY_RESTRICT scores)
    {
        static_assert(ahead && 4 < R && R <= 16);
        NWGPU_UNROLL
        for (int k = 0; k < 4; ++k)
            scores[k] = hn::Load(D{}, ahead_[j & 1][r + k]);
        interleave_round<4>(D{}, scores, 2);
        interleave_round<4>(D{}, scores, 1);
        for (int quarter = r / 4; quarter < (r + 4 < R ? r / 4 + 1 : 4); ++quarter)
            look_up(j + 1, quarter);
    }
    // Not ahead: of all rows, as vectors of at least 16 bytes; those beyond the lanes are junk.
    template <class D8>
    HWY_INLINE void all_rows(D8 d, std::int64_t j, hn::VFromD<D8> * HWY_RESTRICT scores) const
    {
        transpose_slices<(R <= 8 ? 8 : 16)>(
            d, [&](int p) { return slice(j, p % lanes); }, scores);
    }

private:
    // The scores of position p at step j, beginning with the first row of its lane.
    HWY_INLINE std::uint8_t const * slice(std::int64_t j, int p) const
    {
        return last_lane_ + 8 * std::size_t{offset_[j - begin_ + p]} - p * R;
    }

    // The first two rounds of the transposition for every fourth lane; the others are those of four_rows().
    HWY_INLINE void look_up(std::int64_t j, int quarter)
    {
        hn::Full128<std::uint8_t> const d128;
        V a[4];
        NWGPU_UNROLL
        for (int k = 0; k < 4; ++k)
            a[k] = blocks(D{}, [&](int b) HWY_ATTR { return hn::LoadU(d128, slice(j, 16 * b + 4 * k + quarter)); });
        interleave_round<4>(D{}, a, 2);
        interleave_round<4>(D{}, a, 1);
        NWGPU_UNROLL
        for (int k = 0; k < 4; ++k)
            hn::Store(a[k], D{}, ahead_[j & 1][4 * k + quarter]);
    }

    static constexpr std::int64_t chunk = 1024;
    std::uint8_t const * last_lane_;
    std::int64_t begin_ = 0;
    alignas(64) std::uint16_t offset_[enabled ? chunk + lanes : 1];
    alignas(64) std::uint8_t ahead_[2][enabled && ahead ? 16 : 1][lanes];
};

// What rows_of_lookup() has chosen, as a constant.
template <class Work>
void with_rows_of_lookup(int rows, Work const & work)
{
    switch (rows) {
    case 10:
        return work(std::integral_constant<int, 10>{});
    case 13:
        return work(std::integral_constant<int, 13>{});
    default:
        return work(std::integral_constant<int, 16>{});
    }
}

// All steps of a strip: step(j, true_type) while lanes enter (j < last_lane) or leave (j >= cols) it, else
// step(j, false_type).  `letters` as in ProfileReader::prepare.
template <class Profile, class Step>
HWY_INLINE void for_each_step(Profile & profile, std::uint8_t const * letters, std::int64_t last_lane,
                              std::int64_t cols, Step const & step)
{
    std::int64_t const steps = cols + last_lane;
    for (std::int64_t j = 0; j < steps;) {
        std::int64_t const end = profile.prepare(letters, j, steps);
        while (j < end) {
            if (j < last_lane || j >= cols)
                step(j++, std::true_type{});
            for (std::int64_t const full_end = std::min(end, cols); j >= last_lane && j < full_end; ++j)
                step(j, std::false_type{});
        }
    }
}

} // namespace nwgpu::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif // toggle
