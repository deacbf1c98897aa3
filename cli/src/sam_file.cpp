// SPDX-License-Identifier: BSD-3-Clause
// htslib calls with their return values checked.
#include "sam_file.hpp"

#include "failure.hpp"

#include <htslib/bgzf.h>
#include <htslib/hfile.h>

#include <algorithm>
#include <limits>

namespace cli {

namespace {

// Threads that compress keep their errno to themselves.
Failure write_failure(PartFile const & place)
{
    return errno != 0 ? system_failure(place.shown())
                      : Failure(place.shown() + ": cannot be written (is the disk full?)");
}

void require(bool good, char const * what)
{
    if (!good)
        throw Failure(text("cannot add ", what, " to the SAM output"));
}

} // namespace

SamOutput::SamOutput(std::string const & path, OutputFormat const & format, SamHeaderPtr header,
                     std::string const & reference, int threads, std::vector<std::string> const & bam_header) :
    place_(path), header_(std::move(header))
{
    errno = 0;
    std::string const mode = format.name == "bam" ? "wb" : format.name == "cram" ? "wc" : format.bgzf ? "wz" : "w";
    file_.reset(hts_open(place_.path().c_str(), (mode + format.level).c_str()));
    if (!file_)
        throw system_failure(place_.shown());
    if (format.name == "cram") {
        int const set = reference.empty() ? hts_set_opt(file_.get(), CRAM_OPT_NO_REF, 1)
                                          : hts_set_opt(file_.get(), CRAM_OPT_REFERENCE, reference.c_str());
        if (set != 0)
            throw Failure(text(reference, ": CRAM output cannot use this reference (plain or bgzf FASTA)"));
    }
    bool const plain = format.name == "sam" && !format.bgzf;
    if (!plain && hts_set_threads(file_.get(), std::max(1, threads)) != 0)
        throw Failure(text(place_.shown(), ": the threads that compress cannot be started"));
    BGZF * const packed = bam_header.empty() ? nullptr : file_->fp.bgzf;
    bool good = packed != nullptr || sam_hdr_write(file_.get(), header_.get()) == 0;
    for (std::string const & piece : bam_header)
        good = good && bgzf_write(packed, piece.data(), piece.size()) == static_cast<ssize_t>(piece.size());
    if (packed != nullptr)
        good = good && bgzf_flush(packed) == 0; // records begin a block
    if (!good)
        throw write_failure(place_);
}

void SamOutput::make_index()
{
    bool const cram = hts_get_format(file_.get())->format == ::cram;
    if (place_.path() == "-" || (!cram && hts_get_format(file_.get())->format != bam))
        return;
    // BAI ends at 2^29 letters.
    int shift = 0;
    for (int tid = 0; tid < sam_hdr_nref(header_.get()); ++tid)
        if (sam_hdr_tid2len(header_.get(), tid) > (hts_pos_t{1} << 29) - 1)
            shift = 14;
    index_ = place_.final_path() + (cram ? ".crai" : shift > 0 ? ".csi" : ".bai");
    if (sam_idx_init(file_.get(), header_.get(), shift, index_.c_str()) != 0)
        throw Failure(index_ + ": the index cannot be begun");
}

void SamOutput::write(bam1_t const * record)
{
    errno = 0;
    if (sam_write1(file_.get(), header_.get(), record) < 0)
        throw write_failure(place_);
}

void SamOutput::write_packed(std::string const & blocks)
{
    errno = 0;
    if (bgzf_raw_write(file_->fp.bgzf, blocks.data(), blocks.size()) != static_cast<ssize_t>(blocks.size()))
        throw write_failure(place_);
}

void SamOutput::write_lines(std::string const & lines)
{
    errno = 0;
    auto const size = static_cast<ssize_t>(lines.size());
    bool const packed = hts_get_format(file_.get())->compression != no_compression;
    if ((packed ? bgzf_write(file_->fp.bgzf, lines.data(), lines.size())
                : hwrite(file_->fp.hfile, lines.data(), lines.size())) != size)
        throw write_failure(place_);
}

void SamOutput::close()
{
    errno = 0;
    if (!index_.empty() && sam_idx_save(file_.get()) != 0)
        throw system_failure(index_);
    if (hts_close(file_.release()) != 0)
        throw write_failure(place_);
    place_.complete();
}

void add_program_line(sam_hdr_t * header, OutputOptions const & options)
{
    require(
        sam_hdr_add_pg(header, "nwgpu", "VN", nwgpu_version_string(), "CL", options.command_line.c_str(), nullptr) == 0,
        "@PG");
}

std::string add_read_group(sam_hdr_t * header, OutputOptions const & options)
{
    std::string line = options.read_group;
    if (line.empty())
        return "";
    for (std::size_t at; (at = line.find("\\t")) != std::string::npos;) {
        line.erase(at, 1);
        line[at] = '\t';
    }
    if (!line.starts_with("@RG\t"))
        line.insert(0, "@RG\t");
    std::size_t const id = line.find("\tID:");
    if (id == std::string::npos || line.find('\n') != std::string::npos)
        throw Failure("--rg needs one line with an ID, e.g. 'ID:a\\tSM:b'");
    if (sam_hdr_add_lines(header, line.c_str(), line.size()) != 0)
        throw Failure("--rg " + options.read_group + ": not a valid read group, or its ID is there already");
    std::size_t const end = line.find('\t', id + 1);
    return line.substr(id + 4, end == std::string::npos ? end : end - id - 4);
}

void set_read_group(bam1_t * record, std::string const & id)
{
    if (!id.empty())
        require(bam_aux_update_str(record, "RG", static_cast<int>(id.size() + 1), id.c_str()) == 0, "RG");
}

void set_alignment_tags(bam1_t * record, Alignment const & alignment, LetterEquality const & equal)
{
    auto const [md, edits] = md_and_edits(alignment, equal);
    bool good = bam_aux_update_int(record, "NM", static_cast<std::int64_t>(edits)) == 0;
    good = good && bam_aux_update_str(record, "MD", static_cast<int>(md.size() + 1), md.c_str()) == 0;
    if (alignment.score == static_cast<std::int32_t>(alignment.score)) {
        good = good && bam_aux_update_int(record, "AS", alignment.score) == 0;
    } else {
        std::string const score = std::to_string(alignment.score);
        good = good && bam_aux_update_str(record, "zs", static_cast<int>(score.size() + 1), score.c_str()) == 0;
    }
    if (alignment.rotation)
        good = good && bam_aux_update_int(record, "ro", static_cast<std::int64_t>(*alignment.rotation)) == 0;
    require(good, "NM, MD, AS and ro");
}

} // namespace cli
