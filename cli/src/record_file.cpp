// SPDX-License-Identifier: BSD-3-Clause
// Threads of htslib that decompress ahead drop what they have where they come to damage, and may take it for the end of
// the file.  So what is damaged is read once more without them, from the begin to the damage.
#include "record_file.hpp"

#include "byte_source.hpp"
#include "failure.hpp"

#include <htslib/bgzf.h>
#include <htslib/kstring.h>

#include <string_view>
#include <utility>

namespace cli {

RecordFile::RecordFile(std::string path, hFILE * bytes, std::string reference) :
    path_(std::move(path)), reference_(std::move(reference))
{
    open(bytes);
    if (hts_check_EOF(file_.get()) == 0)
        throw Failure(path_ + ": truncated file: the end-of-file block is missing");
    header_.reset(sam_hdr_read(file_.get()));
    if (!header_)
        throw Failure(path_ + ": the header cannot be read");
    decompress_ahead();
}

void RecordFile::open(hFILE * bytes)
{
    errno = 0;
    file_.reset(hts_hopen(bytes, path_.c_str(), "r"));
    if (!file_) {
        int const error = errno;
        hclose_abruptly(bytes);
        throw system_failure(path_, error);
    }
    auto const format = hts_get_format(file_.get())->format;
    if (format != sam && format != bam && format != cram)
        throw Failure(path_ + ": not a SAM, BAM or CRAM file");
    if (format == cram && !reference_.empty() && hts_set_opt(file_.get(), CRAM_OPT_REFERENCE, reference_.c_str()) != 0)
        throw Failure(reference_ + ": not a reference that CRAM can use (plain or bgzf FASTA)");
}

// Behind the header: who reads it asks the thread that is ahead for the end of the file, for ever where that has ended
// at damage.  Not of a pipe, which may stay open without a word: its thread would be waited for at the end.
void RecordFile::decompress_ahead()
{
    constexpr int threads = 4;
    auto const format = hts_get_format(file_.get())->format;
    is_ahead_ = (format == bam || format == cram) && has_end(path_) && hts_set_threads(file_.get(), threads) == 0;
}

// False: the records that were read are not there any more.
bool RecordFile::open_again()
{
    is_ahead_ = false;
    open(open_bytes(path_));
    SamHeaderPtr const again(sam_hdr_read(file_.get())); // others point to the one that is kept
    SamRecordPtr const record(bam_init1());
    bool good = again && record;
    for (std::uint64_t k = 0; good && k < count_; ++k)
        good = next(record.get()) >= 0;
    return good;
}

int RecordFile::next(bam1_t * record)
{
    int const status = sam_read1(file_.get(), header_.get(), record);
    bool const may_be_damage = status == -1 && is_ahead_ && file_->is_bgzf;
    return may_be_damage && file_->fp.bgzf->errcode != 0 ? -2 : status;
}

bool RecordFile::read(bam1_t * record)
{
    int status = next(record);
    if (status < -1 && is_ahead_)
        status = open_again() ? next(record) : -2;
    if (status < -1) {
        bool const lines = hts_get_format(file_.get())->format == sam;
        throw Failure(text(path_, lines ? text(":", file_->lineno) : "", ": record ", count_ + 1,
                           " is damaged or cut off (-v shows htslib's message)"));
    }
    if (status < 0)
        return false;
    ++count_;
    return true;
}

bool RecordFile::is_grouped() const
{
    kstring_t value = KS_INITIALIZE;
    bool const by_group = sam_hdr_find_tag_hd(header(), "GO", &value) == 0 && std::string_view(value.s) == "query";
    bool const by_order = sam_hdr_find_tag_hd(header(), "SO", &value) == 0 && std::string_view(value.s) == "queryname";
    ks_free(&value);
    return by_group || by_order;
}

} // namespace cli
