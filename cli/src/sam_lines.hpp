// SPDX-License-Identifier: BSD-3-Clause
// Lines of a SAM file, made where their records are: the header, which may be known later, is not asked for the names
// of targets.
#pragma once

#include "sam_file.hpp"

#include <htslib/kstring.h>

#include <string>
#include <string_view>

namespace cli {

class SamLines {
public:
    SamLines();
    ~SamLines() { ks_free(&line_); }
    SamLines(SamLines const &) = delete;
    SamLines & operator=(SamLines const &) = delete;

    // target: RNAME.  letters: SEQ, for what bam1_t cannot hold (protein); empty: the record's own.  Changes the
    // record.
    void add(bam1_t & record, std::string_view target, std::string_view letters);
    std::string take() { return std::move(lines_); }

private:
    SamHeaderPtr no_targets_;
    kstring_t line_ = KS_INITIALIZE;
    std::string lines_;
};

} // namespace cli
