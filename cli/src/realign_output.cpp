// SPDX-License-Identifier: BSD-3-Clause
// The file in which records wait is removed as soon as it is open, so that no end of the run leaves it.
#include "realign_output.hpp"

#include "failure.hpp"

#include <htslib/hfile.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string>

namespace cli {

namespace {

std::string temporary_folder()
{
    char const * const folder = std::getenv("TMPDIR");
    return folder != nullptr && *folder != '\0' ? folder : "/tmp";
}

Failure spool_failure() { return system_failure("temporary file in " + temporary_folder()); }

} // namespace

RealignOutput::RealignOutput(std::unique_ptr<SamOutput> out, sam_hdr_t const * header, bool grouped, int threads) :
    out_(std::move(out)), header_(sam_hdr_dup(header)), grouped_(grouped), threads_(threads)
{
    if (!header_)
        throw std::bad_alloc();
}

RealignOutput::~RealignOutput()
{
    if (spool_ >= 0)
        ::close(spool_);
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
    if (linked && spool_ < 0)
        open_spool();
    if (spool_ < 0)
        out_->write(now);
    else if (sam_write1(spool_file_.get(), header_.get(), now) < 0)
        throw spool_failure();
}

void RealignOutput::close()
{
    if (grouped_)
        write_group();
    else if (spool_ >= 0)
        close_spool();
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

SamFilePtr RealignOutput::open_spool_as(char const * mode) const
{
    int const copy = dup(spool_);
    hFILE * const bytes = copy < 0 ? nullptr : hdopen(copy, *mode == 'w' ? "w" : "r");
    SamFilePtr file(bytes == nullptr ? nullptr : hts_hopen(bytes, "records that wait", mode));
    if (!file || hts_set_threads(file.get(), std::max(1, threads_)) != 0)
        throw spool_failure();
    return file;
}

void RealignOutput::open_spool()
{
    std::string path = temporary_folder() + "/nwgpu-realign-XXXXXX";
    errno = 0;
    spool_ = mkstemp(path.data());
    if (spool_ < 0)
        throw spool_failure();
    unlink(path.c_str());
    spool_file_ = open_spool_as("wb1");
    if (sam_hdr_write(spool_file_.get(), header_.get()) != 0)
        throw spool_failure();
}

void RealignOutput::close_spool()
{
    errno = 0;
    if (hts_close(spool_file_.release()) != 0 || lseek(spool_, 0, SEEK_SET) != 0)
        throw spool_failure();
    spool_file_ = open_spool_as("r");
    SamHeaderPtr const header(sam_hdr_read(spool_file_.get()));
    SamRecordPtr const record(bam_init1());
    if (!header || !record)
        throw spool_failure();
    int status = 0;
    while ((status = sam_read1(spool_file_.get(), header_.get(), record.get())) >= 0) {
        links_.follow(record.get(), header_.get());
        out_->write(record.get());
    }
    if (status < -1)
        throw spool_failure();
}

} // namespace cli
