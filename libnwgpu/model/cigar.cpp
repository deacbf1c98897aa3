// SPDX-License-Identifier: BSD-3-Clause
// CIGAR text, and runs collected from the end of a path.
#include "model/cigar.hpp"

#include <algorithm>
#include <charconv>

#include "base/equal_letters.hpp"

namespace nwgpu {

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
        char * const end = std::to_chars(begin, begin + 15, run_length(run)).ptr;
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

namespace {

// Bit k: whether letters k are equal, of up to 64, rounded up to eights.
std::uint64_t equal_letters(std::uint8_t const * a, std::uint8_t const * b, int n)
{
    constexpr std::uint64_t ones = 0x0101010101010101, low_bits = 0x7f * ones;
    std::uint64_t equal = 0;
    for (int k = 0; k < n; k += 8) {
        std::uint64_t const difference = eight_letters(a + k) ^ eight_letters(b + k);
        std::uint64_t const bytes = ~((((difference & low_bits) + low_bits) | difference) >> 7) & ones;
        equal |= bytes * 0x0102040810204080 >> 56 << k; // bit 0 of every byte, side by side
    }
    return equal;
}

} // namespace

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
