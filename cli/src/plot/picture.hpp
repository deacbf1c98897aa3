// SPDX-License-Identifier: BSD-3-Clause
// What the pictures are drawn from: names, and the paths of all alignments of a file, packed so that they stay in
// memory.
#pragma once

#include "alignment.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace cli {

// What a stretch of columns is; `either`: letters against letters, equal or not, as M of a CIGAR.
enum class Step : std::uint8_t { equal, different, insertion, deletion, either };

struct PlotSequence {
    std::string name;
    std::uint64_t length = 0;
    // Of a target, from letters_begin on; empty when the picture needs none, or none were given.
    std::string letters = {};
    std::uint64_t letters_begin = 0;
};

struct PlotAlignment {
    std::uint64_t query = 0, target = 0; // in the picture's lists
    bool reverse = false;
    std::uint64_t query_begin = 0, query_end = 0; // on the strand that the input has
    std::uint64_t target_begin = 0, target_end = 0;
    std::uint64_t equal = 0, columns = 0; // as counted, or as the file tells
    std::optional<std::int64_t> score = {};
    std::string steps = {};   // of Step and length, see for_each_step; empty: a straight line
    std::string letters = {}; // of the query as it was aligned: those of the steps different and insertion
    bool resolved = false;    // all letters of `different` and `insertion` are known, and no step is `either`

    double identity() const { return columns == 0 ? 0 : static_cast<double>(equal) / static_cast<double>(columns); }
};

struct Picture {
    std::vector<PlotSequence> queries, targets;
    std::vector<PlotAlignment> alignments;
    bool dna = true;
};

// Packed steps: numbers of 7 bits a byte, the lowest first, the top bit set where more follow; a number is
// 8 * length + Step.
void append_step(std::string & steps, Step step, std::uint64_t length);

// Calls use(Step, length).
template <typename Use>
void for_each_step(std::string_view steps, Use && use)
{
    std::uint64_t number = 0;
    int shift = 0;
    for (char const letter : steps) {
        auto const byte = static_cast<unsigned char>(letter);
        number |= std::uint64_t{byte & 127u} << shift;
        shift += 7;
        if (byte < 128) {
            use(static_cast<Step>(number & 7), number >> 3);
            number = 0;
            shift = 0;
        }
    }
}

// Steps one after the other; neighbours of one kind become one.
class StepList {
public:
    void add(Step step, std::uint64_t length);
    // Counts equal letters and columns as it goes.
    void finish(PlotAlignment & into);

private:
    std::string packed_;
    Step step_ = Step::equal;
    std::uint64_t length_ = 0, equal_ = 0, columns_ = 0;
    bool resolved_ = true;
};

class PictureBuilder {
public:
    // keep_letters: those that a page shows.
    PictureBuilder(bool dna, bool keep_letters) : equal_(dna), keep_letters_(keep_letters) { picture_.dna = dna; }

    bool dna() const { return picture_.dna; }
    bool keep_letters() const { return keep_letters_; }
    std::uint64_t query(std::string_view name, std::uint64_t length);
    std::uint64_t target(std::string_view name, std::uint64_t length);
    void set_target_letters(std::uint64_t target, std::string_view letters);
    // The same for a part of them; those that no part has are N.
    void set_target_part(std::uint64_t target, std::uint64_t begin, std::string_view letters);
    // An alignment whose letters are all known.
    void add(Alignment const & alignment);
    // One that was read from a file, with query() and target() as its sequences.
    void add(PlotAlignment alignment) { picture_.alignments.push_back(std::move(alignment)); }

    Picture take() { return std::move(picture_); }

private:
    using Index = std::unordered_map<std::string, std::uint64_t>;
    static std::uint64_t find(Index & index, std::vector<PlotSequence> & list, std::string_view name,
                              std::uint64_t length);

    LetterEquality const equal_;
    bool const keep_letters_;
    Picture picture_;
    Index queries_, targets_;
};

} // namespace cli
