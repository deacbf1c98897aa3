// SPDX-License-Identifier: BSD-3-Clause
// The file is removed as soon as it is open, so that no end of the run leaves it.
#include "record_spool.hpp"

#include "failure.hpp"

#include <htslib/hfile.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
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

RecordSpool::RecordSpool(sam_hdr_t * header, int threads) : header_(header), threads_(threads)
{
    std::string path = temporary_folder() + "/nwgpu-XXXXXX";
    errno = 0;
    descriptor_ = mkstemp(path.data());
    if (descriptor_ < 0)
        throw spool_failure();
    unlink(path.c_str());
    file_ = open_as("wb1");
    if (sam_hdr_write(file_.get(), header_) != 0)
        throw spool_failure();
}

RecordSpool::~RecordSpool() { ::close(descriptor_); }

SamFilePtr RecordSpool::open_as(char const * mode) const
{
    int const copy = dup(descriptor_);
    hFILE * const bytes = copy < 0 ? nullptr : hdopen(copy, *mode == 'w' ? "w" : "r");
    SamFilePtr file(bytes == nullptr ? nullptr : hts_hopen(bytes, "records that wait", mode));
    if (!file || hts_set_threads(file.get(), std::max(1, threads_)) != 0)
        throw spool_failure();
    return file;
}

void RecordSpool::write(bam1_t const * record)
{
    if (sam_write1(file_.get(), header_, record) < 0)
        throw spool_failure();
}

void RecordSpool::rewind()
{
    errno = 0;
    if (hts_close(file_.release()) != 0 || lseek(descriptor_, 0, SEEK_SET) != 0)
        throw spool_failure();
    file_ = open_as("r");
    SamHeaderPtr const header(sam_hdr_read(file_.get()));
    if (!header)
        throw spool_failure();
}

bool RecordSpool::read(bam1_t * record)
{
    int const status = sam_read1(file_.get(), header_, record);
    if (status < -1)
        throw spool_failure();
    return status >= 0;
}

} // namespace cli
