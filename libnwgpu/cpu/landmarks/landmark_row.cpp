// SPDX-License-Identifier: BSD-3-Clause
#include "cpu/landmarks/landmark_row.hpp"

#include <algorithm>

#include "cpu/pair/word_places.hpp"
#include "path/common_words.hpp"

namespace nwgpu::cpu {

namespace {

// With a smaller share of the words in the row, paths lose about as much as the words that are lost and those of the
// row together cost: nothing would be proven.
constexpr std::uint64_t least_words = 8, least_long_words = 14, of_words = 20;

} // namespace

LandmarkRow::LandmarkRow(PairView const & pair, Scoring const & scoring) :
    pair_{pair}, losses_{Losses::of(scoring)}, scoring_{scoring}
{}

bool LandmarkRow::find(path::Band const & band, Words kind)
{
    bool const are_long = kind == Words::long_ones;
    std::uint64_t const least = are_long ? least_long_words : least_words;
    WordPlaces const places = are_long ? find_long_places(pair_, band) : find_places(pair_, band);
    std::uint64_t const words = places.count.size();
    if (places.too_many || words == 0)
        return false;
    letters_ = places.letters;
    // In the order of the query.
    std::vector<std::int64_t> diagonal_of(words);
    for (WordPlaces::Place const & place : places.all)
        diagonal_of[place.word] = place.diagonal;
    std::vector<path::CommonWord> once;
    once.reserve(words);
    for (std::uint64_t word = 0; word < words; ++word)
        if (places.count[word] == 1)
            once.push_back({word * letters_, word * letters_ + static_cast<std::uint64_t>(diagonal_of[word])});
    if (once.size() * of_words < words * least)
        return false;
    row_.clear();
    lost_ = 0;
    std::uint64_t word = 0, end = 0; // words that were looked at; target letters up to the end of the last one
    for (path::CommonWord const & one : path::best_row(once, scoring_)) {
        if (one.j < end) // beside the last one: a path crosses one of them
            continue;
        for (; word < one.i / letters_; ++word)
            lost_ += places.count[word] == 0;
        row_.push_back({one.i, one.j, lost_});
        end = one.j + letters_;
    }
    for (; word < words; ++word)
        lost_ += places.count[word] == 0;
    return row_.size() * of_words >= words * least;
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

// Between two words that a best path crosses, or an end of the matrix, it loses no more than the given path does.  If
// it crosses none of the words between them it loses their cost, and that of the lost words: word k is crossed if that
// is more wherever k is one of those between.  `balance` is what the given path loses up to a word less that cost.
void LandmarkRow::prove(std::span<std::int64_t const> losses, bool clips)
{
    auto const letters = static_cast<std::int64_t>(letters_);
    std::int64_t const clipped = letters * losses_.match, gap = letters * (losses_.match + losses_.extend),
                       cost = std::min(losses_.of_word(), clips ? clipped : gap),
                       in_part = clips ? std::max<std::int64_t>(0, cost - losses_.match) : 0;
    std::size_t const count = row_.size();
    std::vector<std::int64_t> balance(count + 2); // the ends are first and last
    balance[0] = -in_part;                        // a word that is clipped in part costs less, by so much
    std::int64_t loss = 0;
    for (std::size_t k = 0; k <= count; ++k) {
        loss += losses[k];
        std::int64_t const lost = k < count ? row_[k].lost : lost_;
        balance[k + 1] = loss - cost * (lost + static_cast<std::int64_t>(k) + 1);
    }
    balance[count + 1] += in_part;
    // A word is not proven if one before it, or the begin, has a balance that is not above one behind it by more than
    // a word's cost.
    std::vector<std::int64_t> least_before(balance), &most_behind = balance;
    for (std::size_t k = 1; k < least_before.size(); ++k)
        least_before[k] = std::min(least_before[k - 1], least_before[k]);
    for (std::size_t k = count + 1; k-- > 0;)
        most_behind[k] = std::max(most_behind[k], most_behind[k + 1]);
    crossed_.resize(count);
    for (std::size_t k = 0; k < count; ++k)
        crossed_[k] = most_behind[k + 2] + cost < least_before[k];
}

std::uint64_t LandmarkRow::bytes(std::uint64_t m)
{
    constexpr std::uint64_t shortest = 8, of_a_word = 8 + 2 * sizeof(path::CommonWord) + 4 * sizeof(std::size_t) +
                                                      2 * sizeof(Word) + 2 * sizeof(std::int64_t) + 1;
    return word_places_bytes(m) + m / shortest * of_a_word;
}

} // namespace nwgpu::cpu
