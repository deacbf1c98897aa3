// SPDX-License-Identifier: BSD-3-Clause
#include "path/common_words.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "base/pieces.hpp"

namespace nwgpu::path {

namespace {

constexpr std::uint64_t letters_per_choice = 8192, letters_at_once = 1 << 18;
constexpr std::size_t words_per_question = 1 << 16; // whether to go on: some milliseconds

struct Word {
    std::uint64_t hash; // of its letters
    std::uint64_t at;   // letters before it
};

// A polynomial of the letters, which loses the first of them as it gets the next one.
constexpr std::uint64_t factor = 0x9e3779b97f4a7c15;
constexpr std::uint64_t power(std::uint64_t times)
{
    std::uint64_t product = 1;
    for (; times > 0; --times)
        product *= factor;
    return product;
}
// Of so many letters; more are words that come again and again.
constexpr std::uint64_t most_chosen(std::uint64_t letters, std::uint64_t one_of) { return 4 * letters / one_of + 64; }
constexpr std::uint64_t chosen_of(std::uint64_t m, std::uint64_t n)
{
    return std::clamp<std::uint64_t>((m + n) / letters_per_choice, 1, 128);
}
constexpr std::uint64_t mixed(std::uint64_t hash)
{
    hash = (hash ^ (hash >> 31)) * 0xbf58476d1ce4e5b9;
    return hash ^ (hash >> 29);
}

// The chosen words, ordered by their hashes; those that occur twice are left out.
std::vector<Word> words_of(std::uint8_t const * letters, std::uint64_t n, std::uint64_t one_of, Team * team)
{
    constexpr std::uint64_t k = CommonWord::letters, first_factor = power(k - 1), piece = letters_at_once;
    if (n < k)
        return {};
    std::uint64_t const count = n - k + 1, limit = UINT64_MAX / one_of;
    std::vector<std::vector<Word>> found(ceil_div(count, piece));
    std::uint64_t const most_of_piece = most_chosen(piece, one_of);
    for_pieces(
        team, count,
        [&](std::uint64_t begin, std::uint64_t end) {
            std::vector<Word> & mine = found[begin / piece];
            std::uint64_t hash = 0;
            for (std::uint64_t at = begin; at < begin + k - 1; ++at)
                hash = hash * factor + letters[at] + 1;
            for (std::uint64_t at = begin; at < end; ++at) {
                hash = hash * factor + letters[at + k - 1] + 1;
                if (std::uint64_t const word = mixed(hash); word <= limit && mine.size() < most_of_piece)
                    mine.push_back({word, at});
                hash -= (letters[at] + 1) * first_factor;
            }
        },
        piece);
    std::vector<Word> all;
    for (auto & some : found) {
        all.insert(all.end(), some.begin(), some.end());
        some = {};
    }
    std::vector<Word> other(all.size());
    Word * const sorted =
        sort_by_key(team, all.data(), other.data(), all.size(), 64, [&](Word const & word) { return word.hash; });
    std::vector<Word> once;
    for (std::uint64_t w = 0, next = 0; w < all.size(); w = next) {
        for (next = w + 1; next < all.size() && sorted[next].hash == sorted[w].hash; ++next) {
        }
        if (next == w + 1)
            once.push_back(sorted[w]);
    }
    return once;
}

// The longest row of words, ascending in i, whose j go up, too: what lies elsewhere does not hide it.
std::vector<CommonWord> longest_row(std::span<CommonWord const> words, GoOn const & go_on)
{
    std::vector<std::size_t> ends, before(words.size()); // `ends`: of rows of 1, 2, ... words, that with the least j
    for (std::size_t w = 0; w < words.size(); ++w) {
        if (w % words_per_question == 0 && !go_on())
            return {};
        // Most words are behind all others, or nearly: the place is looked for from the end on.
        std::size_t near = ends.size(), step = 1;
        for (; near > 0 && words[ends[near - 1]].j >= words[w].j; step *= 2)
            near -= std::min(near, step);
        auto const place =
            std::ranges::lower_bound(ends.begin() + static_cast<std::ptrdiff_t>(near),
                                     ends.begin() + static_cast<std::ptrdiff_t>(std::min(ends.size(), near + step)),
                                     words[w].j, {}, [&](std::size_t other) { return words[other].j; });
        before[w] = place == ends.begin() ? words.size() : *(place - 1);
        if (place == ends.end())
            ends.push_back(w);
        else
            *place = w;
    }
    std::vector<CommonWord> row;
    for (std::size_t w = ends.empty() ? words.size() : ends.back(); w < words.size(); w = before[w])
        row.push_back(words[w]);
    std::ranges::reverse(row);
    return row;
}

// Of those, the row that is worth most: single words of other places, which happen to go up, cost two gaps.  A word is
// worth more than to leave it out for a short gap.
std::vector<CommonWord> most_worth(std::vector<CommonWord> const & words, Scoring const & scoring, GoOn const & go_on)
{
    constexpr std::size_t look_back = 64, seconds = 16;
    double const letter = static_cast<double>(scoring.max_score()) / 2, open = static_cast<double>(scoring.gap().open),
                 extend = static_cast<double>(scoring.gap().extend),
                 word = std::max(2 * CommonWord::letters * letter + open, CommonWord::letters * extend / 2);
    std::vector<double> worth(words.size());
    std::vector<std::size_t> before(words.size());
    std::vector<std::uint8_t> is_second(words.size()); // on the diagonal of the word before it
    std::size_t best = 0;
    for (std::size_t w = 0; w < words.size(); ++w) {
        if (w % words_per_question == 0 && !go_on())
            return {};
        before[w] = words.size();
        // On the diagonal of the word before it: that one is behind others as well as this.  Before any word a few of
        // these tell as much as all.
        std::size_t left = seconds;
        for (std::size_t v = w; left > 0 && v > 0 && v + look_back > w;) {
            --v;
            auto const down = static_cast<double>(words[w].i - words[v].i),
                       right = static_cast<double>(words[w].j - words[v].j);
            double const gap = down == right ? 0 : open + extend * std::abs(down - right),
                         sum = worth[v] + word + letter * std::min(down, right) - gap;
            is_second[w] |= v + 1 == w && down == right;
            left = is_second[w] ? 0 : left - is_second[v];
            if (sum > worth[w]) {
                worth[w] = sum;
                before[w] = v;
            }
        }
        if (worth[w] > worth[best])
            best = w;
    }
    std::vector<CommonWord> row;
    for (std::size_t w = best; w < words.size(); w = before[w])
        row.push_back(words[w]);
    std::ranges::reverse(row);
    return row;
}

// Of a piece of the words, and those beside it.
constexpr std::size_t words_of_piece = 4096, words_beside = 256;

std::vector<CommonWord> row_of_piece(std::span<CommonWord const> words, std::size_t begin, std::size_t end,
                                     Scoring const & scoring, GoOn const & go_on)
{
    std::size_t const first = begin - std::min(begin, words_beside), last = std::min(words.size(), end + words_beside);
    std::vector<CommonWord> row = most_worth(longest_row(words.subspan(first, last - first), go_on), scoring, go_on);
    std::erase_if(row, [&](CommonWord const & word) { return word.i < words[begin].i || word.i > words[end - 1].i; });
    return row;
}

} // namespace

std::vector<CommonWord> best_row(std::span<CommonWord const> words, Scoring const & scoring, GoOn const & go_on,
                                 Team * team)
{
    std::size_t const pieces = team && words.size() >= 2 * words_of_piece ? words.size() / words_of_piece : 0;
    std::vector<std::vector<CommonWord>> rows(pieces);
    for_each(team, pieces, [&](std::uint64_t k) {
        rows[k] = row_of_piece(words, words.size() * k / pieces, words.size() * (k + 1) / pieces, scoring, go_on);
    });
    std::vector<CommonWord> all;
    bool fit = pieces > 0;
    for (auto row = rows.begin(); fit && row != rows.end(); ++row) {
        fit = row->empty() || all.empty() || all.back().j < row->front().j;
        all.insert(all.end(), row->begin(), row->end());
    }
    return fit ? all : most_worth(longest_row(words, go_on), scoring, go_on);
}

std::uint64_t common_words_bytes(std::uint64_t m, std::uint64_t n)
{
    constexpr std::uint64_t of_a_word = 96;
    std::uint64_t const one_of = chosen_of(m, n);
    return of_a_word *
           (most_chosen(m, one_of) + most_chosen(n, one_of) + most_chosen(0, 1) * (m + n) / letters_at_once);
}

std::vector<CommonWord> common_words(PairView const & pair, Scoring const & scoring, Team * team)
{
    std::uint64_t const one_of = chosen_of(pair.m, pair.n);
    std::vector<Word> const query = words_of(pair.query, pair.m, one_of, team),
                            target = words_of(pair.target, pair.n, one_of, team);
    std::vector<CommonWord> words;
    for (auto q = query.begin(), t = target.begin(); q != query.end() && t != target.end();)
        if (q->hash != t->hash)
            ++(q->hash < t->hash ? q : t);
        else
            words.push_back({(q++)->at, (t++)->at});
    std::ranges::sort(words, {}, &CommonWord::i);
    return best_row(words, scoring);
}

} // namespace nwgpu::path
