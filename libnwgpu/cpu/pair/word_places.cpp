// SPDX-License-Identifier: BSD-3-Clause
#include "cpu/pair/word_places.hpp"

#include <algorithm>
#include <iterator>

#include "cpu/furthest/word_lists.hpp"

namespace nwgpu::cpu {

namespace {

constexpr std::uint64_t words_of_chance = 8, shortest = 8; // of four letters

// Of the target, between two looks at the monitor.
constexpr std::uint64_t letters_per_look = 1 << 20;

template <int letters>
WordPlaces find(PairView const & pair, path::Band const & band, Monitor * monitor)
{
    std::uint64_t const words = pair.m / letters;
    auto const begin_of = [](std::uint64_t word) { return word * letters; };
    WordPlaces places;
    places.letters = letters;
    places.count.resize(words);
    places.all.reserve(WordPlaces::places_per_word * words);
    WordLists lists;
    lists.take<letters>(pair.query, words, begin_of);
    for (std::uint64_t first = 0; first < pair.n; first += letters_per_look) {
        if (monitor)
            monitor->poll(0);
        if (monitor && monitor->stopped())
            break;
        auto const before = static_cast<std::int64_t>(first);
        lists.find<letters>(pair.query, pair.target + first, std::min(pair.n - first, letters_per_look + letters - 1),
                            band.low - before, band.high - before, begin_of,
                            [&](std::uint64_t word, std::int64_t diagonal) {
                                if (places.all.size() == WordPlaces::places_per_word * words) {
                                    places.too_many = true;
                                    return false;
                                }
                                places.all.push_back({static_cast<std::uint32_t>(word), diagonal + before});
                                return ++places.count[word] < WordPlaces::most;
                            });
    }
    return places;
}

} // namespace

WordPlaces find_places(PairView const & pair, path::Band const & band, Monitor * monitor)
{
    using Find = WordPlaces (*)(PairView const &, path::Band const &, Monitor *);
    constexpr Find finds[]{find<8>, find<9>, find<10>, find<11>, find<12>, find<13>, find<14>, find<15>, find<16>};
    constexpr std::size_t longest = std::size(finds) - 1;
    std::size_t longer = 0; // than the shortest
    for (std::uint64_t words = words_of_chance * band.width();
         longer < longest && words >> 2 * (shortest + longer) > 0;)
        ++longer;
    return finds[longer](pair, band, monitor);
}

WordPlaces find_long_places(PairView const & pair, path::Band const & band, Monitor * monitor)
{
    return find<32>(pair, band, monitor);
}

std::uint64_t word_places_bytes(std::uint64_t m)
{
    std::uint64_t const words = m / shortest;
    return WordLists::bytes_for(words) + words * (WordPlaces::places_per_word * sizeof(WordPlaces::Place) + 1);
}

} // namespace nwgpu::cpu
