// SPDX-License-Identifier: BSD-3-Clause
// The path in linear space over saved special rows, which paper D (7.1) leaves to the future: whole rows of H and F are
// kept while the matrix streams by; on the way back the rows between two of them are computed again, from the cursor to
// the left only as far as a path to it can reach.  The paper proposes Myers and Miller's halves there; here they are
// blocks of the CPU engine with their trace bits, so that the path follows the tie rule.
//
//     -------------------------   special row: H and F of every column
//              |   # # #             # computed again: no path that reaches the cursor comes from further left,
//              |     # # *           because the row above does not have the scores for so long a gap
//     -------------------------
#pragma once

#include <cstdint>
#include <vector>

#include "model/result.hpp"
#include "published/parts/recurrence.hpp"
#include "published/parts/task.hpp"

namespace nwgpu::published {

struct alignas(8) BusEntry {
    Score h, f;
};

struct SpecialRows {
    std::uint64_t apart = 0, width = 0; // letters of the query between two rows; columns
    std::vector<BusEntry> entries;      // [rows][width]: entry j of row k is cell ((k + 1) * apart, j + 1)
};

// `end`, a score and an end, with begin and runs.
PairResult walk_special_rows(Task const & task, SpecialRows const & rows, PairResult const & end);

} // namespace nwgpu::published
