// SPDX-License-Identifier: BSD-3-Clause
// Records that wait in a temporary file, which has no name and so goes with the process.
#pragma once

#include "sam_file.hpp"

namespace cli {

class RecordSpool {
public:
    // The header must outlive the spool.  Throws Failure when there is no room for a file under $TMPDIR (or /tmp).
    RecordSpool(sam_hdr_t * header, int threads);
    ~RecordSpool();
    RecordSpool(RecordSpool const &) = delete;
    RecordSpool & operator=(RecordSpool const &) = delete;

    void write(bam1_t const * record);
    // Ends the writing: read() gives the records from the first one on.
    void rewind();
    bool read(bam1_t * record);

private:
    SamFilePtr open_as(char const * mode) const;

    sam_hdr_t * header_;
    int const threads_;
    int descriptor_ = -1;
    SamFilePtr file_;
};

} // namespace cli
