// SPDX-License-Identifier: BSD-3-Clause
// CIGAR text, and runs collected from the end of a path.
#include "model/cigar.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>

#include "base/equal_letters.hpp"

namespace nwgpu {

namespace {

// Most runs are as short as this; whether a number has one digit or two would often be mispredicted.
struct ShortNumber {
    char digits[2];
    std::uint8_t count;
};
constexpr std::array<ShortNumber, 100> short_numbers = [] {
    std::array<ShortNumber, 100> numbers{};
    for (std::size_t n = 0; n < numbers.size(); ++n) {
        char const tens = static_cast<char>('0' + n / 10), ones = static_cast<char>('0' + n % 10);
        numbers[n] = n < 10 ? ShortNumber{{ones, 0}, 1} : ShortNumber{{tens, ones}, 2};
    }
    return numbers;
}();

} // namespace

std::uint64_t write_cigar(std::span<std::uint32_t const> runs, std::span<char> text)
{
    constexpr char letters[] = "MIDNSHP=X???????";
    std::uint64_t length = 0;
    auto const put = [&](char const * from, std::size_t n) {
        for (std::size_t k = 0; k < n; ++k, ++length)
            if (length < text.size())
                text[length] = from[k];
    };
    if (runs.empty())
        put("*", 1);
    for (std::uint32_t const run : runs) {
        char one[16];
        bool const fits = text.size() >= length + sizeof one;
        char * const begin = fits ? text.data() + length : one;
        char * end = begin;
        if (std::uint32_t const n = run_length(run); n < short_numbers.size()) {
            std::memcpy(begin, short_numbers[n].digits, 2);
            end += short_numbers[n].count;
        } else {
            end = std::to_chars(begin, begin + 15, n).ptr;
        }
        *end = letters[run & 15];
        if (fits)
            length += static_cast<std::uint64_t>(end + 1 - begin);
        else
            put(one, static_cast<std::size_t>(end + 1 - one));
    }
    return length;
}

std::string cigar_text(std::span<std::uint32_t const> runs)
{
    std::string text(write_cigar(runs, {}), '\0');
    write_cigar(runs, text);
    return text;
}

void CigarBuilder::clear()
{
    reversed_.clear();
    length_ = 0;
}

// 64 columns at a time, since a branch for each would often be mispredicted.
void CigarBuilder::add_letters(std::uint8_t const * query, std::uint8_t const * target, std::uint64_t length)
{
    while (length > 0) {
        auto left = static_cast<int>(std::min<std::uint64_t>(length, 64));
        length -= static_cast<std::uint64_t>(left);
        std::uint64_t equal = equal_letters(query + length, target + length, left) << (64 - left);
        while (left > 0) {
            bool const is_equal = equal >> 63;
            int const run = std::min(left, is_equal ? std::countl_one(equal) : std::countl_zero(equal));
            add(is_equal ? CigarOp::equal : CigarOp::different, static_cast<std::uint64_t>(run));
            left -= run;
            equal = run < 64 ? equal << run : 0;
        }
    }
}

void CigarBuilder::finish(Runs & runs)
{
    flush();
    runs.insert(runs.end(), reversed_.rbegin(), reversed_.rend());
    clear();
}

// The remainder of a split run goes first, which is last in the finished path.
void CigarBuilder::flush()
{
    if (reversed_.empty())
        reversed_.reserve(first_runs);
    if (length_ <= max_run) {
        if (length_ > 0)
            reversed_.push_back(cigar_run(op_, static_cast<std::uint32_t>(length_)));
        length_ = 0;
        return;
    }
    if (std::uint64_t const rest = length_ % max_run; rest != 0)
        reversed_.push_back(cigar_run(op_, static_cast<std::uint32_t>(rest)));
    for (std::uint64_t whole = length_ / max_run; whole > 0; --whole)
        reversed_.push_back(cigar_run(op_, max_run));
    length_ = 0;
}

} // namespace nwgpu
