// SPDX-License-Identifier: BSD-3-Clause
#include "cpu/furthest/seed_bound.hpp"

#include <algorithm>
#include <cstdlib>

#include "base/allocated.hpp"

namespace nwgpu::cpu {

std::uint64_t SeedBound::bytes() const
{
    return lists_.bytes() +
           (diagonals_.capacity() + costs_.capacity() + often_before_.capacity()) * sizeof(std::int32_t);
}

std::uint64_t SeedBound::bytes_for(std::uint64_t m)
{
    std::uint64_t const words = m >> usual_bits;
    return allocated(WordLists::bytes_for(words) + 12 * (words + Words::more), 6);
}

std::span<std::int32_t const> SeedBound::find(PairView const & pair)
{
    find_words<usual_bits>(pair, -static_cast<std::int64_t>(pair.m), static_cast<std::int64_t>(pair.n));
    return {diagonals_.data(), pair.m >> usual_bits};
}

// A mismatch, and a deletion, changes one word.  An insertion changes two with two letters, and each further one with
// as many letters as a word has.
Words SeedBound::bound(PairView const & pair, Penalties const & penalties, std::int64_t total, int bits)
{
    // A gap leads to a diagonal, and another one from there to the end's.
    auto const end = static_cast<std::int64_t>(pair.n) - static_cast<std::int64_t>(pair.m);
    std::int64_t const beside = (total / penalties.extend - std::abs(end)) / 2;
    std::int64_t const low = std::min<std::int64_t>(0, end) - beside, high = std::max<std::int64_t>(0, end) + beside;
    if (beside < 0)
        return {};
    bits == 2   ? find_words<2>(pair, low, high)
    : bits == 3 ? find_words<3>(pair, low, high)
                : find_words<4>(pair, low, high);
    Words words;
    words.count = static_cast<std::int64_t>(pair.m >> bits);
    words.bits = bits;
    words.one = std::min({penalties.mismatch, penalties.open + penalties.extend, penalties.extend << bits});
    words.two = std::min(2 * words.one, penalties.open + 2 * penalties.extend);
    words.total = total;
    costs_.assign(static_cast<std::size_t>(words.count + Words::more), 0); // fronts go some letters beyond the end
    often_before_.resize(costs_.size());
    auto const is_lost = [&](std::int64_t word) {
        return word < words.count && diagonals_[static_cast<std::size_t>(word)] == Words::lost;
    };
    for (std::int64_t word = words.count; word-- > 0;) {
        auto const at = static_cast<std::size_t>(word);
        std::int64_t cost = costs_[at + 1];
        if (is_lost(word))
            cost = is_lost(word + 1) ? std::min(words.one + cost, words.two + costs_[at + 2]) : words.one + cost;
        costs_[at] = static_cast<std::int32_t>(std::min<std::int64_t>(cost, INT32_MAX / 2));
    }
    std::int32_t often = 0;
    for (std::size_t word = 0; word < often_before_.size(); ++word) {
        often_before_[word] = often;
        often += word < diagonals_.size() && diagonals_[word] == Words::often;
    }
    words.diagonals = diagonals_.data();
    words.costs = costs_.data();
    words.often_before = often_before_.data();
    return words;
}

// On diagonals low .. high.
template <int word_bits>
void SeedBound::find_words(PairView const & pair, std::int64_t low, std::int64_t high)
{
    constexpr std::uint64_t letters = std::uint64_t{1} << word_bits;
    std::uint64_t const words = pair.m >> word_bits;
    auto const begin_of = [](std::uint64_t word) { return word * letters; };
    diagonals_.assign(words, Words::lost);
    lists_.take<letters>(pair.query, words, begin_of);
    lists_.find<letters>(pair.query, pair.target, pair.n, low, high, begin_of,
                         [&](std::uint64_t word, std::int64_t diagonal) {
                             bool const is_first = diagonals_[word] == Words::lost;
                             diagonals_[word] = is_first ? static_cast<std::int32_t>(diagonal) : Words::often;
                             return is_first;
                         });
}

} // namespace nwgpu::cpu
