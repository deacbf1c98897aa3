// SPDX-License-Identifier: BSD-3-Clause
// A header with codes says of itself that it is one: three prefix codes must be complete.  Of random bits hardly one
// place in 10^10 passes.
#include "gzip/block_header.hpp"

#include <algorithm>
#include <array>
#include <span>

namespace cli {

namespace {

// Lengths of the codes of both tables are themselves coded, by up to 19 symbols of up to 7 bits.
constexpr std::array<std::uint8_t, 19> order{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
constexpr unsigned most_length_bits = 7, least_lengths = 4, bits_of_length = 3;
constexpr unsigned most_letters = 286, most_distances = 30, least_letters = 257, end_symbol = 256;
constexpr unsigned repeat_last = 16, few_zeros = 17; // and many: 18

// For four of the lengths, 12 bits: how many of 2^7 possible codes they take, 255 where these are too many.
constexpr auto codes_taken = [] {
    std::array<std::uint8_t, 1u << (4 * bits_of_length)> table{};
    for (unsigned lengths = 0; lengths < table.size(); ++lengths) {
        unsigned taken = 0;
        for (unsigned i = 0; i < 4; ++i)
            if (unsigned const length = lengths >> (bits_of_length * i) & 7; length > 0)
                taken += 1u << (most_length_bits - length);
        table[lengths] = static_cast<std::uint8_t>(std::min(taken, 255u));
    }
    return table;
}();

// At least 57 of them.
std::uint64_t bits_from(Piece const & piece, std::uint64_t bit)
{
    std::uint64_t bits;
    std::memcpy(&bits, piece.bytes + (bit / 8 - piece.place), sizeof bits);
    return bits >> bit % 8;
}

// By the next skip_bits bits: how many of them to skip until a header may begin, as far as its first bits tell.
constexpr unsigned skip_bits = 13;
using Skips = std::array<std::uint8_t, 1u << skip_bits>;

Skips make_skips()
{
    Skips table{};
    for (unsigned bits = 0; bits < table.size(); ++bits) {
        unsigned skip = 0;
        for (; skip < skip_bits; ++skip) {
            // Bits that are not seen are taken for zeros, which are never too many letters or distances.
            unsigned const seen = skip_bits - skip, left = bits >> skip;
            unsigned const mask = (1u << std::min(seen, findable_bits)) - 1;
            if ((left & mask) == (findable & mask) && (left >> 3 & 31) <= most_letters - least_letters &&
                (left >> 8 & 31) < most_distances)
                break;
        }
        table[bits] = static_cast<std::uint8_t>(skip);
    }
    return table;
}

struct LengthCode {
    std::array<std::uint8_t, 1u << most_length_bits> symbol, bits;
};

bool read_length_code(BitReader & reader, unsigned count, LengthCode & code)
{
    std::array<std::uint8_t, order.size()> lengths{};
    for (unsigned i = 0; i < count; ++i) {
        if (i % 8 == 0)
            reader.fill();
        lengths[order[i]] = static_cast<std::uint8_t>(reader.next(bits_of_length));
    }
    constexpr unsigned all = 1u << most_length_bits;
    unsigned filled = 0; // in the order of the codes, whose bits a stream has in reverse
    for (unsigned length = 1; length <= most_length_bits; ++length)
        for (unsigned symbol = 0; symbol < lengths.size(); ++symbol)
            if (lengths[symbol] == length)
                for (unsigned many = 1u << (most_length_bits - length); many > 0; --many, ++filled) {
                    if (filled == all)
                        return false;
                    unsigned index = 0;
                    for (unsigned bit = 0; bit < most_length_bits; ++bit)
                        index |= (filled >> bit & 1) << (most_length_bits - 1 - bit);
                    code.symbol[index] = static_cast<std::uint8_t>(symbol);
                    code.bits[index] = static_cast<std::uint8_t>(length);
                }
    return filled == all;
}

BlockCodes make_fixed_codes()
{
    BlockCodes codes;
    std::array<std::uint8_t, letter_symbols> lengths;
    std::fill(lengths.begin(), lengths.begin() + 144, std::uint8_t{8});
    std::fill(lengths.begin() + 144, lengths.begin() + 256, std::uint8_t{9});
    std::fill(lengths.begin() + 256, lengths.begin() + 280, std::uint8_t{7});
    std::fill(lengths.begin() + 280, lengths.end(), std::uint8_t{8});
    make_letter_table(lengths, codes.letters);
    lengths.fill(5);
    make_distance_table(std::span(lengths).first(distance_symbols), codes.distances);
    return codes;
}

} // namespace

bool read_codes(BitReader & reader, BlockCodes & codes)
{
    reader.fill();
    unsigned const letters = reader.next(5) + least_letters, distances = reader.next(5) + 1;
    if (letters > most_letters || distances > most_distances)
        return false;
    LengthCode code;
    if (!read_length_code(reader, reader.next(4) + least_lengths, code))
        return false;
    std::array<std::uint8_t, most_letters + most_distances> lengths;
    unsigned const wanted = letters + distances;
    for (unsigned known = 0; known < wanted;) {
        reader.fill();
        unsigned const index = reader.bits(most_length_bits), symbol = code.symbol[index];
        reader.take(code.bits[index]);
        if (symbol < repeat_last) {
            lengths[known++] = static_cast<std::uint8_t>(symbol);
            continue;
        }
        if (symbol == repeat_last && known == 0)
            return false;
        std::uint8_t const value = symbol == repeat_last ? lengths[known - 1] : std::uint8_t{0};
        unsigned const many = symbol == repeat_last ? 3 + reader.next(2)
                              : symbol == few_zeros ? 3 + reader.next(3)
                                                    : 11 + reader.next(7);
        if (known + many > wanted)
            return false;
        std::fill_n(lengths.begin() + known, many, value);
        known += many;
    }
    std::span<std::uint8_t const> const all(lengths.data(), wanted);
    return all[end_symbol] > 0 && make_letter_table(all.first(letters), codes.letters) &&
           make_distance_table(all.last(distances), codes.distances);
}

BlockCodes const & fixed_codes()
{
    static BlockCodes const fixed = make_fixed_codes();
    return fixed;
}

std::optional<std::uint64_t> find_block(Piece const & piece, std::uint64_t from, std::uint64_t to)
{
    static Skips const skips = make_skips(); // by the first search, not by each start of the command
    constexpr unsigned lengths_at = skip_bits + 4;
    BlockCodes codes;
    for (std::uint64_t bit = from; bit < to; ++bit) {
        std::uint64_t const bits = bits_from(piece, bit);
        if (unsigned const skip = skips[bits % skips.size()]; skip > 0) {
            bit += skip - 1;
            continue;
        }
        unsigned const count = static_cast<unsigned>(bits >> skip_bits & 15) + least_lengths;
        std::uint64_t const lengths =
            bits_from(piece, bit + lengths_at) & ((std::uint64_t{1} << (bits_of_length * count)) - 1);
        unsigned taken = 0;
        for (unsigned four = 0; four < 5; ++four)
            taken += codes_taken[lengths >> (4 * bits_of_length * four) & (codes_taken.size() - 1)];
        if (taken != 1u << most_length_bits)
            continue;
        BitReader reader(piece, bit + findable_bits);
        if (read_codes(reader, codes) && reader.bit() <= piece.end_bit())
            return bit;
    }
    return std::nullopt;
}

} // namespace cli
