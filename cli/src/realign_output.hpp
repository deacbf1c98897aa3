// SPDX-License-Identifier: BSD-3-Clause
// The output of `nwgpu realign`.  A record that tells of others waits until these have their new places: those of one
// name, where the input has them together, else, in a file without a name, until the input ends.
#pragma once

#include "linked_reads.hpp"
#include "record_spool.hpp"
#include "sam_file.hpp"

#include <memory>
#include <vector>

namespace cli {

class RealignOutput {
public:
    // grouped: records of one name come one after the other.
    RealignOutput(std::unique_ptr<SamOutput> out, sam_hdr_t const * header, bool grouped, int threads);

    // old: as it was read; now: as it is to be written, but for what it tells of others.
    void write(bam1_t const * old, bam1_t const * now);
    // Records that wait, and may wait for others in vain: the input ends, or is damaged.
    void write_waiting();
    void close();

private:
    void write_group();
    void write_spool();

    std::unique_ptr<SamOutput> out_;
    SamHeaderPtr header_;
    bool const grouped_;
    int const threads_;
    LinkedReads links_;
    std::vector<SamRecordPtr> group_;
    std::unique_ptr<RecordSpool> spool_; // nothing: no record waits there
};

} // namespace cli
