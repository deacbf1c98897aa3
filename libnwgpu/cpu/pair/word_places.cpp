// SPDX-License-Identifier: BSD-3-Clause
#include "cpu/pair/word_places.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <limits>
#include <utility>

#include "backend/looks.hpp"
#include "base/pieces.hpp"

namespace nwgpu::cpu {

namespace {

constexpr std::uint64_t words_of_chance = 8, shortest = 8; // of four letters

// Of the target, of a part for a thread, at least.
constexpr std::uint64_t letters_of_part = 1 << 15;

// `most`: places in all.
template <int letters>
WordPlaces find(PairView const & pair, path::Band const & band, Monitor * monitor, std::uint64_t most)
{
    std::uint64_t const words = pair.m / letters;
    auto const begin_of = [](std::uint64_t word) { return word * letters; };
    WordPlaces places;
    places.letters = letters;
    places.count.resize(words);
    places.all.reserve(WordPlaces::places_per_word * words);
    WordLists lists;
    Looks looks{monitor};
    lists.take<letters>(pair.query, words, begin_of, looks);
    lists.find<letters>(
        pair.query, pair.target, pair.n, band.low, band.high, begin_of,
        [&](std::uint64_t word, std::int64_t diagonal) {
            if (places.all.size() == most) {
                places.too_many = true;
                return false;
            }
            places.all.push_back({static_cast<std::uint32_t>(word), diagonal});
            return ++places.count[word] < WordPlaces::most;
        },
        looks);
    return places;
}

// A part of the target, and the words that a band has there.
struct Part {
    std::uint64_t first_word = 0, first_letter = 0;
    WordPlaces places;

    std::int64_t diagonal(std::uint64_t letters) const
    {
        return static_cast<std::int64_t>(first_letter) - static_cast<std::int64_t>(first_word * letters);
    }
};

// From letter `begin` of the target to letter `end`.
template <int letters>
Part find_in_part(PairView const & pair, path::Band const & band, Monitor * monitor, std::uint64_t most,
                  std::uint64_t begin, std::uint64_t end)
{
    auto const word_of = [&](std::int64_t letter) { // of the query; the first that begins there or behind
        std::int64_t const within = std::clamp<std::int64_t>(letter, 0, static_cast<std::int64_t>(pair.m));
        return ceil_div(static_cast<std::uint64_t>(within), std::uint64_t{letters});
    };
    std::uint64_t const words = pair.m / letters,
                        first = std::min(words, word_of(static_cast<std::int64_t>(begin) - band.high)),
                        last = std::clamp(word_of(static_cast<std::int64_t>(end) - band.low), first, words);
    Part part{first, begin, {}};
    std::int64_t const diagonal = part.diagonal(letters);
    PairView const view{pair.query + first * letters, (last - first) * letters, pair.target + begin,
                        std::min(pair.n, end + letters - 1) - begin};
    part.places = find<letters>(view, {band.low - diagonal, band.high - diagonal}, monitor, most);
    return part;
}

template <int letters>
WordPlaces find(PairView const & pair, path::Band const & band, Monitor * monitor, Team * team)
{
    // Each part has lists of all words that the band has there: with more parts of a wide band these would take longer
    // than the rest, and nobody may come to help.
    std::uint64_t const most = WordPlaces::places_per_word * (pair.m / letters),
                        threads = team ? static_cast<std::uint64_t>(team->size()) : 1,
                        count = std::min({threads, pair.n / letters_of_part,
                                          1 + 2 * pair.m / std::max<std::uint64_t>(1, band.width())});
    if (count <= 1)
        return find<letters>(pair, band, monitor, most);
    std::vector<Part> parts(count);
    for_each(team, count, [&](std::uint64_t k) {
        parts[k] = find_in_part<letters>(pair, band, monitor, most, pair.n * k / count, pair.n * (k + 1) / count);
    });
    WordPlaces all;
    all.letters = letters;
    all.count.resize(pair.m / letters);
    std::size_t places = 0;
    for (Part const & part : parts)
        places += part.places.all.size();
    all.too_many = places > most;
    all.all.reserve(places);
    Looks looks{monitor};
    for (Part & part : parts) {
        looks.look();
        all.too_many |= part.places.too_many;
        std::int64_t const diagonal = part.diagonal(letters);
        for (WordPlaces::Place const & place : part.places.all)
            all.all.push_back({static_cast<std::uint32_t>(place.word + part.first_word), place.diagonal + diagonal});
        std::uint8_t * const counts = all.count.data() + part.first_word;
        for (std::size_t word = 0; word < part.places.count.size(); ++word)
            counts[word] = std::min<std::uint8_t>(WordPlaces::most, counts[word] + part.places.count[word]);
        part.places = {};
    }
    return all;
}

} // namespace

WordPlaces find_places(PairView const & pair, path::Band const & band, Monitor * monitor, Team * team)
{
    using Find = WordPlaces (*)(PairView const &, path::Band const &, Monitor *, Team *);
    constexpr Find finds[]{find<8>, find<9>, find<10>, find<11>, find<12>, find<13>, find<14>, find<15>, find<16>};
    constexpr std::size_t longest = std::size(finds) - 1;
    std::size_t longer = 0; // than the shortest
    for (std::uint64_t words = words_of_chance * band.width();
         longer < longest && words >> 2 * (shortest + longer) > 0;)
        ++longer;
    return finds[longer](pair, band, monitor, team);
}

WordPlaces find_long_places(PairView const & pair, path::Band const & band, Monitor * monitor, Team * team)
{
    return find<32>(pair, band, monitor, team);
}

namespace {

template <int letters>
constexpr std::uint64_t begin_of_piece(std::uint64_t piece)
{
    return piece * (letters / 2);
}

} // namespace

FewWords::FewWords(PairView const & pair, Length letters) : pair_{pair}, letters_{letters}
{
    if (letters == Length::for_tests)
        take<8>();
    else
        take<32>();
}

// Wherever a word lies in the target, one of the target's pieces, which lie end to end, is within it.
template <int letters>
void FewWords::take()
{
    pieces_.take<letters / 2>(pair_.target, pair_.n / (letters / 2), begin_of_piece<letters>);
}

template <int letters>
void FewWords::find(WordPlaces & places)
{
    constexpr std::uint64_t visits_per_word = 8;
    constexpr std::int64_t far = std::numeric_limits<std::int64_t>::max();
    std::uint64_t const words = places.begins.size();
    std::uint64_t visits = visits_per_word * words; // that are left: a piece may be in many places
    for (std::uint64_t word = 0; word < words && !places.too_many; ++word) {
        std::uint64_t const begin = places.begins[word];
        auto const visit = [&](std::uint64_t, std::int64_t diagonal) {
            if (visits == 0) {
                places.too_many = true;
                return false;
            }
            --visits;
            auto const j = static_cast<std::uint64_t>(-diagonal); // target letters before the word
            if (diagonal <= 0 && j + letters <= pair_.n && places.count[word] < WordPlaces::most &&
                std::memcmp(pair_.query + begin, pair_.target + j, letters) == 0) {
                places.all.push_back({static_cast<std::uint32_t>(word),
                                      static_cast<std::int64_t>(j) - static_cast<std::int64_t>(begin)});
                ++places.count[word];
            }
            return true;
        };
        pieces_.find<letters / 2>(pair_.target, pair_.query + begin, letters - 1, -far, far, begin_of_piece<letters>,
                                  visit);
    }
}

WordPlaces FewWords::find(std::vector<std::uint64_t> begins)
{
    WordPlaces places;
    places.letters = static_cast<std::uint64_t>(letters_);
    places.begins = std::move(begins);
    places.count.resize(places.begins.size());
    places.all.reserve(places.begins.size());
    if (letters_ == Length::for_tests)
        find<8>(places);
    else
        find<32>(places);
    return places;
}

std::uint64_t word_places_bytes(std::uint64_t m, int threads)
{
    // Of parts, which have all words that a band has there: together three or four times the words of the query.
    constexpr int copies = 5;
    std::uint64_t const words = m / shortest;
    return (WordLists::bytes_for(words) + words * (WordPlaces::places_per_word * sizeof(WordPlaces::Place) + 1)) *
           static_cast<std::uint64_t>(threads > 1 ? std::min(threads + 1, copies) : 1);
}

} // namespace nwgpu::cpu
