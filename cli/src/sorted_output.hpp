// SPDX-License-Identifier: BSD-3-Clause
// Records in the order of their coordinates: sorted in memory, piece by piece, and merged from temporary files where
// there is more than one piece.
#pragma once

#include "record_spool.hpp"
#include "sam_file.hpp"

#include <memory>
#include <vector>

namespace cli {

class SortedOutput {
public:
    SortedOutput(SamOutput & out, sam_hdr_t const * header, int threads);

    void write(bam1_t const * record);
    // Hands all records on.
    void finish();

private:
    void sort_piece();

    SamOutput & out_;
    SamHeaderPtr header_;
    int const threads_;
    std::vector<SamRecordPtr> piece_;
    std::uint64_t piece_bytes_ = 0;
    std::vector<std::unique_ptr<RecordSpool>> pieces_;
};

} // namespace cli
