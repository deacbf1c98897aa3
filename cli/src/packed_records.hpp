// SPDX-License-Identifier: BSD-3-Clause
// BAM records as a file holds them, compressed by the thread that makes them: blocks that a file may be put together
// from, in any number of pieces.
#pragma once

#include <htslib/bgzf.h>
#include <htslib/sam.h>

#include <memory>
#include <string>

namespace cli {

class PackedRecords {
public:
    // level: of compression, as htslib's modes have it; empty: the usual one.
    explicit PackedRecords(std::string const & level);

    void add(bam1_t const & record);
    // All that was added, as whole blocks; nothing can be added any more.
    std::string finish();

private:
    struct Close {
        void operator()(BGZF * file) const { bgzf_close(file); }
    };

    int descriptor_; // the file's: of memory, into which htslib writes as into a file
    std::unique_ptr<BGZF, Close> file_;
};

} // namespace cli
