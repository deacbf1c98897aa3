// SPDX-License-Identifier: BSD-3-Clause
#include "sam_lines.hpp"

#include "failure.hpp"

#include <new>

namespace cli {

SamLines::SamLines() : no_targets_(sam_hdr_init())
{
    if (!no_targets_)
        throw std::bad_alloc();
}

void SamLines::add(bam1_t & record, std::string_view target, std::string_view letters)
{
    constexpr int rname = 3, seq = 10; // columns
    record.core.tid = -1;              // whose name is *
    if (sam_format1(no_targets_.get(), &record, &line_) < 0)
        throw Failure("cannot make a line of the SAM output");
    std::string_view rest(line_.s, line_.l);
    for (int column = 1; column <= seq; ++column) {
        std::size_t const end = rest.find('\t');
        std::string_view const field = rest.substr(0, end);
        lines_ += column == rname ? target : column == seq && !letters.empty() ? letters : field;
        lines_ += '\t';
        rest.remove_prefix(end + 1);
    }
    lines_ += rest;
    lines_ += '\n';
}

} // namespace cli
