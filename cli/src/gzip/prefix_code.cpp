// SPDX-License-Identifier: BSD-3-Clause
// Codes are given out in the order of their lengths, and of symbols among equal lengths; a stream has their bits in
// reverse.
#include "gzip/prefix_code.hpp"

#include <algorithm>

namespace cli {

namespace {

constexpr std::array<std::uint16_t, 29> length_bases{3,  4,  5,  6,  7,  8,  9,  10, 11,  13,  15,  17,  19,  23, 27,
                                                     31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};
constexpr std::array<std::uint8_t, 29> length_extra{0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                                    2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
constexpr unsigned end_symbol = 256, real_distances = 30; // two more distances have codes, and are never used

std::uint32_t letter(unsigned symbol, unsigned bits)
{
    using namespace letter_entry;
    if (symbol < end_symbol)
        return bits | 1u << literals_at | symbol << bytes_at;
    if (symbol == end_symbol)
        return bits | special | end_of_block;
    unsigned const length = symbol - end_symbol - 1;
    if (length >= length_bases.size())
        return special | no_code;
    return (bits + length_extra[length]) | static_cast<std::uint32_t>(length_bases[length]) << base_at |
           bits << code_at;
}

std::uint32_t distance(unsigned symbol, unsigned bits)
{
    using namespace distance_entry;
    if (symbol >= real_distances)
        return special | no_code;
    unsigned const extra = symbol < 4 ? 0 : symbol / 2 - 1;
    unsigned const base = symbol < 4 ? symbol + 1 : ((2 + symbol % 2) << extra) + 1;
    return (bits + extra) | bits << code_at | base << base_at;
}

unsigned reversed(unsigned code, unsigned bits)
{
    unsigned result = 0;
    for (unsigned i = 0; i < bits; ++i)
        result |= (code >> i & 1) << (bits - 1 - i);
    return result;
}

// What a kind of table has of its own.
struct Kind {
    unsigned index_bits;
    std::uint32_t special, no_code;
    unsigned place_at;
    std::uint32_t (*entry)(unsigned symbol, unsigned bits);
};

bool make_table(std::span<std::uint8_t const> lengths, std::uint32_t * table, Kind const & kind)
{
    std::array<unsigned, most_code_bits + 1> count{}, next{};
    for (std::uint8_t const length : lengths)
        ++count[length];
    count[0] = 0;
    unsigned taken = 0; // of 2^15 possible codes
    for (unsigned bits = 1; bits <= most_code_bits; ++bits) {
        next[bits] = (next[bits - 1] + count[bits - 1]) << 1;
        taken += count[bits] << (most_code_bits - bits);
    }
    constexpr unsigned all = 1u << most_code_bits;
    bool const one_short_code = taken == all / 2 && count[1] == 1;
    if (taken != all && taken != 0 && !one_short_code)
        return false;
    unsigned const size = 1u << kind.index_bits;
    if (taken != all)
        std::fill_n(table, size, kind.special | kind.no_code);

    std::array<std::uint16_t, letter_symbols> codes;
    std::array<std::uint8_t, 1u << letter_bits> longest; // of the codes that begin so, where some exceed an index
    bool const exceeds =
        std::any_of(count.begin() + kind.index_bits + 1, count.end(), [](unsigned some) { return some > 0; });
    if (exceeds)
        std::fill_n(longest.begin(), size, std::uint8_t{0});
    for (std::size_t symbol = 0; symbol < lengths.size(); ++symbol) {
        unsigned const bits = lengths[symbol];
        if (bits == 0)
            continue;
        unsigned const code = codes[symbol] = static_cast<std::uint16_t>(reversed(next[bits]++, bits));
        if (bits > kind.index_bits)
            longest[code % size] = std::max(longest[code % size], lengths[symbol]);
    }
    unsigned place = size;
    for (unsigned begin = 0; exceeds && begin < size; ++begin)
        if (longest[begin] > 0) {
            unsigned const bits = longest[begin] - kind.index_bits;
            table[begin] = bits | kind.special | place << kind.place_at;
            place += 1u << bits;
        }
    for (std::size_t symbol = 0; symbol < lengths.size(); ++symbol) {
        unsigned const bits = lengths[symbol];
        if (bits == 0)
            continue;
        unsigned const code = codes[symbol];
        std::uint32_t const value = kind.entry(static_cast<unsigned>(symbol), bits);
        if (bits <= kind.index_bits) {
            for (unsigned i = code; i < size; i += 1u << bits)
                table[i] = value;
        } else {
            std::uint32_t const first = table[code % size];
            std::uint32_t * const second = table + (first >> kind.place_at);
            for (unsigned i = code >> kind.index_bits; i < 1u << (first & used_bits);
                 i += 1u << (bits - kind.index_bits))
                second[i] = value;
        }
    }
    return true;
}

// Appends the literals that follow a literal within the index.  From the last index down: what follows has a smaller
// one, and is a single literal still.
void join_literals(LetterTable & table)
{
    using namespace letter_entry;
    for (std::uint32_t index = (1u << letter_bits) - 1; index > 0; --index) {
        std::uint32_t entry = table[index];
        for (unsigned many = 1; many < 3 && (entry & literals) != 0; ++many) {
            std::uint32_t const bits = entry & used_bits;
            std::uint32_t const follows = table[index >> bits];
            if ((follows & literals) == 0 || bits + (follows & used_bits) > letter_bits)
                break;
            entry += (follows & used_bits) + (1u << literals_at);
            entry |= (follows >> bytes_at & 0xff) << (bytes_at + 8 * many);
        }
        table[index] = entry;
    }
}

} // namespace

bool make_letter_table(std::span<std::uint8_t const> lengths, LetterTable & table)
{
    using namespace letter_entry;
    if (!make_table(lengths, table.data(), {letter_bits, special, no_code, place_at, letter}))
        return false;
    join_literals(table);
    return true;
}

bool make_distance_table(std::span<std::uint8_t const> lengths, DistanceTable & table)
{
    using namespace distance_entry;
    return make_table(lengths, table.data(), {distance_bits, special, no_code, place_at, distance});
}

} // namespace cli
