// SPDX-License-Identifier: BSD-3-Clause
// What is asked for: which ends are free, how much of the answer, in which CIGAR style.
#pragma once

#include <cstdint>

namespace nwgpu {

// Which paths are allowed.  Global: none of the flags.  Local: `local` alone.
struct Mode {
    bool local = false;
    bool free_query_begin = false;  // H(i, 0) = 0
    bool free_query_end = false;    // the path may end in any row of the last column
    bool free_target_begin = false; // H(0, j) = 0
    bool free_target_end = false;   // the path may end in any column of the last row

    bool operator==(Mode const &) const = default;
    bool global() const { return *this == Mode{}; }
};

enum class Output : std::int32_t { score = 0, end = 1, span = 2, cigar = 3 };
enum class CigarStyle : std::int32_t { eqx = 0, m = 1 };

struct Request {
    Mode mode;
    Output output = Output::score;
    CigarStyle style = CigarStyle::eqx;
};

} // namespace nwgpu
