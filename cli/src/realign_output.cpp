// SPDX-License-Identifier: BSD-3-Clause
// From the first record on that waits all do, so that their order stays.
#include "realign_output.hpp"

#include "failure.hpp"

#include <cstring>
#include <new>

namespace cli {

RealignOutput::RealignOutput(std::unique_ptr<SamOutput> out, sam_hdr_t const * header, bool grouped, int threads) :
    out_(std::move(out)), header_(sam_hdr_dup(header)), grouped_(grouped), threads_(threads)
{
    if (!header_)
        throw std::bad_alloc();
}

void RealignOutput::write(bam1_t const * old, bam1_t const * now)
{
    if (grouped_) {
        if (!group_.empty() && std::strcmp(bam_get_qname(group_.front().get()), bam_get_qname(now)) != 0)
            write_group();
        links_.add(old, now);
        group_.emplace_back(bam_dup1(now));
        if (!group_.back())
            throw std::bad_alloc();
        return;
    }
    bool const linked = LinkedReads::tells_of_others(now);
    if (linked)
        links_.add(old, now);
    if (linked && !spool_)
        spool_ = std::make_unique<RecordSpool>(header_.get(), threads_);
    if (spool_)
        spool_->write(now);
    else
        out_->write(now);
}

void RealignOutput::write_waiting()
{
    if (grouped_)
        write_group();
    else if (spool_)
        write_spool();
}

void RealignOutput::close()
{
    write_waiting();
    out_->close();
}

void RealignOutput::write_group()
{
    for (SamRecordPtr const & record : group_) {
        links_.follow(record.get(), header_.get());
        out_->write(record.get());
    }
    group_.clear();
    links_.clear();
}

void RealignOutput::write_spool()
{
    SamRecordPtr const record(bam_init1());
    if (!record)
        throw std::bad_alloc();
    spool_->rewind();
    while (spool_->read(record.get())) {
        links_.follow(record.get(), header_.get());
        out_->write(record.get());
    }
}

} // namespace cli
