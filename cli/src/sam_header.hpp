// SPDX-License-Identifier: BSD-3-Clause
// Headers with all targets, of which there may be millions: checked, and put together, by several threads.
#pragma once

#include "sam_file.hpp"
#include "target_list.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cli {

// Throws Failure where the format has no name, or no length, like that of a query or target.
void check_length(std::string const & format, char const * what, std::string_view name, std::uint64_t length);
// Throws Failure where the header could not have the targets, each by its name.
void check_targets(TargetList const & targets, std::string const & format, int threads);

// The header with @SQ lines behind its first line, as htslib holds it.
SamHeaderPtr with_targets(sam_hdr_t & header, TargetList const & targets, int threads);
// The same as a BAM file begins with it, in pieces, since they are long.
std::vector<std::string> bam_header(sam_hdr_t & header, TargetList const & targets, int threads);

} // namespace cli
