// SPDX-License-Identifier: BSD-3-Clause
#include "cpu/batch/bit_batch.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <utility>

#include "base/ceil_div.hpp"
#include "cpu/batch/sampled_changes.hpp"
#include "cpu/furthest/bit_walk.hpp"
#include "cpu/furthest/furthest_time.hpp"
#include "path/walk.hpp"

namespace nwgpu::cpu {

namespace {

// Of letters, for sequences that are no longer.
std::size_t blocks_for(std::uint64_t longest)
{
    return ceil_div(longest, static_cast<std::uint64_t>(BitLanes::block)) + 2;
}

// What changes tell may be so much too high, in parts, before the widest band is not tried.
constexpr std::int64_t part_too_high = 2;
// So many letters of a sequence are looked at for those that there are.
constexpr std::uint64_t first_letters = 128;

std::int64_t apart(PairView const & pair)
{
    return static_cast<std::int64_t>(pair.n) - static_cast<std::int64_t>(pair.m);
}

// Bit 0 of a column is on this diagonal, bit width - 1 on the lowest one of the band; the end's is in the middle of
// both sides.
std::int64_t offset_of(PairView const & pair, int width) { return (width - 1 + apart(pair)) >> 1; }

bool takes(PairView const & pair) { return std::max(pair.m, pair.n) <= BitBatch::most_letters; }

// A path that costs no more stays in the band: from above it, it has two gaps to the end.
std::int64_t most_of(PairView const & pair, int width) { return 2 * offset_of(pair, width) + 1 - apart(pair); }

// Bits of a lane, as walk_bits() reads them.
template <class T>
struct LaneBits {
    T const * steps;
    std::int64_t lanes, lane, offset;

    bool inside(std::int64_t i, std::int64_t j) const
    {
        std::int64_t const bit = i - j + offset;
        return 0 <= bit && bit < static_cast<std::int64_t>(8 * sizeof(T));
    }
    bool is(CellBit what, std::int64_t i, std::int64_t j) const
    {
        std::int64_t const bit = i - j + offset;
        switch (what) {
        case CellBit::same:
            return tells(BitLanes::same, j, bit);
        case CellBit::above:
            return bit > 0 && !tells(BitLanes::not_above, j, bit - 1);
        default:
            return tells(BitLanes::left, j, bit);
        }
    }
    bool tells(BitLanes::Plane plane, std::int64_t j, std::int64_t bit) const
    {
        return (steps[((j - 1) * BitLanes::planes + plane) * lanes + lane] >> bit & 1) != 0;
    }
};

} // namespace

std::uint64_t BitBatch::workspace(std::uint64_t longest)
{
    constexpr std::uint64_t most_vector = BitLanes::most_lanes * BitLanes::least_width / 8;
    return most_vector * (BitLanes::planes * longest + 4) +
           sizeof(std::uint64_t) * BitLanes::most_lanes * BitLanes::letter_planes * blocks_for(longest);
}

// Of the first pairs: two neighbouring bits by which their letters differ.
bool BitBatch::learn_letters(Batch const & batch, std::span<std::uint64_t const> pairs)
{
    std::array<bool, 256> seen{};
    for (std::uint64_t const p : pairs.first(std::min<std::size_t>(1, pairs.size()))) {
        PairView const pair = batch.view(p);
        for (std::uint64_t i = 0; i < std::min(pair.m, first_letters); ++i)
            seen[pair.query[i]] = true;
        for (std::uint64_t j = 0; j < std::min(pair.n, first_letters); ++j)
            seen[pair.target[j]] = true;
    }
    for (letters_.shift = 0; letters_.shift < 7; ++letters_.shift) {
        std::array<int, 4> count{};
        for (unsigned code = 0; code < 256; ++code)
            if (seen[code]) {
                int const number = letters_.number(static_cast<std::uint8_t>(code));
                ++count[static_cast<std::size_t>(number)];
                letters_.letter[number] = static_cast<std::uint8_t>(code);
            }
        if (std::ranges::max(count) > 1)
            continue;
        for (std::size_t number = 0; number < 4; ++number) // of which no letter is known: one that is not in its place
            if (count[number] == 0)
                letters_.letter[number] = static_cast<std::uint8_t>(~(number << letters_.shift));
        return true;
    }
    return false;
}

// The width that suits most pairs, as far as changes tell that are nearest to their ends; 0: other ways are quicker.
int BitBatch::first_width(Batch const & batch, std::span<std::uint64_t const> pairs) const
{
    SampledChanges const sampled = sample_changes(kernels_, batch, pairs, takes);
    if (sampled.pairs == 0)
        return 0;
    std::int64_t const distance = sampled.changes;
    for (int width = BitLanes::least_width; width <= BitLanes::most_width; width *= 2)
        if (distance < width + (width == BitLanes::most_width ? width / part_too_high : 0))
            return are_lanes_quicker(distance, sampled.columns, kernels_.lanes * 8 / width) ? width : 0;
    return 0;
}

bool BitBatch::load(PairView const & pair, std::int64_t offset, std::size_t lane)
{
    std::size_t const plane = lanes(), step = BitLanes::letter_planes * plane;
    std::uint64_t * const to = memory_.letters.data() + BitLanes::place_of(lane, width_, plane);
    std::int64_t const before = BitLanes::block - width_ + offset; // letters of block 0
    job_.inside[lane] = ~std::uint64_t{0} << offset;
    return kernels_.letter_bits(letters_, pair.query - before, before, before + static_cast<std::int64_t>(pair.m), to,
                                plane, step) &&
           kernels_.letter_bits(letters_, pair.target, 0, static_cast<std::int64_t>(pair.n),
                                to + BitLanes::target_low * plane, plane, step);
}

// A group from the first pairs; returns how many it has taken or left out.
std::size_t BitBatch::fill(Batch const & batch, std::span<std::uint64_t const> pairs)
{
    group_.clear();
    std::uint64_t longest = 0, columns = 0;
    std::size_t taken = 0, wanted = std::min(pairs.size(), lanes());
    for (std::size_t k = 0; k < wanted; ++k) {
        PairView const pair = batch.view(pairs[k]);
        longest = std::max({longest, pair.m, pair.n});
    }
    if (std::size_t const all = blocks_for(longest) * BitLanes::letter_planes * lanes();
        8 * all > memory_.letters.bytes())
        std::fill_n(memory_.letters.grow(all), all, 0);
    job_.letters = memory_.letters.data();
    for (; taken < pairs.size() && group_.size() < wanted; ++taken) {
        std::uint64_t const p = pairs[taken];
        PairView const pair = batch.view(p);
        if (std::max(pair.m, pair.n) > longest || (!group_.empty() && 10 * pair.n < 7 * columns))
            break;
        if (2 * std::abs(apart(pair)) > width_) {
            next_.push_back(p);
            continue;
        }
        std::int64_t const offset = offset_of(pair, width_);
        if (!load(pair, offset, group_.size())) {
            others_.push_back(p);
            continue;
        }
        group_.push_back({p, pair, offset});
        columns = std::max(columns, pair.n);
    }
    job_.end = static_cast<std::int64_t>(columns);
    return taken;
}

template <class T>
bool BitBatch::answer(Lane const & lane, std::size_t at)
{
    LaneBits<T> const bits{reinterpret_cast<T const *>(memory_.steps.data()), static_cast<std::int64_t>(lanes()),
                           static_cast<std::int64_t>(at), lane.offset};
    path::Cursor cursor;
    cigar_.clear();
    std::int64_t const most = most_of(lane.pair, width_),
                       distance = walk_bits(bits, lane.pair, most, request_.style, cigar_, cursor.i, cursor.j);
    if (distance > most)
        return false;
    answer_.score = penalties_.score(lane.pair.m, lane.pair.n, distance);
    answer_.span = {no_position, lane.pair.m, no_position, lane.pair.n};
    answer_.runs.clear();
    if (request_.output >= Output::span)
        path::finish(request_.mode, cursor, cigar_, answer_);
    return true;
}

void BitBatch::put_answers(AnswerWriter & writer, Monitor & monitor)
{
    for (std::size_t k = 0; k < group_.size(); ++k) {
        bool const found = width_ == 16   ? answer<std::uint16_t>(group_[k], k)
                           : width_ == 32 ? answer<std::uint32_t>(group_[k], k)
                                          : answer<std::uint64_t>(group_[k], k);
        if (!found) {
            next_.push_back(group_[k].index);
            continue;
        }
        writer.put(group_[k].index, answer_);
        monitor.poll_short(group_[k].pair.cells());
    }
}

void BitBatch::compute(AnswerWriter & writer, Monitor & monitor)
{
    std::fill(job_.inside + group_.size(), job_.inside + lanes(), 0); // what lies in other lanes does not matter
    std::size_t const vector = static_cast<std::size_t>(kernels_.lanes);
    std::int64_t const columns = job_.end;
    job_.steps = memory_.steps.grow(static_cast<std::size_t>(columns) * BitLanes::planes * vector);
    job_.state = memory_.state.grow(4 * vector);
    job_.begin = 0;
    kernels_.bit_lanes(job_, width_);
    put_answers(writer, monitor);
}

std::size_t BitBatch::align(Batch const & batch, std::span<std::uint64_t> pairs, AnswerWriter & writer,
                            Monitor & monitor)
{
    int const first = forced_ ? BitLanes::least_width : first_width(batch, pairs);
    if (first == 0)
        return pairs.size();
    others_.clear();
    next_.clear();
    std::vector<std::uint64_t> now;
    now.reserve(pairs.size());
    for (std::uint64_t const p : pairs)
        (takes(batch.view(p)) ? now : others_).push_back(p);
    if (now.empty() || !learn_letters(batch, now))
        return pairs.size();
    auto const columns = [&](std::uint64_t p) { return batch.view(p).n; };
    if (auto const [least, most] = std::ranges::minmax(now, {}, columns); 10 * columns(least) < 9 * columns(most))
        std::ranges::stable_sort(now, std::greater{}, columns);
    for (width_ = first; width_ <= BitLanes::most_width; width_ *= 2) {
        bool suits = true; // the width, most pairs of the last group
        for (std::size_t k = 0; k < now.size();) {
            if (!suits || monitor.stopped()) {
                next_.insert(next_.end(), now.begin() + static_cast<std::ptrdiff_t>(k), now.end());
                break;
            }
            k += fill(batch, std::span{now}.subspan(k));
            if (group_.size() < (forced_ ? 1 : least_lanes(kernels_, width_))) {
                for (Lane const & lane : group_)
                    next_.push_back(lane.index);
                continue;
            }
            std::size_t const before = next_.size();
            compute(writer, monitor);
            suits = forced_ || 2 * (next_.size() - before) <= group_.size();
        }
        now.swap(next_);
        next_.clear();
    }
    others_.insert(others_.end(), now.begin(), now.end());
    std::ranges::sort(others_);
    std::ranges::copy(others_, pairs.begin());
    return others_.size();
}

} // namespace nwgpu::cpu
