// SPDX-License-Identifier: BSD-3-Clause
// Streaming FASTA and FASTQ reader.  Stricter than kseq: every fault is a Failure with file and line.
// Names end at the first blank.  Lower case, U, blank lines, CRLF and empty sequences are accepted.
#pragma once

#include "alphabet.hpp"
#include "line_source.hpp"
#include "sequence_set.hpp"

namespace cli {

class SequenceReader {
public:
    explicit SequenceReader(std::string const & path) : lines_(path) {}

    // The first record, not taken yet and with its letters unchecked.  Throws Failure when there is none.
    SequenceSet const & first();
    // Whether exactly one record is left: the one that first() shows.
    bool only_one();
    // From now on the letters of records are checked (or masked): a record with others is marked, SequenceSet::fault().
    void use_alphabet(Alphabet const & alphabet) { alphabet_ = &alphabet; }

    // Appends the next record; false, and nothing appended, at the end.
    bool read(SequenceSet & into);
    void read_all(SequenceSet & into);

    std::string const & path() const { return lines_.path(); }
    std::uint64_t line_number() const { return lines_.line_number(); }
    double fraction() const { return lines_.fraction(); }

private:
    [[noreturn]] void fail(std::uint64_t line, std::string const & message) const;
    bool parse(SequenceSet & into);
    std::string parse_name() const;
    void parse_fasta(SequenceSet & into);
    std::string parse_fastq(SequenceSet & into);

    LineSource lines_;
    std::string line_; // the line read last; a header that waits for its record when has_header_
    bool has_header_ = false;
    std::uint64_t header_line_ = 0;
    SequenceSet first_; // holds the first record until it is taken
    Alphabet const * alphabet_ = nullptr;
};

} // namespace cli
