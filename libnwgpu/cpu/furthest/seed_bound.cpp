// SPDX-License-Identifier: BSD-3-Clause
#include "cpu/furthest/seed_bound.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "base/allocated.hpp"

namespace nwgpu::cpu {

namespace {

constexpr std::uint32_t none = UINT32_MAX;

// A few bits are set of many, so that most words of the target are told to be none of the query's by one bit.
int bits_for(std::uint64_t words) { return std::max(6, static_cast<int>(std::bit_width(words)) + 4); }
int lists_for(std::uint64_t words) { return static_cast<int>(std::bit_width(words)) + 1; }

template <int bits>
std::uint64_t hash_of(std::uint8_t const * at)
{
    std::uint64_t a = 0, b = 0;
    if constexpr (bits == 4) {
        std::memcpy(&a, at, 8);
        std::memcpy(&b, at + 8, 8);
    } else {
        std::memcpy(&a, at, std::size_t{1} << bits);
    }
    std::uint64_t const sum = a * 0x9e3779b97f4a7c15 + b * 0xc2b2ae3d27d4eb4f;
    return (sum ^ sum >> 32) * 0x9e3779b97f4a7c15;
}

} // namespace

std::uint64_t SeedBound::bytes() const
{
    return bits_.capacity() * sizeof(std::uint64_t) + (first_.capacity() + next_.capacity()) * sizeof(std::uint32_t) +
           (diagonals_.capacity() + costs_.capacity() + often_before_.capacity()) * sizeof(std::int32_t);
}

std::uint64_t SeedBound::bytes_for(std::uint64_t m)
{
    std::uint64_t const words = m >> usual_bits;
    return allocated((std::uint64_t{1} << bits_for(words)) / 8 + (std::uint64_t{4} << lists_for(words)) +
                         16 * (words + Words::more),
                     6);
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
    int const bits = bits_for(words), lists = lists_for(words);
    bits_.assign((std::uint64_t{1} << bits) / 64, 0);
    first_.assign(std::uint64_t{1} << lists, none);
    next_.resize(words);
    diagonals_.assign(words, Words::lost);
    for (std::uint64_t word = words; word-- > 0;) {
        std::uint64_t const hash = hash_of<word_bits>(pair.query + word * letters), bit = hash >> (64 - bits);
        bits_[bit / 64] |= std::uint64_t{1} << bit % 64;
        next_[word] = std::exchange(first_[hash >> (64 - lists)], static_cast<std::uint32_t>(word));
    }
    for (std::uint64_t j = 0; j + letters <= pair.n; ++j) {
        std::uint64_t const hash = hash_of<word_bits>(pair.target + j), bit = hash >> (64 - bits);
        if ((bits_[bit / 64] >> bit % 64 & 1) == 0) [[likely]]
            continue;
        // Words of a list have growing begins, falling diagonals.
        std::uint32_t * link = &first_[hash >> (64 - lists)];
        for (std::uint32_t word; (word = *link) != none;) {
            std::int64_t const diagonal = static_cast<std::int64_t>(j) - static_cast<std::int64_t>(word * letters);
            if (diagonal < low)
                break;
            bool is_open = diagonal <= high; // else the rest of the target is beyond it
            if (is_open && std::memcmp(pair.query + word * letters, pair.target + j, letters) == 0) {
                is_open = diagonals_[word] == Words::lost;
                diagonals_[word] = is_open ? static_cast<std::int32_t>(diagonal) : Words::often;
            }
            if (is_open)
                link = &next_[word];
            else
                *link = next_[word];
        }
    }
}

} // namespace nwgpu::cpu
