// SPDX-License-Identifier: BSD-3-Clause
#include "cpu/furthest/kept_fronts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/allocated.hpp"
#include "base/large_pages.hpp"

namespace nwgpu::cpu {

namespace {

// Numbers of fronts that are all kept: computing some of them again saves no time.
constexpr std::uint64_t most_kept = 1 << 18;
constexpr std::int64_t least_spacing = 64;
// Of the spacing with which one window takes as much memory as snapshots: with half of it they take as much as two, the
// least in all.  With less, windows are computed more quickly, since each is narrower.
constexpr double least_memory_part = 2, quick_part = 6;
// Windows are as much wider, in parts of the spacing, so that they serve cells that are asked for later.
constexpr std::int64_t wider = 8;

// Reaches no cell, and tells nothing about how far others come.
constexpr KeptFront nothing{nullptr, INT64_MAX / 2, INT64_MAX / 2 - 1, INT64_MAX, INT64_MAX};

// Beside the numbers of a snapshot: rows of older fronts may be longer, and vectors are read as a whole.
std::int64_t margin(std::int64_t rings) { return front_block + rings; }

std::int64_t spacing_for(std::int64_t penalty, std::int64_t rings, double part)
{
    auto const s = static_cast<double>(penalty);
    return std::max(least_spacing, static_cast<std::int64_t>(std::cbrt(static_cast<double>(rings) * s * s / 2) / part));
}

// Diagonals on either side.  Cells whose penalty is higher than those of the fronts by one step ask for them, and where
// words leave diagonals out they stay for one step.
std::int64_t window_reach(std::int64_t spacing, std::int64_t extend, std::int64_t rings)
{
    return (spacing + spacing / wider + 2 * rings) / extend + 1;
}

std::int64_t window_stride(std::int64_t spacing, std::int64_t extend, std::int64_t rings)
{
    return (2 * window_reach(spacing, extend, rings) / front_block + 5) * front_block;
}

// Of the fronts that are computed again.
std::uint64_t window_room(std::int64_t spacing, Penalties const & penalties, std::int64_t rings)
{
    auto const widest = static_cast<std::uint64_t>(2 * window_reach(spacing, penalties.extend, rings) + 1);
    return room_of(static_cast<std::uint64_t>(spacing) * widest, spacing, penalties);
}

} // namespace

// Vectors are written as a whole.
std::uint64_t room_of(std::uint64_t points, std::int64_t penalty, Penalties const & penalties)
{
    std::uint64_t const fronts = penalties.unit_costs() ? std::min(points, static_cast<std::uint64_t>(penalty) + 1) : 0;
    return points + front_block * (fronts + (penalties.unit_costs() ? 3 : 1));
}

// Widths of fronts rise and then fall, so that of every `spacing`-th one they are a part of all, and twice the largest.
// Where words leave diagonals out they fall at any time, and rise by two from front to front at most.
FrontRoom snapshot_room(std::uint64_t points, std::int64_t penalty, Penalties const & penalties, std::int64_t rings,
                        std::int64_t spacing)
{
    std::int64_t const widest = 2 * (penalty / penalties.extend) + 1, count = penalty / spacing + 2;
    return {spacing, static_cast<std::uint64_t>(rings) *
                         (points / static_cast<std::uint64_t>(spacing) +
                          static_cast<std::uint64_t>(2 * widest + count * (2 * margin(rings) + spacing)))};
}

FrontRoom room_for(std::uint64_t points, std::int64_t penalty, Penalties const & penalties, std::int64_t rings,
                   FrontRoom const & most)
{
    std::uint64_t const all = room_of(points, penalty, penalties);
    if (all <= std::min(most_kept, most.numbers))
        return {1, all};
    std::int64_t spacing = std::min(spacing_for(penalty, rings, quick_part), most.spacing);
    FrontRoom room = snapshot_room(points, penalty, penalties, rings, spacing);
    while (room.numbers > most.numbers && spacing < most.spacing) {
        spacing = std::min(spacing + spacing / 4, most.spacing);
        room = snapshot_room(points, penalty, penalties, rings, spacing);
    }
    room.numbers = std::max(room.numbers, std::min(most_kept, most.numbers)); // lower penalties may keep all
    return room;
}

FrontRoom least_room_for(std::uint64_t points, std::int64_t penalty, Penalties const & penalties, std::int64_t rings)
{
    std::int64_t const spacing = spacing_for(penalty, rings, least_memory_part);
    return room_for(points, penalty, penalties, rings,
                    {spacing, snapshot_room(points, penalty, penalties, rings, spacing).numbers});
}

std::uint64_t window_bytes(std::int64_t spacing, Penalties const & penalties, std::int64_t rings, int width)
{
    if (spacing == 1)
        return 0;
    auto const ring_numbers = static_cast<std::uint64_t>((rings + 1) * window_stride(spacing, penalties.extend, rings));
    std::uint64_t const numbers =
        (ring_numbers + window_room(spacing, penalties, rings)) * static_cast<std::uint64_t>(width) / 8;
    return 2 * (allocated(numbers) + allocated(static_cast<std::uint64_t>(spacing) * sizeof(KeptFront)));
}

std::uint64_t FrontMemory::bytes() const
{
    std::uint64_t sum = first_room.bytes() + room.bytes() + fronts.capacity() * sizeof(KeptFront) +
                        snapshots.capacity() * sizeof(FrontSnapshot);
    for (FrontWindow const & window : windows)
        sum += window.numbers.bytes() + window.fronts.capacity() * sizeof(KeptFront);
    return sum;
}

// It is written from its begin to its end, most of it for the first time.
std::uint8_t * KeptFronts::grow(AlignedBuffer<std::uint8_t> & room, std::uint64_t numbers) const
{
    std::uint64_t const bytes = numbers * static_cast<std::uint64_t>(width_) / 8;
    bool const is_new = bytes > room.bytes();
    std::uint8_t * const begin = room.grow(bytes);
    if (is_new)
        prefer_large_pages(begin, bytes);
    return begin;
}

void KeptFronts::keep_first(Fronts & fronts, std::uint64_t numbers) { fronts.room = grow(memory_.first_room, numbers); }

void KeptFronts::keep_rest(Fronts & fronts, FrontRoom const & room)
{
    spacing_ = room.spacing;
    if (spacing_ == 1) {
        fronts.room = grow(memory_.room, room.numbers);
        return;
    }
    all_ = fronts.s;
    room_ = grow(memory_.room, room.numbers);
    fronts.kept = nullptr;
    memory_.snapshots.clear();
}

std::int64_t KeptFronts::prepare(Fronts & fronts, std::int64_t until)
{
    if (spacing_ == 1) {
        memory_.fronts.resize(static_cast<std::size_t>(until));
        fronts.kept = memory_.fronts.data();
        return until;
    }
    auto const due = [&] { return all_ + static_cast<std::int64_t>(memory_.snapshots.size()) * spacing_; };
    if (fronts.s == due())
        width_ == 16 ? take_snapshot<std::int16_t>(fronts) : take_snapshot<std::int32_t>(fronts);
    return std::min(until, due());
}

template <class T>
void KeptFronts::take_snapshot(Fronts const & fronts)
{
    T * at = static_cast<T *>(room_);
    FrontSnapshot shot{fronts.s, fronts.low, fronts.high, fronts.rows, fronts.columns, fronts.words.passed, 0, 0, at};
    if (penalties_.unit_costs()) { // the front, between numbers that say "not reached"
        std::int64_t const count = fronts.front_high - fronts.front_low + 1;
        shot.first = fronts.front_low - front_block;
        shot.stride = count + 2 * front_block;
        at = std::fill_n(at, front_block, std::numeric_limits<T>::min());
        at = std::copy_n(static_cast<T const *>(fronts.front), count, at);
        at = std::fill_n(at, front_block, std::numeric_limits<T>::min());
    } else {
        std::int64_t const beside = margin(fronts.rings());
        shot.first = std::max(fronts.low - beside, fronts.ready_low);
        shot.stride = std::min(fronts.high + beside + 1, fronts.ready_high) - shot.first;
        auto const copy = [&](void const * ring, std::int64_t rows) {
            for (std::int64_t row = 0; row < rows; ++row)
                at = std::copy_n(static_cast<T const *>(ring) + row * fronts.stride + (shot.first - fronts.first),
                                 shot.stride, at);
        };
        copy(fronts.m_ring, fronts.ring);
        copy(fronts.e_ring, fronts.gap_ring);
        copy(fronts.f_ring, fronts.gap_ring);
    }
    memory_.snapshots.push_back(shot);
    room_ = at;
}

// Rings as they were, on the diagonals of a window.
template <class T>
void KeptFronts::restore(Fronts & fronts, FrontSnapshot const & from) const
{
    std::int64_t const begin = std::max(fronts.first, from.first),
                       end = std::min(fronts.first + fronts.stride, from.first + from.stride);
    T const * numbers = static_cast<T const *>(from.numbers) + (begin - from.first);
    auto const rows = [&](void * ring, std::int64_t count) {
        T * to = static_cast<T *>(ring);
        for (std::int64_t row = 0; row < count; ++row, to += fronts.stride, numbers += from.stride) {
            std::fill_n(to, fronts.stride, std::numeric_limits<T>::min());
            std::copy_n(numbers, std::max<std::int64_t>(0, end - begin), to + (begin - fronts.first));
        }
    };
    rows(fronts.m_ring, fronts.ring);
    rows(fronts.e_ring, fronts.gap_ring);
    rows(fronts.f_ring, fronts.gap_ring);
    for (std::int64_t k = 0; k < fronts.stride; ++k)
        static_cast<T *>(fronts.limits)[k] =
            static_cast<T>(fronts.base + std::min(fronts.n, fronts.m + fronts.first + k));
}

void KeptFronts::finish(Fronts const & fronts)
{
    end_ = fronts;
    if (spacing_ == 1)
        all_ = fronts.s;
}

KeptFront const & KeptFronts::again(std::int64_t t, std::int64_t diagonal, std::int64_t s)
{
    if (!memory_.windows[last_].has(t, diagonal, s, penalties_.extend)) {
        last_ = 1 - last_; // the other one serves, or is replaced
        FrontWindow & window = memory_.windows[last_];
        if (!window.has(t, diagonal, s, penalties_.extend)) {
            monitor_.throw_if_stopped();
            compute(window, memory_.snapshots[static_cast<std::size_t>((t - all_) / spacing_)], diagonal,
                    s + spacing_ / wider);
        }
    }
    FrontWindow const & window = memory_.windows[last_];
    if (t >= window.end) // no diagonal was left: the cell is on no best path
        return nothing;
    return window.fronts[static_cast<std::size_t>(t - window.first)];
}

void KeptFronts::compute(FrontWindow & window, FrontSnapshot const & from, std::int64_t diagonal, std::int64_t s) const
{
    Fronts fronts = end_;
    std::int64_t const rings = fronts.rings();
    window.end = window.first; // nothing, if memory ends
    fronts.done = fronts.is_over = false;
    fronts.has_gaps = true;
    fronts.toward = diagonal;
    fronts.most = s;
    fronts.words.total = end_.s - 1;
    fronts.words.passed = from.passed;
    fronts.first = diagonal - window_reach(spacing_, penalties_.extend, rings) - 2 * front_block;
    fronts.stride = window_stride(spacing_, penalties_.extend, rings);
    fronts.ready_low = fronts.first;
    fronts.ready_high = fronts.first + fronts.stride;
    fronts.s = fronts.first_kept = from.s;
    fronts.low = from.low;
    fronts.high = from.high;
    fronts.rows = from.rows;
    fronts.columns = from.columns;
    fronts.until = std::min({from.s + spacing_, end_.s - 1, s + 1});
    fronts.points = std::numeric_limits<std::int64_t>::max() / 4;
    window.fronts.resize(static_cast<std::size_t>(spacing_));
    fronts.kept = window.fronts.data();
    std::int64_t const size = width_ / 8;
    bool const unit = penalties_.unit_costs();
    std::int64_t const ring_numbers = unit ? 0 : (rings + 1) * fronts.stride;
    std::uint8_t * at = window.numbers.grow(
        static_cast<std::size_t>(size) *
        (static_cast<std::size_t>(ring_numbers) + static_cast<std::size_t>(window_room(spacing_, penalties_, rings))));
    fronts.room = at + ring_numbers * size;
    if (unit) {
        fronts.front = static_cast<std::uint8_t *>(from.numbers) + front_block * size;
        fronts.front_low = from.first + front_block;
        fronts.front_high = from.first + from.stride - front_block - 1;
        kernels_.unit_fronts(fronts, width_);
    } else {
        auto const take = [&](std::int64_t rows) { return std::exchange(at, at + rows * fronts.stride * size); };
        fronts.m_ring = take(fronts.ring);
        fronts.e_ring = take(fronts.gap_ring);
        fronts.f_ring = take(fronts.gap_ring);
        fronts.limits = take(1);
        width_ == 16 ? restore<std::int16_t>(fronts, from) : restore<std::int32_t>(fronts, from);
        kernels_.fronts(fronts, width_);
    }
    window.first = from.s;
    window.end = fronts.s;
    window.diagonal = diagonal;
    window.s = s;
}

} // namespace nwgpu::cpu
