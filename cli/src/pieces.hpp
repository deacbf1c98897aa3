// SPDX-License-Identifier: BSD-3-Clause
// What is written of many alignments, made by several threads.
#pragma once

#include <algorithm>
#include <cstddef>
#include <future>
#include <span>
#include <vector>

namespace cli {

// Calls make(piece) for pieces of the items that follow each other, several at a time, and take(what was made) in
// order.  Of the threads that align a fourth makes pieces, which keeps up with them.  Rethrows what a call has thrown,
// when all have ended.
template <typename Item, typename Make, typename Take>
void for_pieces(std::span<Item const> items, int threads, Make const & make, Take const & take)
{
    constexpr std::size_t smallest = 256; // a thread takes longer to start than fewer to be made
    std::size_t const most = 1 + static_cast<std::size_t>(std::max(0, threads)) / 4;
    std::size_t const pieces = std::clamp<std::size_t>(items.size() / smallest, 1, most);
    auto const piece = [&](std::size_t k) {
        std::size_t const begin = items.size() * k / pieces;
        return items.subspan(begin, items.size() * (k + 1) / pieces - begin);
    };
    std::vector<std::future<decltype(make(items))>> others; // whose destructors wait
    for (std::size_t k = 1; k < pieces; ++k)
        others.push_back(std::async([&make, part = piece(k)] { return make(part); }));
    take(make(piece(0)));
    for (auto & other : others)
        take(other.get());
}

} // namespace cli
