// SPDX-License-Identifier: BSD-3-Clause
// Growing a SequenceSet, and reverse complements.
#include "sequence_set.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include <sys/mman.h>

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

// The system clears many small pages one by one when they are first written to.
void SequenceSet::reserve(std::uint64_t letters)
{
    constexpr std::uint64_t large = std::uint64_t{2} << 20, many = 8 * large;
    bool const grows = letters > letters_.capacity();
    letters_.reserve(letters);
    if (!grows || letters < many)
        return;
#ifdef MADV_HUGEPAGE
    auto const begin = reinterpret_cast<std::uintptr_t>(letters_.data()),
               first = (begin + letters_.size() + large - 1) / large * large, last = (begin + letters) / large * large;
    madvise(reinterpret_cast<void *>(first), last - first, MADV_HUGEPAGE);
#endif
}

void SequenceSet::clear()
{
    letters_.clear();
    offsets_.assign(1, 0);
    names_.clear();
    qualities_.clear();
    tags_.clear();
    ambiguous_ = false;
    faults_.clear();
}

void SequenceSet::end_record()
{
    offsets_.push_back(letters_.size());
    names_.end_part();
    qualities_.end_part();
}

void SequenceSet::drop_record()
{
    letters_.resize(offsets_.back());
    names_.drop_open();
    qualities_.drop_open();
}

void SequenceSet::add_record(std::string_view name, std::string_view quality)
{
    add_name(name);
    add_quality(quality);
    end_record();
}

void SequenceSet::add_copies(SequenceSet const & other, std::uint64_t first, std::uint64_t count)
{
    std::uint64_t const before = size(), from = other.offsets_[first], to = letters_.size();
    auto const source = other.letters_.begin();
    letters_.insert(letters_.end(), source + static_cast<std::ptrdiff_t>(from),
                    source + static_cast<std::ptrdiff_t>(other.offsets_[first + count]));
    for (std::uint64_t i = first; i < first + count; ++i)
        offsets_.push_back(other.offsets_[i + 1] - from + to);
    names_.add_parts(other.names_, first, count);
    qualities_.add_parts(other.qualities_, first, count);
    ambiguous_ |= other.ambiguous_;
    for (auto const & [i, fault] : other.faults_)
        if (i >= first && i < first + count)
            set_fault(before + i - first, fault);
    for (std::uint64_t i = first; i < std::min<std::uint64_t>(first + count, other.tags_.size()); ++i)
        if (!other.tags(i).empty())
            set_tags(before + i - first, std::string(other.tags(i)));
}

void SequenceSet::add_rotated(SequenceSet const & other, std::uint64_t i, std::uint64_t letters)
{
    auto const source = other.letters(i);
    for (auto const part : {source.subspan(letters), source.first(letters)})
        letters_.insert(letters_.end(), part.begin(), part.end());
    std::string_view const quality = other.quality(i);
    add_name(other.name(i));
    if (!quality.empty()) {
        add_quality(quality.substr(letters));
        add_quality(quality.substr(0, letters));
    }
    end_record();
    ambiguous_ |= other.ambiguous_;
}

std::string SequenceSet::fault(std::uint64_t i) const
{
    auto const found = faults_.find(i);
    return found == faults_.end() ? "" : found->second;
}

void SequenceSet::set_tags(std::uint64_t i, std::string tags)
{
    tags_.resize(std::max<std::size_t>(tags_.size(), i + 1));
    tags_[i] = std::move(tags);
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
        set.add_record(std::string(set.name(i)), std::string(set.quality(i).rbegin(), set.quality(i).rend()));
        if (!set.tags(i).empty())
            set.set_tags(i + count, std::string(set.tags(i)));
    }
}

} // namespace cli
