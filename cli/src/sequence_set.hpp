// SPDX-License-Identifier: BSD-3-Clause
// Named sequences laid end to end, as nwgpu::Sequences takes them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace cli {

// Pieces of text, end to end; what follows the last end is open.
struct Texts {
    std::string letters;
    std::vector<std::uint64_t> ends;

    std::uint64_t begin(std::uint64_t i) const { return i == 0 ? 0 : ends[i - 1]; }
    std::string_view part(std::uint64_t i) const { return {letters.data() + begin(i), ends[i] - begin(i)}; }

    void clear()
    {
        letters.clear();
        ends.clear();
    }
    void end_part() { ends.push_back(letters.size()); }
    void drop_open() { letters.resize(begin(ends.size())); }
    void add_parts(Texts const & other, std::uint64_t first, std::uint64_t count)
    {
        std::uint64_t const from = other.begin(first), to = letters.size();
        letters.append(other.letters, from, other.begin(first + count) - from);
        for (std::uint64_t i = first; i < first + count; ++i)
            ends.push_back(other.ends[i] - from + to);
    }
};

class SequenceSet {
public:
    // Keeps the memory.
    void clear();
    std::uint64_t size() const { return names_.ends.size(); }
    bool empty() const { return size() == 0; }
    std::uint64_t length(std::uint64_t i) const { return offsets_[i + 1] - offsets_[i]; }
    std::uint64_t total_letters() const { return offsets_.back(); }
    std::span<std::uint8_t const> letters(std::uint64_t i) const { return {letters_.data() + offsets_[i], length(i)}; }
    std::span<std::uint8_t> letters(std::uint64_t i) { return {letters_.data() + offsets_[i], length(i)}; }
    // Views that live until a record is added or the set is moved.
    std::string_view name(std::uint64_t i) const { return names_.part(i); }
    std::string_view quality(std::uint64_t i) const { return qualities_.part(i); } // "" in FASTA

    Texts const & names() const { return names_; }

    std::span<std::uint8_t const> bytes() const { return letters_; }
    std::span<std::uint64_t const> offsets() const { return offsets_; }

    // A record is built from pieces of its name, its letters and its quality; end_record ends it, drop_record forgets
    // the pieces.
    void add_name(std::string_view piece) { names_.letters += piece; }
    void add_letters(std::string_view piece) { letters_.insert(letters_.end(), piece.begin(), piece.end()); }
    void add_quality(std::string_view piece) { qualities_.letters += piece; }
    // Room for so many letters in one piece, and for their qualities.
    void reserve(std::uint64_t letters);
    bool has_room() const { return room() > 0; }
    std::uint64_t room() const { return letters_.capacity(); } // letters, those that it has included
    void reserve_qualities() { qualities_.letters.reserve(letters_.capacity()); }
    std::uint64_t open_letters() const { return letters_.size() - offsets_.back(); }
    void end_record();
    void drop_record();
    // The rest of a record, whose letters were added.
    void add_record(std::string_view name, std::string_view quality = {});
    // Appends so many records of another set, from record `first` on.
    void add_copies(SequenceSet const & other, std::uint64_t first, std::uint64_t count);
    void add_copy(SequenceSet const & other, std::uint64_t i) { add_copies(other, i, 1); }
    // The same, but its first letters, so many, are moved to the end, with their qualities.  Without tags and faults.
    void add_rotated(SequenceSet const & other, std::uint64_t i, std::uint64_t letters);

    // Whether a record has letters other than A, C, G and T.
    bool ambiguous() const { return ambiguous_; }
    void set_ambiguous() { ambiguous_ = true; }
    // What is wrong with the letters of record i, with the place in its file; "" where nothing is.
    std::string fault(std::uint64_t i) const;
    void set_fault(std::uint64_t i, std::string what) { faults_[i] = std::move(what); }
    // Tags of record i, as BAM holds them; "" where there are none.
    std::string_view tags(std::uint64_t i) const { return i < tags_.size() ? tags_[i] : std::string_view(); }
    void set_tags(std::uint64_t i, std::string tags);

private:
    std::vector<std::uint8_t> letters_;
    std::vector<std::uint64_t> offsets_{0};
    Texts names_, qualities_;
    std::vector<std::string> tags_; // up to the last record that has some
    bool ambiguous_ = false;
    std::unordered_map<std::uint64_t, std::string> faults_;
};

// Appends the reverse complement of every record (IUPAC DNA, case kept): record i + n is that of record i.
void add_reverse_complements(SequenceSet & set);

} // namespace cli
