// SPDX-License-Identifier: BSD-3-Clause
// What is written of many alignments, or of many targets, made by several threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <future>
#include <span>
#include <vector>

namespace cli {

// The first items, at least one, that take about so many bytes; size_of(item) is what one takes.
template <typename Item, typename Size>
std::span<Item const> first_of_size(std::span<Item const> items, Size const & size_of)
{
    constexpr std::uint64_t most_bytes = 32 << 20;
    constexpr std::size_t most_items = 1 << 14;
    std::size_t count = 0;
    for (std::uint64_t bytes = 0; count < std::min(items.size(), most_items) && bytes < most_bytes; ++count)
        bytes += size_of(items[count]);
    return items.first(count);
}

// Calls make(piece) for pieces of the items that follow each other, several at a time, and take(what was made) in
// order.  Of the threads that align a fourth makes pieces, which keeps up with them; what they have made at a time is
// bounded.  Rethrows what a call has thrown, when all have ended.
template <typename Item, typename Size, typename Make, typename Take>
void for_pieces(std::span<Item const> items, int threads, Size const & size_of, Make const & make, Take const & take)
{
    constexpr std::size_t smallest = 256; // a thread takes longer to start than fewer to be made
    std::size_t const most = 1 + static_cast<std::size_t>(std::max(0, threads)) / 4;
    while (!items.empty()) {
        std::span<Item const> const some = first_of_size(items, size_of);
        items = items.subspan(some.size());
        std::size_t const pieces = std::clamp<std::size_t>(some.size() / smallest, 1, most);
        auto const piece = [&](std::size_t k) {
            std::size_t const begin = some.size() * k / pieces;
            return some.subspan(begin, some.size() * (k + 1) / pieces - begin);
        };
        std::vector<std::future<decltype(make(some))>> others; // whose destructors wait
        for (std::size_t k = 1; k < pieces; ++k)
            others.push_back(std::async([&make, part = piece(k)] { return make(part); }));
        take(make(piece(0)));
        for (auto & other : others)
            take(other.get());
    }
}

// Calls work(i) for each i below count, by so many threads at most.  Rethrows what a call has thrown.
template <typename Work>
void for_indices(std::size_t count, int threads, Work const & work)
{
    std::atomic<std::size_t> next = 0;
    auto const serve = [&] {
        for (std::size_t i = next++; i < count; i = next++)
            work(i);
    };
    std::vector<std::future<void>> others; // whose destructors wait
    for (std::size_t k = 1; k < std::min(count, static_cast<std::size_t>(std::max(1, threads))); ++k)
        others.push_back(std::async(serve));
    serve();
    for (auto & other : others)
        other.get();
}

} // namespace cli
