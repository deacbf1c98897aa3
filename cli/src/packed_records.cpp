// SPDX-License-Identifier: BSD-3-Clause
#include "packed_records.hpp"

#include "failure.hpp"

#include <htslib/hfile.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>

namespace cli {

namespace {

Failure pack_failure() { return system_failure("memory for BAM records"); }

} // namespace

PackedRecords::PackedRecords(std::string const & level)
{
    errno = 0;
    descriptor_ = memfd_create("nwgpu", MFD_CLOEXEC);
    hFILE * const bytes = descriptor_ < 0 ? nullptr : hdopen(descriptor_, "w");
    file_.reset(bytes == nullptr ? nullptr : bgzf_hopen(bytes, ("w" + level).c_str()));
    if (file_)
        return;
    Failure const failure = pack_failure();
    if (bytes != nullptr)
        hclose_abruptly(bytes);
    else if (descriptor_ >= 0)
        ::close(descriptor_);
    throw failure;
}

void PackedRecords::add(bam1_t const & record)
{
    errno = 0;
    if (bam_write1(file_.get(), &record) < 0)
        throw pack_failure();
}

// Before the file is closed, which will add the block that ends a BAM file.
std::string PackedRecords::finish()
{
    errno = 0;
    if (bgzf_flush(file_.get()) != 0 || hflush(file_->fp) != 0)
        throw pack_failure();
    off_t const size = lseek(descriptor_, 0, SEEK_CUR);
    if (size < 0)
        throw pack_failure();
    std::string blocks(static_cast<std::size_t>(size), '\0');
    for (std::size_t have = 0; have < blocks.size();) {
        ssize_t const more = pread(descriptor_, blocks.data() + have, blocks.size() - have, static_cast<off_t>(have));
        if (more <= 0)
            throw pack_failure();
        have += static_cast<std::size_t>(more);
    }
    return blocks;
}

} // namespace cli
