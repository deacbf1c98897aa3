// SPDX-License-Identifier: BSD-3-Clause
// What `align` and `realign` share of SAM, BAM and CRAM: the output file, header lines, tags and limits.
#pragma once

#include "alignment.hpp"
#include "options.hpp"
#include "output_file.hpp"
#include "writer.hpp"

#include <htslib/sam.h>

#include <memory>
#include <string>
#include <vector>

namespace cli {

struct SamDestroy {
    void operator()(samFile * file) const { hts_close(file); }
    void operator()(sam_hdr_t * header) const { sam_hdr_destroy(header); }
    void operator()(bam1_t * record) const { bam_destroy1(record); }
};
using SamFilePtr = std::unique_ptr<samFile, SamDestroy>;
using SamHeaderPtr = std::unique_ptr<sam_hdr_t, SamDestroy>;
using SamRecordPtr = std::unique_ptr<bam1_t, SamDestroy>;

// From this length on BAM cannot hold what may be needed: a CIGAR of more than 65535 runs hides behind a run as
// long as the sequence, and a run has 28 bits.  htslib 1.16 writes such a file without an error, unreadable.
constexpr std::uint64_t bam_length_limit = std::uint64_t{1} << 28;

class SamOutput {
public:
    // threads: so many compress.  reference: for CRAM, a FASTA file that its reader will have too; "" stores the
    // letters in the CRAM file.  bam_header: for BAM, the header as pieces of its bytes, in place of the other one.
    SamOutput(std::string const & path, OutputFormat const & format, SamHeaderPtr header, std::string const & reference,
              int threads, std::vector<std::string> const & bam_header = {});
    // Before the first record, which come sorted: BAM and CRAM files get an index beside them.
    void make_index();

    void write(bam1_t const * record);
    // Records of a BAM file that has its header from pieces (packed_records.hpp); no others are written to it.
    void write_packed(std::string const & blocks);
    // Of a SAM file (sam_lines.hpp).
    void write_lines(std::string const & lines);
    void close();

private:
    PartFile place_;
    SamHeaderPtr header_;
    SamFilePtr file_;
    std::string index_; // its file; empty: none
};

void add_program_line(sam_hdr_t * header, OutputOptions const & options);
// Adds the line of --rg, written as bwa and minimap2 take it, and returns its ID; "" when there is none.
std::string add_read_group(sam_hdr_t * header, OutputOptions const & options);
void set_read_group(bam1_t * record, std::string const & id); // nothing for ""

// NM, MD and AS of the path.  A score beyond 32 bits goes to zs:Z, because AS:i cannot hold it.
void set_alignment_tags(bam1_t * record, Alignment const & alignment, LetterEquality const & equal);

} // namespace cli
