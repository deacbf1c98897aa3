// SPDX-License-Identifier: BSD-3-Clause
// The two inputs of `nwgpu realign`: mapped reads, and the reference they are mapped to.
#pragma once

#include "sam_file.hpp"
#include "sequence_reader.hpp"

#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace cli {

// Records of a SAM, BAM or CRAM file.  A damaged or truncated file is a Failure.
class ReadInput {
public:
    // reference: the FASTA file that CRAM is decoded with.
    ReadInput(std::string const & path, std::string const & reference);

    sam_hdr_t * header() const { return header_.get(); }
    bool read(bam1_t * record);
    // Whether the header says that records of one name come one after the other.
    bool grouped() const;
    bool is_cram() const { return hts_get_format(file_.get())->format == ::cram; }

private:
    std::string path_;
    SamFilePtr file_;
    SamHeaderPtr header_;
    std::uint64_t count_ = 0;
};

// The reference in memory, found by the numbers that the reads' header gives its sequences.
class Reference {
public:
    // check_all: at once, because the reads cannot be decoded without the right one.
    Reference(std::string const & path, Alphabet const & alphabet, sam_hdr_t * header, bool check_all);

    // Throws Failure when it is missing, or its length or its M5 is not that of the header.
    std::span<std::uint8_t const> sequence(std::int32_t tid) const;

private:
    void check_m5(std::int32_t tid, std::span<std::uint8_t const> letters) const;

    std::string path_;
    sam_hdr_t * header_;
    mutable std::vector<bool> checked_; // by tid
    SequenceSet records_;
    std::unordered_map<std::string, std::uint64_t> index_;
};

} // namespace cli
