// SPDX-License-Identifier: BSD-3-Clause
// Opening and reading through htslib, with messages that say which record of which file is at fault.
#include "read_input.hpp"

#include "failure.hpp"

namespace cli {

ReadInput::ReadInput(std::string const & path, std::string const & reference) : path_(path)
{
    errno = 0;
    file_.reset(hts_open(path_.c_str(), "r"));
    if (!file_)
        throw system_failure(path_);
    auto const format = hts_get_format(file_.get())->format;
    if (format != sam && format != bam && format != cram)
        throw Failure(path_ + ": not a SAM, BAM or CRAM file");
    if (format == cram && hts_set_opt(file_.get(), CRAM_OPT_REFERENCE, reference.c_str()) != 0)
        throw Failure(reference + ": not a reference that CRAM can use (plain or bgzf FASTA)");
    if (hts_check_EOF(file_.get()) == 0)
        throw Failure(path_ + ": truncated file: the end-of-file block is missing");
    header_.reset(sam_hdr_read(file_.get()));
    if (!header_)
        throw Failure(path_ + ": the header cannot be read");
}

bool ReadInput::read(bam1_t * record)
{
    int const status = sam_read1(file_.get(), header_.get(), record);
    if (status < -1) {
        bool const lines = hts_get_format(file_.get())->format == sam;
        throw Failure(text(path_, lines ? text(":", file_->lineno) : "", ": record ", count_ + 1,
                           " is damaged or cut off (-v shows htslib's message)"));
    }
    ++count_;
    return status >= 0;
}

Reference::Reference(std::string const & path, Alphabet const & alphabet, sam_hdr_t * header) :
    path_(path), header_(header)
{
    SequenceReader reader(path);
    reader.first(); // throws where there is none
    reader.use_alphabet(alphabet);
    reader.read_all(records_);
    for (std::uint64_t i = 0; i < records_.size(); ++i)
        if (!index_.emplace(records_.name(i), i).second)
            throw Failure(text(path, ": two records are named '", records_.name(i), "'"));
}

std::span<std::uint8_t const> Reference::sequence(std::int32_t tid) const
{
    std::string const name = sam_hdr_tid2name(header_, tid);
    auto const found = index_.find(name);
    if (found == index_.end())
        throw Failure(text(path_, ": no record '", name, "', to which reads are mapped"));
    std::span<std::uint8_t const> const letters = records_.letters(found->second);
    auto const expected = static_cast<std::uint64_t>(sam_hdr_tid2len(header_, tid));
    if (letters.size() != expected)
        throw Failure(
            text(path_, ": '", name, "' has ", letters.size(), " letters, the reads' header says ", expected));
    return letters;
}

} // namespace cli
