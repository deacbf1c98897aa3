// SPDX-License-Identifier: BSD-3-Clause
// Records of a SAM, BAM or CRAM file that is read, with messages that say which record of which file is at fault.
#pragma once

#include "sam_file.hpp"

#include <htslib/hfile.h>

#include <cstdint>
#include <string>

namespace cli {

class RecordFile {
public:
    // Takes over the open file.  reference: the FASTA file that CRAM is decoded with; "": as htslib finds it.  Throws
    // Failure for other formats, and where its end or its header is missing.
    RecordFile(std::string path, hFILE * bytes, std::string reference = "");

    sam_hdr_t * header() const { return header_.get(); }
    bool is_cram() const { return hts_get_format(file_.get())->format == ::cram; }
    // Whether the header says that records of one name come one after the other.
    bool is_grouped() const;
    // False at the end.  Throws Failure for a damaged record; those before it have all been read.
    bool read(bam1_t * record);
    std::uint64_t count() const { return count_; } // of records that were read

private:
    void open(hFILE * bytes);
    void decompress_ahead();
    bool open_again();
    int next(bam1_t * record);

    std::string const path_, reference_;
    SamFilePtr file_;
    SamHeaderPtr header_;
    bool is_ahead_ = false; // threads decompress what is read next
    std::uint64_t count_ = 0;
};

} // namespace cli
