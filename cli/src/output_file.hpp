// SPDX-License-Identifier: BSD-3-Clause
// Where output goes while it is written: to FILE.part, which gets its name when it is complete.  A run that fails
// leaves an older FILE as it was.
#pragma once

#include <string>

namespace cli {

class PartFile {
public:
    // "-", devices and pipes are written as they are.
    explicit PartFile(std::string path);
    // Says where an incomplete output lies.
    ~PartFile();
    PartFile(PartFile const &) = delete;
    PartFile & operator=(PartFile const &) = delete;

    std::string const & path() const { return part_; } // to open
    std::string const & final_path() const { return final_; }
    std::string shown() const; // for messages: "out.bam", "standard output"
    // The output is closed and complete.  Throws Failure when it cannot get its name.
    void complete();

private:
    std::string const name_; // as the user gave it
    std::string final_, part_;
    bool complete_ = false;
};

} // namespace cli
