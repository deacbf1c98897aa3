// SPDX-License-Identifier: BSD-3-Clause
#include "cuda/batch/two_bits.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

namespace nwgpu::cuda::batch {

std::optional<FourLetters> four_letters(std::uint8_t const * letters, std::uint64_t count)
{
    // Here and there, since letters in lower case lie together; fewer strays than one place has letters.
    constexpr std::uint64_t places = 64, of_place = 16, most_strays = 4;
    std::array<std::uint32_t, 256> counts{};
    std::uint64_t strays = 0;
    for (std::uint64_t place = 0; place < places; ++place)
        for (std::uint64_t k = 0; k < of_place && place * count / places + k < count; ++k, ++strays)
            ++counts[letters[place * count / places + k]];
    FourLetters four{};
    for (std::uint8_t & letter : four) {
        auto const most = std::ranges::max_element(counts);
        letter = static_cast<std::uint8_t>(most - counts.begin());
        strays -= std::exchange(*most, 0);
    }
    return strays <= most_strays ? std::optional{four} : std::nullopt;
}

TwoBitWriter::TwoBitWriter(ToTwoBits to_two_bits, std::uint8_t const * letters, std::uint64_t count,
                           FourLetters const & four, std::uint8_t * to) :
    to_two_bits_{to_two_bits}, letters_{letters}, layout_{count}, four_{four}, to_{to}
{}

void TwoBitWriter::write(std::uint64_t piece)
{
    std::uint64_t block = piece * blocks_of_piece;
    std::uint64_t const end = std::min(block + blocks_of_piece, layout_.blocks()),
                        whole = std::min(end, layout_.letters / two_bit_letters);
    while (block < whole && fit()) {
        block += to_two_bits_(letters_ + block * two_bit_letters, whole - block, four_, to_ + block * two_bit_bytes);
        if (block < whole)
            note_strays(block);
        ++block;
    }
    if (whole == end)
        return;
    std::uint8_t last[two_bit_letters];
    std::uint64_t const at = whole * two_bit_letters;
    std::memset(last, four_[0], sizeof last);
    std::memcpy(last, letters_ + at, layout_.letters - at);
    if (to_two_bits_(last, 1, four_, to_ + whole * two_bit_bytes) == 0)
        note_strays(whole);
}

// Which they are first, without branches.
void TwoBitWriter::note_strays(std::uint64_t block)
{
    auto const [a, b, c, d] = four_;
    std::uint64_t const begin = block * two_bit_letters, count = std::min(two_bit_letters, layout_.letters - begin);
    std::uint8_t const * const letters = letters_ + begin;
    std::uint8_t is_stray[two_bit_letters] = {};
    for (std::uint64_t k = 0; k < count; ++k)
        is_stray[k] = (letters[k] != a) & (letters[k] != b) & (letters[k] != c) & (letters[k] != d);
    std::uint64_t strays = 0;
    for (std::uint8_t const is : is_stray)
        strays += is;
    std::uint64_t at = strays_.fetch_add(strays, std::memory_order_relaxed);
    auto * const to = reinterpret_cast<StrayLetter *>(to_ + layout_.strays_at());
    for (std::uint64_t first = 0; first < count; first += sizeof(std::uint64_t)) {
        std::uint64_t any;
        std::memcpy(&any, is_stray + first, sizeof any);
        for (std::uint64_t k = first; any != 0 && k < first + sizeof any; ++k)
            if (is_stray[k] && at < layout_.most_strays())
                to[at++] = {static_cast<std::uint32_t>(begin + k), letters[k]};
    }
}

} // namespace nwgpu::cuda::batch
