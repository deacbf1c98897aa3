// SPDX-License-Identifier: BSD-3-Clause
// The named modes and ends of --mode and --free-ends, as mode and free_ends of nwgpu_align_options.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace cli {

struct Mode {
    std::int32_t mode, free_ends;

    // Whether letters of the target may stay outside the alignment, at both ends.
    bool free_target() const;
};

std::vector<std::string> mode_names();
std::vector<std::string> free_end_names();
// The mode of that name, or, when ends are given, global alignment with those ends free.
Mode make_mode(std::string const & name, std::vector<std::string> const & free_ends);

} // namespace cli
