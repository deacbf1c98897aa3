// SPDX-License-Identifier: BSD-3-Clause
// Bands of bits, one pair per lane (bit_lanes.hpp).  Of the last column, `not_more` are the rows whose cell is not one
// more than the one above, and `less` those whose cell is one less.  Rows above the matrix go on as its border does:
// each cell of column 0 is one less than the one above, and no letter is equal.
#include "cpu/kernels/isas.hpp" // must come first

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/batch/bit_lanes.cpp"
#include <hwy/foreach_target.h> // must come before highway.h

#include <hwy/highway.h>

#include <algorithm>

#include "base/equal_letters.hpp"
#include "cpu/batch/bit_lanes.hpp"

HWY_BEFORE_NAMESPACE();
namespace nwgpu::cpu::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

template <class T>
class BitLanesRun {
public:
    HWY_INLINE explicit BitLanesRun(BitLanes const & job) : job_{job} {}

    HWY_INLINE void run()
    {
        job_.begin == 0 ? start() : load();
        to_ = reinterpret_cast<T *>(job_.steps) + job_.begin * (BitLanes::planes * lanes);
        for (std::int64_t column = job_.begin; column < job_.end; column += BitLanes::block)
            column == 0 ? block<true>(column) : block<false>(column);
        save();
    }

private:
    using D = hn::ScalableTag<T>;
    using V = hn::VFromD<D>;
    static constexpr D d{};
    static constexpr hn::RebindToSigned<D> di{};
    static constexpr hn::Repartition<std::uint64_t, D> d64{};
    static constexpr std::int64_t lanes = hn::MaxLanes(d), words = hn::MaxLanes(d64);
    static constexpr int width = 8 * sizeof(T), parts = 64 / width;
    static_assert(BitLanes::most_width == BitLanes::block);

    struct Letters { // of all lanes; the first one's bit is the highest of a part's
        V part[parts];
    };

    HWY_INLINE Letters letters(std::int64_t block, int plane) const
    {
        std::uint64_t const * const from = job_.letters + (block * BitLanes::letter_planes + plane) * lanes;
        Letters found;
        if constexpr (parts == 1) {
            found.part[0] = hn::Load(d64, from);
        } else if constexpr (parts == 2) {
            auto const [high, low] = halves(hn::Load(d64, from), hn::Load(d64, from + words));
            found.part[0] = hn::BitCast(d, high);
            found.part[1] = hn::BitCast(d, low);
        } else {
            auto const [high0, low0] = halves(hn::Load(d64, from), hn::Load(d64, from + words));
            auto const [high1, low1] = halves(hn::Load(d64, from + 2 * words), hn::Load(d64, from + 3 * words));
            quarters(high0, high1, found.part);
            quarters(low0, low1, found.part + 2);
        }
        return found;
    }

    using W = hn::VFromD<hn::Repartition<std::uint64_t, D>>;
    struct Halves {
        W high, low;
    };
    HWY_INLINE static Halves halves(W even, W odd)
    {
        W const high = hn::Set(d64, 0xffffffff00000000);
        return {hn::Or(hn::ShiftRight<32>(even), hn::And(odd, high)),
                hn::Or(hn::AndNot(high, even), hn::ShiftLeft<32>(odd))};
    }
    HWY_INLINE static void quarters(W even, W odd, V * to)
    {
        W const high = hn::Set(d64, 0xffff0000ffff0000);
        to[0] = hn::BitCast(d, hn::Or(hn::ShiftRight<16>(hn::And(high, even)), hn::And(odd, high)));
        to[1] = hn::BitCast(d, hn::Or(hn::AndNot(high, even), hn::ShiftLeft<16>(hn::AndNot(high, odd))));
    }

    HWY_INLINE void start()
    {
        HWY_ALIGN T inside[lanes];
        for (std::int64_t lane = 0; lane < lanes; ++lane)
            inside[lane] = static_cast<T>(job_.inside[lane]);
        less_ = hn::Not(hn::Load(d, inside));
        not_more_ = less_;
        outside_ = less_;
        window0_ = window1_ = hn::Zero(d);
        V next0 = letters(0, BitLanes::query_low).part[parts - 1],
          next1 = letters(0, BitLanes::query_high).part[parts - 1];
        for (int k = 0; k < width; ++k)
            move_windows(window0_, window1_, next0, next1);
    }

    HWY_INLINE void load()
    {
        T const * const state = reinterpret_cast<T const *>(job_.state);
        not_more_ = hn::Load(d, state);
        less_ = hn::Load(d, state + lanes);
        window0_ = hn::Load(d, state + 2 * lanes);
        window1_ = hn::Load(d, state + 3 * lanes);
    }

    HWY_INLINE void save() const
    {
        T * const state = reinterpret_cast<T *>(job_.state);
        hn::Store(not_more_, d, state);
        hn::Store(less_, d, state + lanes);
        hn::Store(window0_, d, state + 2 * lanes);
        hn::Store(window1_, d, state + 3 * lanes);
    }

    HWY_INLINE static void move_windows(V & window0, V & window1, V & next0, V & next1)
    {
        V const top = hn::Set(d, static_cast<T>(T{1} << (width - 1)));
        window0 = hn::Or(hn::ShiftRight<1>(window0), hn::And(next0, top));
        window1 = hn::Or(hn::ShiftRight<1>(window1), hn::And(next1, top));
        next0 = hn::Add(next0, next0);
        next1 = hn::Add(next1, next1);
    }

    template <bool first>
    HWY_INLINE void block(std::int64_t column)
    {
        std::int64_t const k = column / BitLanes::block;
        Letters const query0 = letters(k + 1, BitLanes::query_low), query1 = letters(k + 1, BitLanes::query_high),
                      target0 = letters(k, BitLanes::target_low), target1 = letters(k, BitLanes::target_high);
        for (int part = 0; part < parts && column < job_.end; ++part, column += width)
            columns<first>(query0.part[part], query1.part[part], hn::Not(target0.part[part]),
                           hn::Not(target1.part[part]), std::min<std::int64_t>(width, job_.end - column));
    }

    // The highest bit of each lane, in all its bits; the next one is the highest then.
    HWY_INLINE static V take_letter(V & letters)
    {
        V const bits = hn::BitCast(d, hn::BroadcastSignBit(hn::BitCast(di, letters)));
        letters = hn::Add(letters, letters);
        return bits;
    }

    template <bool first>
    HWY_INLINE void columns(V next0, V next1, V target0, V target1, std::int64_t count)
    {
        V window0 = window0_, window1 = window1_, not_more = not_more_, less = less_;
        T * to = to_;
        for (std::int64_t k = 0; k < count; ++k, to += BitLanes::planes * lanes) {
            V equal = hn::And(hn::Xor(window0, take_letter(target0)), hn::Xor(window1, take_letter(target1)));
            if constexpr (first) {
                equal = hn::AndNot(outside_, equal);
                outside_ = hn::ShiftRight<1>(outside_);
            }
            V const not_sum = hn::Sub(not_more, hn::AndNot(not_more, equal)),
                    same = hn::Or(hn::Xor(not_sum, not_more), hn::Or(equal, less)),
                    left = hn::Or(hn::AndNot(same, not_more), less), left_less = hn::AndNot(not_more, same),
                    below = hn::ShiftRight<1>(same);
            not_more = hn::AndNot(left_less, hn::Or(left, below));
            less = hn::And(left, below);
            hn::Store(same, d, to + BitLanes::same * lanes);
            hn::Store(not_more, d, to + BitLanes::not_above * lanes);
            hn::Store(left, d, to + BitLanes::left * lanes);
            move_windows(window0, window1, next0, next1);
        }
        window0_ = window0;
        window1_ = window1;
        not_more_ = not_more;
        less_ = less;
        to_ = to;
    }

    BitLanes const & job_;
    V not_more_, less_, window0_, window1_, outside_ = hn::Zero(d);
    T * to_ = nullptr;
};

} // namespace

void bit_lanes(BitLanes const & job, int width)
{
    width == 16   ? BitLanesRun<std::uint16_t>{job}.run()
    : width == 32 ? BitLanesRun<std::uint32_t>{job}.run()
                  : BitLanesRun<std::uint64_t>{job}.run();
}

bool letter_bits(LetterBits const & of, std::uint8_t const * letters, std::int64_t begin, std::int64_t end,
                 std::uint64_t * to, std::size_t plane, std::size_t step)
{
    hn::ScalableTag<std::uint8_t> const d;
    hn::Repartition<std::uint16_t, decltype(d)> const d16;
    constexpr std::int64_t lanes = hn::MaxLanes(d), block = BitLanes::block;
    HWY_ALIGN std::uint8_t const four[16] = {of.letter[0], of.letter[1], of.letter[2], of.letter[3]},
                                 backwards[16] = {15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0};
    auto const known = hn::LoadDup128(d, four), reverse = hn::LoadDup128(d, backwards), low = hn::Set(d, 1),
               high = hn::Set(d, 2);
    auto other = hn::Zero(d);
    for (std::int64_t k = 0; k < end; k += block, to += step) {
        HWY_ALIGN std::uint8_t bits[2][block / 8];
        for (std::int64_t part = 0; part < block; part += lanes) {
            std::int64_t const at = k + part;
            auto const letter = hn::LoadU(d, letters + at);
            auto const number =
                hn::And(hn::BitCast(d, hn::ShiftRightSame(hn::BitCast(d16, letter), of.shift)), hn::Set(d, 3));
            auto wrong = hn::Xor(hn::TableLookupBytes(known, number), letter);
            if (at < begin)
                wrong = hn::IfThenZeroElse(hn::FirstN(d, static_cast<std::size_t>(begin - at)), wrong);
            if (end - at < lanes)
                wrong = hn::IfThenElseZero(hn::FirstN(d, static_cast<std::size_t>(end > at ? end - at : 0)), wrong);
            other = hn::Or(other, wrong);
            auto const from_last = hn::ReverseBlocks(d, hn::TableLookupBytes(number, reverse));
            std::int64_t const byte = (block - lanes - part) / 8;
            hn::StoreMaskBits(d, hn::TestBit(from_last, low), bits[0] + byte);
            hn::StoreMaskBits(d, hn::TestBit(from_last, high), bits[1] + byte);
        }
        to[0] = eight_letters(bits[0]);
        to[plane] = eight_letters(bits[1]);
    }
    return hn::AllTrue(d, hn::Eq(other, hn::Zero(d)));
}

} // namespace nwgpu::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
