// SPDX-License-Identifier: BSD-3-Clause
// Streaming reader of FASTA and FASTQ, and of the reads of SAM, BAM and CRAM.  Stricter than kseq: every fault is a
// Failure with file and line. Names end at the first blank.  Lower case, U, blank lines, CRLF and empty sequences are
// accepted.
#pragma once

#include "alphabet.hpp"
#include "line_source.hpp"
#include "sam_reads.hpp"
#include "sequence_set.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace cli {

class SequenceReader {
public:
    // comments: tags in the comments of records are kept; qualities: those of FASTQ are.
    explicit SequenceReader(std::string const & path, bool comments = false, bool qualities = true);

    // The first record, not taken yet and with its letters unchecked.  Throws Failure when there is none.
    SequenceSet const & first();
    // Whether that record waits to be taken.
    bool has_first() const { return !first_.empty(); }
    // Cuts off so many records, unread, for another thread: see LineSource::cut().  The first one must be taken.
    std::optional<Block> cut(std::uint64_t records, std::vector<char> memory);
    // What parsing a block gives.  Where a record is at fault, or cut in the wrong place, rest is what begins with it.
    struct Parsed {
        std::size_t rest = 0; // in bytes
        std::uint64_t lines_before_rest = 0;
        Block block;
    };
    // By any thread.
    Parsed parse_block(Block block, SequenceSet & into) const;
    // What was cut off last comes once more, to be read().
    void unread(std::string_view bytes, std::uint64_t lines_before) { lines_->unread(bytes, lines_before); }
    // Whether exactly one record is left: the one that first() shows.
    bool only_one();
    // From now on the letters of records are checked (or masked): a record with others is marked, SequenceSet::fault().
    void use_alphabet(Alphabet const & alphabet) { alphabet_ = &alphabet; }

    // Appends the next record; false, and nothing appended, at the end.
    bool read(SequenceSet & into);
    void read_all(SequenceSet & into);

    std::string const & path() const { return path_; }
    // Whether it is a file of known size: each read comes to an end.
    bool is_regular() const { return lines_ && lines_->file_size() > 0; }
    // Of all records, about, as the first one tells; 0: unknown.  Not while another thread reads.
    std::uint64_t expected_letters() const;
    double fraction() const { return lines_ ? lines_->fraction() : -1; }
    // The @RG lines of SAM, BAM or CRAM input.
    std::string read_groups() const { return reads_ ? reads_->read_groups() : ""; }

private:
    // Of a block of the file that another reader reads.
    SequenceReader(SequenceReader const & whole, Block block);

    [[noreturn]] void fail(std::uint64_t line, std::string const & message) const;
    // Letters that there may be, about; for memory.
    std::uint64_t most_letters() const;
    bool parse(SequenceSet & into);
    std::string_view parse_name() const;
    std::string parse_tags(std::string_view comment) const;
    void parse_fasta(SequenceSet & into);
    void parse_fastq(SequenceSet & into);

    bool parse_lines(SequenceSet & into);
    std::string place() const; // of the record read last: "q.fa:3", "r.bam: record 7"

    std::string path_;
    bool const comments_, qualities_;
    std::optional<LineSource> lines_; // one of these two
    std::unique_ptr<SamReads> reads_;
    std::string_view
        line_; // the line read last, in the buffer of lines_; a header that waits for its record when has_header_
    bool has_header_ = false;
    std::uint64_t header_line_ = 0;
    std::size_t header_place_ = 0; // in the buffer of lines_, when it was read
    char marker_ = '>';            // of the record read last
    SequenceSet first_;            // holds the first record until it is taken
    SequenceSet ahead_;            // and the second one, of reads_, once only_one() was asked
    Alphabet const * alphabet_ = nullptr;
};

} // namespace cli
