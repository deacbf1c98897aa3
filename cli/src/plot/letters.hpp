// SPDX-License-Identifier: BSD-3-Clause
// The letters of alignments that were read from a file: from FASTA files beside it, and column by column.
#pragma once

#include "plot/picture.hpp"
#include "sequence_set.hpp"

#include <string>
#include <string_view>
#include <unordered_map>

namespace cli {

// Sequences of FASTA files, by name.
class SequenceFile {
public:
    // path: "" for none, which knows no letters.
    explicit SequenceFile(std::string const & path);
    SequenceFile(SequenceFile const &) = delete; // the index points into the records

    bool given() const { return !path_.empty(); }
    // "" when there is no file.  Throws Failure when the file has no such record, or its length is another one.
    std::string_view letters(std::string_view name, std::uint64_t length) const;
    // Calls use(name, length) for each record, in the order of the file.
    template <typename Use>
    void for_each(Use && use) const
    {
        for (std::uint64_t i = 0; i < records_.size(); ++i)
            use(records_.name(i), records_.length(i));
    }

private:
    std::string path_;
    SequenceSet records_;
    std::unordered_map<std::string_view, std::uint64_t> index_;
};

struct KnownLetters {
    SequenceFile queries, targets;
};

// Runs of a CIGAR as steps.  The letters are those that are aligned, of both sides; "" for a side whose letters are
// not known.
class PathReader {
public:
    PathReader(PlotAlignment & into, LetterEquality const & equal, std::string_view query, std::string_view target,
               bool keep_letters);

    // op: one of M, =, X, I, D and N.  Throws Failure where there are no such letters, or = is of two that differ.
    void run(char op, std::uint64_t length);
    // Throws Failure when the runs are not those of the alignment's spans.
    void finish();

private:
    void pair(char op, std::uint64_t length);

    PlotAlignment & into_;
    LetterEquality const & equal_;
    std::string_view const query_, target_;
    bool const keep_letters_;
    StepList steps_;
    std::uint64_t query_at_ = 0, target_at_ = 0;
};

std::string reverse_complement(std::string_view letters);

} // namespace cli
