// SPDX-License-Identifier: BSD-3-Clause
// Long loops and sorts in pieces, which the threads of a team take.  Pieces depend on the number of entries alone.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "base/ceil_div.hpp"
#include "base/error.hpp"
#include "base/go_on.hpp"
#include "base/team.hpp"

namespace nwgpu {

// Entries of a piece where one takes some nanoseconds.
constexpr std::uint64_t piece_entries = 16384;

// Calls body(thread, begin, end) for each piece of 0 .. count - 1, on so many threads of the team; null: on this one,
// which is number 0.  What a body throws is thrown again here, after other pieces.  `waiting`: as for Team::run().
template <class Body, class Waiting = void (*)()>
void for_pieces_of_threads(
    Team * team, int threads, std::uint64_t count, Body const & body, std::uint64_t entries = piece_entries,
    Waiting const & waiting = [] {})
{
    std::uint64_t const pieces = ceil_div(count, entries);
    std::atomic<std::uint64_t> next{0};
    auto const take = [&](int thread) {
        for (std::uint64_t k = next++; k < pieces; k = next++)
            body(thread, k * entries, std::min(count, (k + 1) * entries));
    };
    if (team && pieces > 1)
        team->run(static_cast<int>(std::min<std::uint64_t>(pieces, static_cast<std::uint64_t>(threads))), take, true,
                  waiting);
    else
        take(0);
}

// The same, whatever the thread; on all of them, if not told otherwise.
template <class Body>
void for_pieces(Team * team, int threads, std::uint64_t count, Body const & body, std::uint64_t entries)
{
    for_pieces_of_threads(
        team, threads, count, [&](int, std::uint64_t begin, std::uint64_t end) { body(begin, end); }, entries);
}
template <class Body>
void for_pieces(Team * team, std::uint64_t count, Body const & body, std::uint64_t entries = piece_entries)
{
    for_pieces(team, team ? team->size() : 1, count, body, entries);
}

// The same; go_on(), if any, is asked before each piece.  Error cancelled once it is false.
template <class Body>
void for_pieces_while(GoOn const & go_on, Team * team, std::uint64_t count, Body const & body,
                      std::uint64_t entries = piece_entries)
{
    if (!go_on)
        return for_pieces(team, count, body, entries);
    std::atomic<bool> stopped{false};
    for_pieces(
        team, count,
        [&](std::uint64_t begin, std::uint64_t end) {
            if (stopped || !go_on())
                stopped = true;
            else
                body(begin, end);
        },
        entries);
    if (stopped)
        throw Error{Status::cancelled, "the caller stopped the call"};
}

// Of 0 .. count - 1 in such pieces: for each piece the sum of what those before it have, and the sum of all at the end.
template <class SumOf>
auto sums_before(Team * team, std::uint64_t count, SumOf const & sum_of, std::uint64_t entries = piece_entries)
{
    std::vector<decltype(sum_of(count, count))> sums(ceil_div(count, entries) + 1);
    for_pieces(
        team, count, [&](std::uint64_t begin, std::uint64_t end) { sums[begin / entries] = sum_of(begin, end); },
        entries);
    std::exclusive_scan(sums.begin(), sums.end(), sums.begin(), decltype(sum_of(count, count)){0});
    return sums;
}

// Calls body(k) for all k below count; one of them takes a thread so long that it is a piece of its own.
template <class Body>
void for_each(Team * team, std::uint64_t count, Body const & body)
{
    for_pieces(
        team, count, [&](std::uint64_t k, std::uint64_t) { body(k); }, std::uint64_t{1});
}

// Sorts ascending by the low `bits` bits of key_of(entry); entries of equal keys stay in order.  `other` has room for
// as many; the sorted entries are in the array that is returned.
template <class T, class KeyOf>
T * sort_by_key(Team * team, T * entries, T * other, std::uint64_t count, int bits, KeyOf const & key_of)
{
    constexpr int digit_bits = 8;
    constexpr std::size_t digits = 1 << digit_bits;
    std::vector<std::array<std::uint32_t, digits>> places(ceil_div(count, piece_entries));
    for (int shift = 0; shift < bits; shift += digit_bits) {
        auto const digit = [&](T const & entry) { return key_of(entry) >> shift & (digits - 1); };
        for_pieces(team, count, [&](std::uint64_t begin, std::uint64_t end) {
            auto & of_piece = places[begin / piece_entries];
            of_piece.fill(0);
            for (std::uint64_t k = begin; k < end; ++k)
                ++of_piece[digit(entries[k])];
        });
        std::uint32_t place = 0;
        bool all_equal = false;
        for (std::size_t d = 0; d < digits; ++d) {
            std::uint32_t const before = place;
            for (auto & of_piece : places)
                place += std::exchange(of_piece[d], place);
            all_equal |= place - before == count;
        }
        if (all_equal)
            continue;
        for_pieces(team, count, [&](std::uint64_t begin, std::uint64_t end) {
            auto & of_piece = places[begin / piece_entries];
            for (std::uint64_t k = begin; k < end; ++k)
                other[of_piece[digit(entries[k])]++] = entries[k];
        });
        std::swap(entries, other);
    }
    return entries;
}

} // namespace nwgpu
