// SPDX-License-Identifier: BSD-3-Clause
#include "cpu/landmarks/landmark_row.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "backend/looks.hpp"
#include "base/pieces.hpp"
#include "cpu/pair/word_places.hpp"
#include "path/common_words.hpp"

namespace nwgpu::cpu {

namespace {

// With a smaller share of the words in the row, paths lose about as much as the words that are lost and those of the
// row together cost: nothing would be proven.
constexpr std::uint64_t least_words = 8, least_long_words = 14, of_words = 20;
// At the begin of a global pair, of one of twice as many.
constexpr std::uint64_t letters_that_tell = 1 << 15;
// With fewer a thread has less to do than it takes to come.
constexpr std::size_t words_of_thread = 8192;

} // namespace

LandmarkRow::LandmarkRow(PairView const & pair, Scoring const & scoring, Team * team) :
    pair_{pair}, losses_{Losses::of(scoring)}, scoring_{scoring}, team_{team}
{}

bool LandmarkRow::find(path::Band const & band, Monitor & monitor, Kind kind)
{
    if (monitor.stopped())
        return false;
    return kind == Kind::long_ones ? take(find_long_places(pair_, band, &monitor, team_), least_long_words, monitor)
                                   : take(find_places(pair_, band, &monitor, team_), least_words, monitor);
}

bool LandmarkRow::take(WordPlaces const & places, Monitor & monitor) { return take(places, least_words, monitor); }

// False: fewer than `least` of twenty are in a row.
bool LandmarkRow::take(WordPlaces const & places, std::uint64_t least, Monitor & monitor)
{
    std::uint64_t const words = places.count.size();
    if (places.too_many || words == 0 || monitor.stopped())
        return false;
    letters_ = places.letters;
    // In the order of the query.
    std::vector<std::int64_t> diagonal_of(words);
    Looks looks{monitor};
    for (auto place = places.all.begin(); place != places.all.end() && looks.go_on(); ++place)
        diagonal_of[place->word] = place->diagonal;
    std::vector<path::CommonWord> once;
    once.reserve(words);
    for (std::uint64_t word = 0; word < words && looks.go_on(); ++word)
        if (places.count[word] == 1)
            once.push_back({places.begin(word), places.begin(word) + static_cast<std::uint64_t>(diagonal_of[word])});
    if (once.size() * of_words < words * least)
        return false;
    row_.clear();
    lost_ = 0;
    std::vector<path::CommonWord> const best = path::best_row(once, scoring_, [&] { return looks.look(); });
    std::uint64_t word = 0, end = 0; // words that were looked at; target letters up to the end of the last one
    for (path::CommonWord const & one : best) {
        if (!looks.go_on())
            return false;
        if (one.j < end) // beside the last one: a path crosses one of them
            continue;
        for (; places.begin(word) < one.i; ++word)
            lost_ += places.count[word] == 0;
        row_.push_back({one.i, one.j, lost_});
        end = one.j + letters_;
    }
    for (; word < words; ++word)
        lost_ += places.count[word] == 0;
    return row_.size() * of_words >= words * least && looks.look();
}

// Where the path has all letters of a word equal it is on the only diagonal on which the word occurs.
std::vector<std::int64_t> LandmarkRow::follow(std::span<std::uint32_t const> runs, std::uint64_t i, CigarOp inner_gap)
{
    std::vector<std::int64_t> losses; // before each word that is kept
    losses.reserve(row_.size() + 1);
    std::int64_t loss = 0; // since the last of these
    auto word = row_.begin(), kept = word;
    for (std::uint32_t const run : runs) {
        CigarOp const op = run_op(run);
        std::uint64_t const length = run_length(run);
        auto const letters = static_cast<std::int64_t>(length);
        if (op == CigarOp::equal) {
            for (; word != row_.end() && word->i < i + length; ++word)
                if (word->i >= i && word->i + letters_ <= i + length) {
                    *kept++ = *word;
                    losses.push_back(std::exchange(loss, 0));
                }
        } else if (op == CigarOp::different) {
            loss += letters * losses_.mismatch;
        } else {
            loss += losses_.open + letters * (losses_.extend + (op == inner_gap ? losses_.match : 0));
        }
        if (op == CigarOp::equal || op == CigarOp::different || op == inner_gap)
            i += length;
    }
    losses.push_back(loss);
    row_.erase(kept, row_.end());
    return losses;
}

bool LandmarkRow::begins_with_long_words(PairView const & pair, Scoring const & scoring, Monitor & monitor)
{
    if (std::min(pair.m, pair.n) < 2 * letters_that_tell)
        return false;
    PairView const begin{pair.query, letters_that_tell, pair.target, letters_that_tell};
    return LandmarkRow{begin, scoring, nullptr}.find(path::band_around(begin, letters_that_tell / 8), monitor,
                                                     Kind::long_ones);
}

Box LandmarkRow::between(std::size_t first, std::size_t last) const
{
    Box box{0, 0, pair_.m, pair_.n};
    if (first > 0) {
        box.i = row_[first - 1].i + letters_;
        box.j = row_[first - 1].j + letters_;
    }
    if (last < row_.size()) {
        box.i_end = row_[last].i;
        box.j_end = row_[last].j;
    }
    return box;
}

// Where words behind a long gap are on another diagonal, all paths to them lose its letters.  A deletion changes one
// word, and a run of inserted letters no more than it touches: what is left of a word's cost beside these is enough to
// prove words that are near the gap.
bool LandmarkRow::prove(std::span<std::int64_t const> losses, Ends const & ends, Monitor & monitor)
{
    auto const letters = static_cast<std::int64_t>(letters_);
    std::int64_t const inserted = losses_.match + losses_.extend,
                       cost = std::min(losses_.of_word(), letters * (ends.clips ? losses_.match : inserted)),
                       beside_insertions = std::min(cost, losses_.open / 2);
    std::vector<Bound> bounds{{1, cost, 0}};
    if (cost > losses_.extend)
        bounds.push_back({1, cost - losses_.extend, losses_.extend});
    if (beside_insertions > 0)
        bounds.push_back({letters, letters * beside_insertions, beside_insertions - letters * inserted});
    std::vector<std::vector<std::uint8_t>> crossed(bounds.size());
    bool const is_long = row_.size() >= words_of_thread;
    for_each(is_long ? team_ : nullptr, bounds.size(),
             [&](std::uint64_t k) { prove_by(bounds[k], losses, ends, monitor, crossed[k]); });
    if (monitor.stopped())
        return false;
    crossed_ = std::move(crossed.front());
    for (std::size_t bound = 1; bound < bounds.size(); ++bound)
        std::ranges::transform(crossed_, crossed[bound], crossed_.begin(), std::bit_or<>{});
    return true;
}

// Where an end is free, its diagonal is one that proves nothing, whatever lies at the other one.
std::int64_t LandmarkRow::diagonal(std::size_t node, Bound const & bound, Ends const & ends) const
{
    auto const of = [](Word const & word) {
        return static_cast<std::int64_t>(word.j) - static_cast<std::int64_t>(word.i);
    };
    bool const is_begin = node == 0, is_end = node > row_.size();
    if (!is_begin && !is_end)
        return of(row_[node - 1]);
    std::int64_t const first = 0, last = static_cast<std::int64_t>(pair_.n) - static_cast<std::int64_t>(pair_.m);
    if (!(is_begin ? ends.free_begin : ends.free_end))
        return is_begin ? first : last;
    auto const [lowest, highest] = std::ranges::minmax_element(row_, {}, of);
    std::int64_t low = of(*lowest), high = of(*highest);
    if (!ends.free_begin || !ends.free_end) { // the other one is not
        low = std::min(low, is_begin ? last : first);
        high = std::max(high, is_begin ? last : first);
    }
    return is_begin == (bound.diagonal > 0) ? high : low;
}

// Between two words that a best path crosses, or an end of the matrix, it loses no more than the given path does.  If
// it crosses none of the words between them it loses their cost, and that of the lost words: word k is crossed if that
// is more wherever k is one of those between.  `balance` is what the given path loses up to a word less that cost.
void LandmarkRow::prove_by(Bound const & bound, std::span<std::int64_t const> losses, Ends const & ends,
                           Monitor & monitor, std::vector<std::uint8_t> & crossed) const
{
    Looks looks{monitor};
    // A word that is clipped in part costs no more than a letter.
    std::int64_t const in_part = ends.clips ? std::max<std::int64_t>(0, bound.word - bound.scale * losses_.match) : 0;
    std::size_t const count = row_.size();
    std::vector<std::int64_t> balance(count + 2); // the ends are first and last
    std::int64_t loss = 0;
    for (std::size_t node = 0; node < balance.size() && looks.go_on(); ++node) {
        std::int64_t const lost = node == 0 ? 0 : node <= count ? row_[node - 1].lost : lost_;
        balance[node] = bound.scale * loss - bound.word * (lost + static_cast<std::int64_t>(node)) -
                        bound.diagonal * diagonal(node, bound, ends);
        if (node < losses.size())
            loss += losses[node];
    }
    balance.front() -= in_part;
    balance.back() += in_part;
    // A word is not proven if one before it, or the begin, has a balance that is not above one behind it by more than
    // a word's cost.
    std::vector<std::int64_t> least_before(balance), &most_behind = balance;
    for (std::size_t k = 1; k < least_before.size() && looks.go_on(); ++k)
        least_before[k] = std::min(least_before[k - 1], least_before[k]);
    for (std::size_t k = count + 1; k-- > 0 && looks.go_on();)
        most_behind[k] = std::max(most_behind[k], most_behind[k + 1]);
    crossed.resize(count);
    for (std::size_t k = 0; k < count && looks.go_on(); ++k)
        crossed[k] = most_behind[k + 2] + bound.word < least_before[k];
}

std::uint64_t LandmarkRow::bytes(std::uint64_t m, int threads)
{
    constexpr std::uint64_t shortest = 8, of_a_word = 8 + 2 * sizeof(path::CommonWord) + 4 * sizeof(std::size_t) +
                                                      2 * sizeof(Word) + 3 * (2 * sizeof(std::int64_t) + 1);
    return word_places_bytes(m, threads) + m / shortest * of_a_word;
}

} // namespace nwgpu::cpu
