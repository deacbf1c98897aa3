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

class SequenceSet {
public:
    std::uint64_t size() const { return names_.size(); }
    bool empty() const { return names_.empty(); }
    std::uint64_t length(std::uint64_t i) const { return offsets_[i + 1] - offsets_[i]; }
    std::uint64_t total_letters() const { return offsets_.back(); }
    std::span<std::uint8_t const> letters(std::uint64_t i) const { return {letters_.data() + offsets_[i], length(i)}; }
    std::span<std::uint8_t> letters(std::uint64_t i) { return {letters_.data() + offsets_[i], length(i)}; }
    std::string const & name(std::uint64_t i) const { return names_[i]; }
    std::string const & quality(std::uint64_t i) const { return qualities_[i]; } // "" in FASTA

    std::span<std::uint8_t const> bytes() const { return letters_; }
    std::span<std::uint64_t const> offsets() const { return offsets_; }

    // A record is built from pieces of its letters; add_record ends it, drop_letters forgets the pieces.
    void add_letters(std::string_view piece) { letters_.insert(letters_.end(), piece.begin(), piece.end()); }
    // Room for so many letters in one piece.
    void reserve(std::uint64_t letters) { letters_.reserve(letters); }
    std::uint64_t open_letters() const { return letters_.size() - offsets_.back(); }
    void add_record(std::string name, std::string quality = {});
    void drop_letters() { letters_.resize(offsets_.back()); }
    // Appends record i of another set.
    void add_copy(SequenceSet const & other, std::uint64_t i);

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
    std::vector<std::string> names_, qualities_;
    std::vector<std::string> tags_; // up to the last record that has some
    bool ambiguous_ = false;
    std::unordered_map<std::uint64_t, std::string> faults_;
};

// Appends the reverse complement of every record (IUPAC DNA, case kept): record i + n is that of record i.
void add_reverse_complements(SequenceSet & set);

} // namespace cli
