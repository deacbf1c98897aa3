// SPDX-License-Identifier: BSD-3-Clause
// Where words of the query occur in the target: words in lists by a hash of their letters, and a bit for each hash that
// some word has, so that most places of the target are told to have no word by one bit.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <utility>

#include "backend/looks.hpp"
#include "base/uninitialized.hpp"

namespace nwgpu::cpu {

class WordLists {
public:
    // Words of so many letters, 4 or more, in order of the letters with which they begin, as begin_of(word) says, until
    // the caller stops.
    template <int letters, class BeginOf>
    void take(std::uint8_t const * query, std::uint64_t words, BeginOf const & begin_of, Looks & looks)
    {
        bits_of_ = bits_for(words);
        lists_of_ = lists_for(words);
        bits_.resize((std::uint64_t{1} << bits_of_) / 64);
        first_.resize(std::uint64_t{1} << lists_of_);
        next_.resize(words);
        fill(bits_, std::uint64_t{0}, looks);
        fill(first_, none, looks);
        for (std::uint64_t word = words; word-- > 0 && looks.go_on();) {
            std::uint64_t const hash = hash_of<letters>(query + begin_of(word)), bit = hash >> (64 - bits_of_);
            bits_[bit / 64] |= std::uint64_t{1} << bit % 64;
            next_[word] = std::exchange(first_[hash >> (64 - lists_of_)], static_cast<std::uint32_t>(word));
        }
    }
    template <int letters, class BeginOf>
    void take(std::uint8_t const * query, std::uint64_t words, BeginOf const & begin_of)
    {
        Looks nobody{nullptr};
        take<letters>(query, words, begin_of, nobody);
    }
    // The same as below, until the caller stops: false then.
    template <int letters, class BeginOf, class Stays>
    bool find(std::uint8_t const * query, std::uint8_t const * target, std::uint64_t n, std::int64_t low,
              std::int64_t high, BeginOf const & begin_of, Stays const & stays, Looks & looks)
    {
        constexpr std::uint64_t letters_per_look = 1 << 19;
        for (std::uint64_t first = 0; first < n; first += letters_per_look) {
            if (!looks.look())
                return false;
            auto const before = static_cast<std::int64_t>(first);
            find<letters>(query, target + first, std::min(n - first, letters_per_look + letters - 1), low - before,
                          high - before, begin_of,
                          [&](std::uint64_t word, std::int64_t diagonal) { return stays(word, diagonal + before); });
        }
        return true;
    }
    // stays(word, diagonal) for each place of the target that is equal to a word, on diagonals low to high, in order of
    // the target; not for a word of which it has said once that it does not stay.
    template <int letters, class BeginOf, class Stays>
    void find(std::uint8_t const * query, std::uint8_t const * target, std::uint64_t n, std::int64_t low,
              std::int64_t high, BeginOf const & begin_of, Stays const & stays)
    {
        std::uint64_t const * const bits = bits_.data();
        int const shift = 64 - bits_of_;
        for (std::uint64_t j = 0; j + letters <= n; ++j) {
            std::uint64_t const hash = hash_of<letters>(target + j), bit = hash >> shift;
            if ((bits[bit / 64] >> bit % 64 & 1) == 0) [[likely]]
                continue;
            // Words of a list have growing begins, falling diagonals.
            std::uint32_t * link = &first_[hash >> (64 - lists_of_)];
            for (std::uint32_t word; (word = *link) != none;) {
                auto const begin = static_cast<std::int64_t>(begin_of(word)),
                           diagonal = static_cast<std::int64_t>(j) - begin;
                if (diagonal < low)
                    break;
                bool is_open = diagonal <= high; // else the rest of the target is beyond it
                if (is_open && std::memcmp(query + begin, target + j, letters) == 0)
                    is_open = stays(word, diagonal);
                if (is_open)
                    link = &next_[word];
                else
                    *link = next_[word];
            }
        }
    }

    std::uint64_t bytes() const
    {
        return bits_.capacity() * sizeof(std::uint64_t) +
               (first_.capacity() + next_.capacity()) * sizeof(std::uint32_t);
    }
    // Of what take() has in its three arrays.
    static std::uint64_t bytes_for(std::uint64_t words)
    {
        return (std::uint64_t{1} << bits_for(words)) / 8 + (std::uint64_t{4} << lists_for(words)) + 4 * words;
    }

private:
    static constexpr std::uint32_t none = UINT32_MAX;

    // New pages of long ones take long.
    template <class T>
    static void fill(Array<T> & array, T value, Looks & looks)
    {
        constexpr std::size_t piece = 1 << 18;
        for (std::size_t begin = 0; begin < array.size() && looks.look(); begin += piece)
            std::fill_n(array.begin() + static_cast<std::ptrdiff_t>(begin), std::min(piece, array.size() - begin),
                        value);
    }
    // A few bits are set of many.
    static int bits_for(std::uint64_t words) { return std::max(6, static_cast<int>(std::bit_width(words)) + 6); }
    static int lists_for(std::uint64_t words) { return static_cast<int>(std::bit_width(words)) + 1; }

    template <int letters>
    static std::uint64_t hash_of(std::uint8_t const * at)
    {
        std::uint64_t a = 0, b = 0;
        std::memcpy(&a, at, std::min(letters, 8));
        if constexpr (letters > 8)
            std::memcpy(&b, at + letters - 8, 8);
        if constexpr (letters > 16) { // all of them: else words of a repeat would share a list that none leaves
            static_assert(letters <= 32);
            std::uint64_t second = 0, third = 0;
            std::memcpy(&second, at + 8, 8);
            std::memcpy(&third, at + letters - 16, 8);
            a += second << 2; // codes of DNA have two bits
            b += third << 2;
        }
        return a * 0x9e3779b97f4a7c15 + b * 0xc2b2ae3d27d4eb4f;
    }

    int bits_of_ = 6, lists_of_ = 1;
    Array<std::uint64_t> bits_;         // of hashes: whether a word has it
    Array<std::uint32_t> first_, next_; // words of a hash, in a list
};

} // namespace nwgpu::cpu
