// SPDX-License-Identifier: BSD-3-Clause
#include "cpu/furthest/bit_band.hpp"

#include <algorithm>
#include <array>

#include "base/ceil_div.hpp"
#include "cpu/furthest/bit_group.hpp"

namespace nwgpu::cpu {

namespace {

// A target's letter that the query has not.
constexpr std::uint8_t no_letter = BitBand::most_letters;
// Before the first and behind the last letter of the target.
constexpr std::int64_t margin = 2 * BitGroup::most_lanes;

// From diagonal k a path to the end's diagonal K has |k - K| letters in gaps, and |k| before.
struct Band {
    std::int64_t n, low, high, rows; // rows of a group

    Band(std::uint64_t m, std::uint64_t columns, std::int64_t most, int lanes) :
        n{static_cast<std::int64_t>(columns)}, rows{64 * lanes}
    {
        std::int64_t const end = n - static_cast<std::int64_t>(m);
        low = -((most - end) / 2);
        high = (most + end) / 2;
    }
    std::int64_t begin(std::int64_t group) const { return std::max<std::int64_t>(1, group * rows + 1 + low); }
    std::int64_t end(std::int64_t group) const { return std::min(n, (group + 1) * rows + high); }
    // Of a group, at most.
    std::int64_t steps() const { return std::min(n, rows + high - low) + rows / 64; }
};

std::int64_t groups_of(std::uint64_t m, int lanes)
{
    return static_cast<std::int64_t>(ceil_div(m, 64 * static_cast<std::uint64_t>(lanes)));
}

} // namespace

std::uint64_t BitBand::steps(std::uint64_t m, std::uint64_t n, std::int64_t most, int lanes_of_8_bits)
{
    int const lanes = BitGroup::lanes(lanes_of_8_bits);
    return static_cast<std::uint64_t>(groups_of(m, lanes) * Band{m, n, most, lanes}.steps());
}

std::uint64_t BitBand::bytes_for(std::uint64_t m, std::uint64_t n, std::int64_t most, int lanes_of_8_bits)
{
    auto const lanes = static_cast<std::uint64_t>(BitGroup::lanes(lanes_of_8_bits));
    return 8 * (steps(m, n, most, lanes_of_8_bits) * BitGroup::planes * lanes + 3 * lanes * ceil_div(m, 64 * lanes)) +
           n + 2 * margin;
}

// Numbers in the order in which the query has them.
bool BitBand::number_letters()
{
    std::array<std::uint8_t, 256> number_of;
    number_of.fill(no_letter);
    std::uint8_t count = 0;
    std::uint64_t const words = static_cast<std::uint64_t>(groups_of(pair_.m, lanes_) * lanes_);
    std::fill_n(rows_, 3 * words, 0);
    for (std::uint64_t i = 0; i < pair_.m; ++i) {
        std::uint8_t & number = number_of[pair_.query[i]];
        if (number == no_letter) {
            if (count == most_letters)
                return false;
            number = count++;
        }
        for (unsigned bit = 0; bit < 3; ++bit)
            rows_[bit * words + i / 64] |= std::uint64_t{number >> bit & 1u} << i % 64;
    }
    std::uint8_t * const numbers = target_.grow(pair_.n + 2 * margin);
    std::fill_n(numbers, pair_.n + 2 * margin, no_letter);
    for (std::uint64_t j = 0; j < pair_.n; ++j)
        numbers[margin + pair_.n - 1 - j] = number_of[pair_.target[j]];
    return true;
}

bool BitBand::compute(PairView const & pair, std::int64_t most, KernelTable const & kernels)
{
    pair_ = pair;
    lanes_ = BitGroup::lanes(kernels.lanes);
    Band const band{pair.m, pair.n, most, lanes_};
    low_ = band.low;
    high_ = band.high;
    std::int64_t const groups = groups_of(pair.m, lanes_), words = groups * lanes_, step = BitGroup::planes * lanes_;
    steps_per_group_ = band.steps();
    rows_ = reinterpret_cast<std::uint64_t *>(
        memory_.grow(8 * static_cast<std::uint64_t>(groups * steps_per_group_ * step + 3 * words)));
    steps_ = rows_ + 3 * words;
    if (!number_letters())
        return false;
    BitGroup group;
    group.target = target_.data() + margin + pair.n; // column 0
    for (std::int64_t g = 0; g < groups; ++g) {
        for (int bit = 0; bit < 3; ++bit)
            group.letters[bit] = rows_ + bit * words + g * lanes_;
        std::int64_t const begin_above = group.begin;
        group.begin = band.begin(g);
        group.end = band.end(g);
        if (g > 0) {
            group.above_end = band.end(g - 1);
            group.above_steps = group.steps + (lanes_ - 1 - begin_above) * step + lanes_ - 1;
        }
        group.steps = steps_ + g * steps_per_group_ * step;
        kernels.bit_group(group);
    }
    return true;
}

// Of the word of row i, in column j.
std::uint64_t const * BitBand::cells(std::int64_t i, std::int64_t j) const
{
    std::int64_t const word = (i - 1) / 64, group = word / lanes_, lane = word % lanes_,
                       begin = std::max<std::int64_t>(1, group * 64 * lanes_ + 1 + low_);
    return steps_ + (group * steps_per_group_ + j - begin + lane) * BitGroup::planes * lanes_ + lane;
}

namespace {

BitGroup::Plane plane_of(CellBit bit)
{
    return bit == CellBit::same ? BitGroup::same : bit == CellBit::above ? BitGroup::above : BitGroup::left;
}

} // namespace

bool BitBand::is(CellBit bit, std::int64_t i, std::int64_t j) const
{
    return (cells(i, j)[plane_of(bit) * lanes_] >> (i - 1) % 64 & 1) != 0;
}

std::int64_t BitBand::walk(CigarStyle style, CigarBuilder & cigar, std::uint64_t & i, std::uint64_t & j) const
{
    return walk_bits(*this, pair_, INT64_MAX, style, cigar, i, j);
}

} // namespace nwgpu::cpu
