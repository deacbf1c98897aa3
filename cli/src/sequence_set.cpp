// SPDX-License-Identifier: BSD-3-Clause
// Growing a SequenceSet, and reverse complements.
#include "sequence_set.hpp"

#include <array>
#include <cctype>

namespace cli {

namespace {

std::array<char, 256> make_complements()
{
    std::array<char, 256> complement{};
    for (std::size_t i = 0; i < complement.size(); ++i)
        complement[i] = static_cast<char>(i);
    std::string_view const from = "ACGTURYSWKMBDHVN", to = "TGCAAYRSWMKVHDBN";
    for (std::size_t i = 0; i < from.size(); ++i) {
        complement[static_cast<unsigned char>(from[i])] = to[i];
        complement[static_cast<unsigned char>(std::tolower(from[i]))] = static_cast<char>(std::tolower(to[i]));
    }
    return complement;
}

} // namespace

void SequenceSet::add_record(std::string name, std::string quality)
{
    offsets_.push_back(letters_.size());
    names_.push_back(std::move(name));
    qualities_.push_back(std::move(quality));
}

void SequenceSet::drop_last_record()
{
    offsets_.pop_back();
    names_.pop_back();
    qualities_.pop_back();
    drop_letters();
}

void SequenceSet::add_copy(SequenceSet const & other, std::uint64_t i)
{
    auto const source = other.letters(i);
    letters_.insert(letters_.end(), source.begin(), source.end());
    add_record(other.name(i), other.quality(i));
}

void add_reverse_complements(SequenceSet & set)
{
    static std::array<char, 256> const complement = make_complements();
    std::uint64_t const count = set.size();
    std::string reversed;
    for (std::uint64_t i = 0; i < count; ++i) {
        auto const forward = set.letters(i);
        reversed.clear();
        for (auto letter = forward.rbegin(); letter != forward.rend(); ++letter)
            reversed.push_back(complement[*letter]);
        set.add_letters(reversed);
        set.add_record(set.name(i), {set.quality(i).rbegin(), set.quality(i).rend()});
    }
}

} // namespace cli
