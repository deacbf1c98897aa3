// SPDX-License-Identifier: BSD-3-Clause
// Reads of a SAM, BAM or CRAM file as sequences: on the strand that was read, with their tags, each once.
#pragma once

#include "record_file.hpp"
#include "sequence_set.hpp"

#include <string>
#include <string_view>

namespace cli {

class SamReads {
public:
    // Takes over the open file.  Throws Failure when its header cannot be read.
    SamReads(std::string path, hFILE * bytes);

    // Appends the next read; false, and nothing appended, at the end.
    bool read(SequenceSet & into);
    std::uint64_t count() const { return file_.count(); } // of records read
    // The @RG lines of the header.
    std::string read_groups() const;

private:
    std::string path_;
    RecordFile file_;
    SamRecordPtr record_;
};

// The fields of a comment that look like tags ("MM:Z:C+m,5;"), as BAM holds them.  Throws Failure for faulty ones.
std::string tags_of_comment(std::string_view comment);

} // namespace cli
