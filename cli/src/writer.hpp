// SPDX-License-Identifier: BSD-3-Clause
// What every output format does, and the choice of one.  A new format is one file and one line in writer.cpp.
#pragma once

#include "alignment.hpp"
#include "options.hpp"
#include "scoring.hpp"
#include "sequence_set.hpp"
#include "target_list.hpp"

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cli {

class Writer {
public:
    virtual ~Writer() = default;

    // Once, before all that writes.  Writes what comes before the first alignment: formats that need
    // all targets wait for them here, while others may check and make what is written.
    virtual void begin() {}
    // Of what is made before that, so many times as much may wait as afterwards: a header may take longer to be known
    // than many batches take.
    virtual std::uint64_t waits_for_begin() const { return 8; }
    // Both are called for each query before it is written, and where there are few before they are aligned; they throw
    // Failure when the format could not hold it.  Other threads may write others meanwhile, and check others.
    virtual void check_query(std::string_view name, std::uint64_t length) const;
    // Of the first ones of a set, so many; the numbers of the queries begin with `number`.
    virtual void admit(SequenceSet const & queries, std::uint64_t count, std::uint64_t number);
    virtual void write(Alignment const & alignment) = 0;
    // The same for many, in order.
    virtual void write_all(std::span<Alignment const> alignments);
    // Lines or records.
    struct Made {
        virtual ~Made() = default;
    };
    // What write() writes of some alignments, made by any thread; null where the format is made as it is written.
    virtual std::unique_ptr<Made> make(std::span<Alignment const> alignments) const;
    virtual void write(Made & made);
    // After each batch: what was written so far is complete.
    virtual void flush() = 0;
    // Throws Failure when the end could not be written.  Without close() the destructor does its best.
    virtual void close() = 0;
    // What the user should know of the output, once it is closed; "" for nothing.
    virtual std::string note() const { return ""; }
};

struct OutputFormat {
    std::string name;
    bool bgzf = false;   // a text format, compressed: FILE.gz
    std::string level{}; // of compression, as htslib's modes have it: a digit; empty: the usual one
};
// --format, or what the suffix of -o names, or, where it has none, `otherwise`.  Throws Failure for other suffixes.
OutputFormat output_format(OutputOptions const & options, std::string const & otherwise);
std::vector<std::string> format_names();
std::string shown_output(OutputOptions const & options); // for messages: "out.bam", "standard output"
bool is_sam_format(std::string const & format);
// Whether a format tells mapping qualities, or which alignment of a query is the best.
// Whether its writer has to know all targets before it writes.
bool needs_targets(std::string const & format);
bool is_ranked_format(std::string const & format);
// Throws Failure for options that the format cannot honour.
void check_format_options(OutputOptions const & options, std::string const & format);
// Throws Failure when -o names one of the inputs: opening it for writing would destroy it.
void check_not_input(OutputOptions const & options, std::initializer_list<std::string> inputs);

struct WriterSetup {
    OutputOptions const & output;
    OutputFormat format;
    Scoring const & scoring;
    bool score_only, both_strands, circular;
    bool self;                                 // targets are the queries, each pair once
    std::shared_ptr<TargetList const> targets; // for formats that need them
    int threads;                               // for compression, and to make lines and records
    std::string read_groups;                   // @RG lines of the input
};
std::unique_ptr<Writer> make_writer(WriterSetup const & setup);

// tsv, m8, json and cigar.
std::unique_ptr<Writer> make_table_writer(WriterSetup const & setup);
std::unique_ptr<Writer> make_letters_writer(WriterSetup const & setup); // fasta and maf
std::unique_ptr<Writer> make_matrix_writer(WriterSetup const & setup);  // phylip and matrix
std::unique_ptr<Writer> make_vcf_writer(WriterSetup const & setup);
std::unique_ptr<Writer> make_picture_writer(WriterSetup const & setup); // svg, png and html
std::unique_ptr<Writer> make_paf_writer(WriterSetup const & setup);
std::unique_ptr<Writer> make_sam_writer(WriterSetup const & setup); // sam, bam and cram
std::unique_ptr<Writer> make_pair_writer(WriterSetup const & setup);

} // namespace cli
