// SPDX-License-Identifier: BSD-3-Clause
#include "cpu/landmarks/landmark_row.hpp"

#include <algorithm>
#include <utility>

#include "backend/looks.hpp"
#include "base/pieces.hpp"
#include "cpu/pair/word_places.hpp"

namespace nwgpu::cpu {

namespace {

// With a smaller share of the words in the row, paths lose about as much as the words that are lost and those of the
// row together cost: nothing would be proven.
constexpr std::uint64_t least_words = 8, least_long_words = 14, of_words = 20;
// At the begin of a global pair, of one of twice as many.
constexpr std::uint64_t letters_that_tell = 1 << 15;
// With fewer, threads have less to do than it takes to come; words of a piece for a thread.
constexpr std::size_t words_to_share = 8192, words_of_piece = 4096;

// body(begin, end) for pieces of 0 .. count - 1, until the caller has stopped.
void for_words(Team * team, std::uint64_t count, Monitor & monitor, auto const & body)
{
    auto const watched = [&](std::uint64_t begin, std::uint64_t end) {
        if (Looks{monitor}.look())
            body(begin, end);
    };
    for_pieces(count >= words_to_share ? team : nullptr, count, watched, words_of_piece);
}

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
    Team * const team = words >= words_to_share ? team_ : nullptr;
    auto const is_once = [&](std::uint64_t word) { return places.count[word] == 1; };
    Array<std::int64_t> diagonal_of(words); // of those that occur once
    for_words(team, places.all.size(), monitor, [&](std::uint64_t k, std::uint64_t end) {
        for (; k < end; ++k)
            if (auto const & [word, diagonal] = places.all[k]; is_once(word))
                diagonal_of[word] = diagonal;
    });
    if (monitor.stopped())
        return false;
    auto const once_before = sums_before(
        team, words,
        [&](std::uint64_t word, std::uint64_t end) {
            std::uint64_t sum = 0;
            for (; word < end; ++word)
                sum += is_once(word);
            return sum;
        },
        words_of_piece);
    if (once_before.back() * of_words < words * least)
        return false;
    Array<path::CommonWord> once(once_before.back()); // in the order of the query
    for_words(team, words, monitor, [&](std::uint64_t word, std::uint64_t end) {
        for (std::uint64_t to = once_before[word / words_of_piece]; word < end; ++word)
            if (is_once(word))
                once[to++] = {places.begin(word), places.begin(word) + static_cast<std::uint64_t>(diagonal_of[word])};
    });
    if (monitor.stopped())
        return false;
    set_row(path::best_row(
                once, scoring_, [&] { return Looks{monitor}.look(); }, team),
            places, monitor);
    return row_.size() * of_words >= words * least && Looks{monitor}.look();
}

void LandmarkRow::set_row(std::span<path::CommonWord const> best, WordPlaces const & places, Monitor & monitor)
{
    std::uint64_t const words = places.count.size();
    Team * const team = words >= words_to_share ? team_ : nullptr;
    auto const lost_of_pieces = sums_before(
        team, words,
        [&](std::uint64_t word, std::uint64_t end) {
            return static_cast<std::int64_t>(std::count(places.count.data() + word, places.count.data() + end, 0));
        },
        words_of_piece);
    lost_ = lost_of_pieces.back();
    // A word beside the last one that is kept is left out: a path crosses one of them.  One that is not beside its
    // neighbour is kept, whatever comes before it: a piece begins with the first of these.
    auto const is_apart = [&](std::size_t k) { return k == 0 || best[k].j >= best[k - 1].j + letters_; };
    auto const visit_kept = [&](std::size_t k, std::size_t end_of_piece, auto const & visit) {
        while (k < end_of_piece && !is_apart(k))
            ++k;
        if (k == end_of_piece)
            return;
        std::uint64_t end = 0; // target letters up to the end of the last word
        for (; k < best.size() && (k < end_of_piece || !is_apart(k)); ++k)
            if (best[k].j >= end) {
                visit(best[k]);
                end = best[k].j + letters_;
            }
    };
    auto const kept_before = sums_before(
        team, best.size(),
        [&](std::uint64_t begin, std::uint64_t end) {
            std::size_t kept = 0;
            visit_kept(begin, end, [&](path::CommonWord const &) { ++kept; });
            return kept;
        },
        words_of_piece);
    row_.resize(kept_before.back());
    for_words(team, best.size(), monitor, [&](std::uint64_t begin, std::uint64_t end) {
        std::uint64_t word = places.find(best[begin].i), of_piece = word / words_of_piece * words_of_piece;
        std::int64_t lost = lost_of_pieces[word / words_of_piece] +
                            std::count(places.count.data() + of_piece, places.count.data() + word, 0);
        Word * to = row_.data() + kept_before[begin / words_of_piece];
        visit_kept(begin, end, [&](path::CommonWord const & one) {
            for (; places.begin(word) < one.i; ++word)
                lost += places.count[word] == 0;
            *to++ = {one.i, one.j, lost};
        });
    });
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
    crossed_.resize(row_.size());
    std::ranges::fill(crossed_, std::uint8_t{0});
    if (row_.empty())
        return !monitor.stopped();
    auto const letters = static_cast<std::int64_t>(letters_);
    std::int64_t const inserted = losses_.match + losses_.extend,
                       cost = std::min(losses_.of_word(), letters * (ends.clips ? losses_.match : inserted)),
                       beside_insertions = std::min(cost, losses_.open / 2);
    std::vector<Bound> bounds{{1, cost, 0}};
    if (cost > losses_.extend)
        bounds.push_back({1, cost - losses_.extend, losses_.extend});
    if (beside_insertions > 0)
        bounds.push_back({letters, letters * beside_insertions, beside_insertions - letters * inserted});
    // Of nodes: the begin, the words, the end.
    auto const sums = sums_before(
        losses.size() >= words_to_share ? team_ : nullptr, losses.size(),
        [&](std::uint64_t begin, std::uint64_t end) { return sum_of(losses, begin, end); }, words_of_piece);
    Array<std::int64_t> losses_before(losses.size() + 1);
    for_words(team_, losses.size(), monitor, [&](std::uint64_t k, std::uint64_t end) {
        for (std::int64_t sum = sums[k / words_of_piece]; k < end; sum += losses[k++])
            losses_before[k] = sum;
    });
    losses_before.back() = sums.back();
    for (Bound const & bound : bounds)
        prove_by(bound, losses_before, ends, monitor);
    return !monitor.stopped();
}

// Where an end is free, its diagonal is one that proves nothing, whatever lies at the other one.
std::int64_t LandmarkRow::end_diagonal(bool is_begin, Bound const & bound, Ends const & ends) const
{
    std::int64_t const first = 0, last = static_cast<std::int64_t>(pair_.n) - static_cast<std::int64_t>(pair_.m);
    if (!(is_begin ? ends.free_begin : ends.free_end))
        return is_begin ? first : last;
    auto const [lowest, highest] = std::ranges::minmax_element(row_, {}, &Word::diagonal);
    std::int64_t low = lowest->diagonal(), high = highest->diagonal();
    if (!ends.free_begin || !ends.free_end) { // the other one is not
        low = std::min(low, is_begin ? last : first);
        high = std::max(high, is_begin ? last : first);
    }
    return is_begin == (bound.diagonal > 0) ? high : low;
}

// Between two words that a best path crosses, or an end of the matrix, it loses no more than the given path does.  If
// it crosses none of the words between them it loses their cost, and that of the lost words: word k is crossed if that
// is more wherever k is one of those between.  `balance` is what the given path loses up to a word less that cost.
void LandmarkRow::prove_by(Bound const & bound, std::span<std::int64_t const> losses_before, Ends const & ends,
                           Monitor & monitor)
{
    // A word that is clipped in part costs no more than a letter.
    std::int64_t const in_part = ends.clips ? std::max<std::int64_t>(0, bound.word - bound.scale * losses_.match) : 0;
    std::size_t const count = row_.size(), nodes = count + 2; // the ends are first and last
    std::int64_t const at_begin = bound.diagonal * end_diagonal(true, bound, ends),
                       at_end = bound.diagonal * end_diagonal(false, bound, ends);
    // A word is not proven if one before it, or the begin, has a balance that is not above one behind it by more than
    // a word's cost.  First of pieces.
    Array<std::int64_t> balance(nodes), most_behind(nodes);
    std::vector<std::int64_t> least(ceil_div(nodes, words_of_piece) + 1, INT64_MAX), most(least.size(), INT64_MIN);
    for_words(team_, nodes, monitor, [&](std::uint64_t node, std::uint64_t end) {
        std::int64_t low = INT64_MAX, high = INT64_MIN;
        std::uint64_t const piece = node / words_of_piece;
        for (; node < end; ++node) {
            bool const is_begin = node == 0, is_end = node > count;
            std::int64_t const lost = is_begin ? 0
                                      : is_end ? lost_
                                               : row_[node - 1].lost,
                               apart = is_begin ? at_begin + in_part
                                       : is_end ? at_end - in_part
                                                : bound.diagonal * row_[node - 1].diagonal();
            balance[node] =
                bound.scale * losses_before[node] - bound.word * (lost + static_cast<std::int64_t>(node)) - apart;
            low = std::min(low, balance[node]);
            high = std::max(high, balance[node]);
        }
        least[piece + 1] = low;
        most[piece] = high;
    });
    for (std::size_t piece = 1; piece < least.size(); ++piece)
        least[piece] = std::min(least[piece], least[piece - 1]); // of those before
    for (std::size_t piece = most.size() - 1; piece-- > 0;)
        most[piece] = std::max(most[piece], most[piece + 1]); // of this one and those behind
    for_words(team_, nodes, monitor, [&](std::uint64_t begin, std::uint64_t node) {
        for (std::int64_t high = most[begin / words_of_piece + 1]; node-- > begin;)
            most_behind[node] = high = std::max(high, balance[node]);
    });
    for_words(team_, count, monitor, [&](std::uint64_t k, std::uint64_t end) {
        for (std::int64_t low = least[k / words_of_piece]; k < end; ++k) {
            low = std::min(low, balance[k]);
            crossed_[k] |= most_behind[k + 2] + bound.word < low;
        }
    });
}

std::uint64_t LandmarkRow::bytes(std::uint64_t m, int threads)
{
    constexpr std::uint64_t shortest = 8, of_a_word = 8 + 2 * sizeof(path::CommonWord) + 4 * sizeof(std::size_t) +
                                                      2 * sizeof(Word) + 3 * (2 * sizeof(std::int64_t) + 1);
    return word_places_bytes(m, threads) + m / shortest * of_a_word;
}

} // namespace nwgpu::cpu
