// SPDX-License-Identifier: BSD-3-Clause
#include "cpu/pair/word_band.hpp"

#include <algorithm>
#include <new>
#include <vector>

#include "cpu/furthest/one_diagonal.hpp"
#include "cpu/pair/word_places.hpp"

namespace nwgpu::cpu {

namespace {

using path::Band;

// From the first to the last diagonal on which, or close to each other, several words lie that occur once: a guess,
// but for what follows from it.
std::optional<Band> core_of(WordPlaces const & places)
{
    constexpr std::int64_t close = 16;
    constexpr std::size_t several = 4;
    std::vector<std::int64_t> diagonals;
    for (WordPlaces::Place const & place : places.all)
        if (places.count[place.word] == 1)
            diagonals.push_back(place.diagonal);
    std::ranges::sort(diagonals);
    std::size_t const least = std::max(several, diagonals.size() / 64);
    std::optional<Band> core;
    for (std::size_t first = 0, next = 0; first < diagonals.size(); first = next) {
        for (next = first + 1; next < diagonals.size() && diagonals[next] - diagonals[next - 1] <= close; ++next) {
        }
        if (next - first >= least) {
            Band const some{diagonals[first], diagonals[next - 1]};
            core = core ? core->with(some) : some;
        }
    }
    return core;
}

// What words say of paths that leave the core.
class Excursions {
public:
    // Of words without an end that is free.  `may_lose`: what a path may score less than equal letters all along.
    Excursions(WordPlaces const & places, Band const & core, std::int64_t cost, std::int64_t may_lose) :
        cost_{cost}, kinds_(places.count.size(), lost)
    {
        for (WordPlaces::Place const & place : places.all) {
            bool const inside = place.diagonal >= core.low && place.diagonal <= core.high;
            std::uint8_t & kind = kinds_[place.word];
            if (!inside || places.count[place.word] == WordPlaces::most)
                kind = outside;
            else if (kind == lost)
                kind = anchor;
        }
        auto const words_lost = std::ranges::count(kinds_, lost), elsewhere = std::ranges::count(kinds_, outside);
        spare_ = may_lose - cost * words_lost;
        most_anchors_ = spare_ / cost + in_part;
        all_outside_ = cost * (static_cast<std::int64_t>(kinds_.size()) - elsewhere) <= may_lose;
    }

    // Whether a path may do without the core.
    bool all_outside() const { return all_outside_; }
    // Whether no path loses so little.
    bool none() const { return spare_ < 0; }
    // What an excursion from the core may lose at most: anywhere; before the core is come to; behind it.
    std::int64_t anywhere() const
    {
        std::int64_t most = 0, words_lost = 0, anchors = 0;
        for (std::size_t first = 0, last = 0; last < kinds_.size(); ++last) {
            words_lost += kinds_[last] == lost;
            anchors += kinds_[last] == anchor;
            for (; anchors > most_anchors_; ++first) {
                words_lost -= kinds_[first] == lost;
                anchors -= kinds_[first] == anchor;
            }
            most = std::max(most, words_lost);
        }
        return spare_ + cost_ * most;
    }
    std::int64_t at_begin() const { return at_end_of(kinds_.begin(), kinds_.end()); }
    std::int64_t at_end() const { return at_end_of(kinds_.rbegin(), kinds_.rend()); }

private:
    // Equal to the target nowhere, in the core alone, or elsewhere.
    enum Kind : std::uint8_t { lost, anchor, outside };
    static constexpr std::int64_t in_part = 2; // words that an excursion enters or leaves in their middle

    template <class Iterator>
    std::int64_t at_end_of(Iterator word, Iterator end) const
    {
        std::int64_t words_lost = 0, anchors = 0;
        for (; word != end && (anchors += *word == anchor) <= most_anchors_; ++word)
            words_lost += *word == lost;
        return spare_ + cost_ * words_lost;
    }

    std::int64_t const cost_;
    std::vector<std::uint8_t> kinds_;
    std::int64_t spare_ = 0, most_anchors_ = 0;
    bool all_outside_ = true;
};

std::optional<Band> find_word_band(PairView const & pair, Mode const & mode, Scoring const & scoring,
                                   std::int64_t score, Band const & wide)
{
    if (mode.free_query_begin || mode.free_query_end) {
        Mode swapped = mode;
        std::swap(swapped.free_query_begin, swapped.free_target_begin);
        std::swap(swapped.free_query_end, swapped.free_target_end);
        auto const band =
            find_word_band({pair.target, pair.n, pair.query, pair.m}, swapped, scoring, score, {-wide.high, -wide.low});
        return band ? std::optional<Band>{{-band->high, -band->low}} : std::nullopt;
    }
    std::int64_t const match = scoring.max_score();
    GapCost const gap = scoring.gap();
    if (!scoring.is_uniform() || match <= 0 || gap.extend <= 0)
        return std::nullopt;
    WordPlaces const places = find_places(pair, wide);
    std::optional<Band> core = places.too_many ? std::nullopt : core_of(places);
    if (!core)
        return std::nullopt;
    std::int64_t const last = static_cast<std::int64_t>(pair.n) - static_cast<std::int64_t>(pair.m);
    if (!mode.free_target_begin)
        core = core->with({0, 0});
    if (!mode.free_target_end)
        core = core->with({last, last});
    std::int64_t const cost =
        std::min(Losses::of(scoring).of_word(), static_cast<std::int64_t>(places.letters) * (match + gap.extend));
    Excursions const excursions{places, *core, cost, match * static_cast<std::int64_t>(pair.m) - score};
    if (excursions.all_outside() || excursions.none())
        return std::nullopt;
    // From the core and back to it letters of both sequences are in gaps; at a free end those of one alone.
    std::int64_t const of_query = match + gap.extend, of_target = gap.extend,
                       back = excursions.anywhere() / (of_query + of_target);
    std::int64_t low = back, high = back;
    if (mode.free_target_begin) {
        low = std::max(low, excursions.at_begin() / of_target);
        high = std::max(high, excursions.at_begin() / of_query);
    }
    if (mode.free_target_end) {
        low = std::max(low, excursions.at_end() / of_query);
        high = std::max(high, excursions.at_end() / of_target);
    }
    // Paths lie strictly within.  Where none scores so much they need not, but begin and end of the query stay.
    Band const found{std::max(wide.low, core->low - low - 1), std::min(wide.high, core->high + high + 1)};
    return Band{std::min(found.low, last), std::max<std::int64_t>(found.high, 0)};
}

} // namespace

std::uint64_t word_band_bytes(std::uint64_t m, std::uint64_t n)
{
    std::uint64_t const longer = std::max(m, n); // the query, or the target in its place
    return word_places_bytes(longer) + longer / 8 * (2 * sizeof(std::int64_t) + 1);
}

std::optional<Band> word_band(PairView const & pair, Mode const & mode, Scoring const & scoring, std::int64_t score,
                              Band const & wide)
try {
    return find_word_band(pair, mode, scoring, score, wide);
} catch (std::bad_alloc const &) {
    return std::nullopt;
}

PairResult moved(BandCut const & cut, PairResult answer)
{
    answer.span.query_begin += cut.query_before;
    answer.span.query_end += cut.query_before;
    answer.span.target_begin += cut.target_before;
    answer.span.target_end += cut.target_before;
    return answer;
}

BandCut cut_to_band(PairView const & pair, Band const & band)
{
    auto const m = static_cast<std::int64_t>(pair.m), n = static_cast<std::int64_t>(pair.n);
    std::int64_t const rows = std::max<std::int64_t>(0, -band.high), cols = std::max<std::int64_t>(0, band.low),
                       row_end = std::min(m, n - band.low), col_end = std::min(n, m + band.high);
    return {{pair.query + rows, static_cast<std::uint64_t>(row_end - rows), pair.target + cols,
             static_cast<std::uint64_t>(col_end - cols)},
            static_cast<std::uint64_t>(rows),
            static_cast<std::uint64_t>(cols),
            {band.low + rows - cols, band.high + rows - cols}};
}

} // namespace nwgpu::cpu
