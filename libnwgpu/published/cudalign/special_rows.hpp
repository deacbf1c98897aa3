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
//
// Special rows are the row cuts of slabs, and the rows between slabs; slabs of an engine have tiles with fewer columns.
#pragma once

#include "checkpoint/folder.hpp"
#include "model/result.hpp"
#include "published/parts/task.hpp"

namespace nwgpu::published {

// The tile as it is.  Throws Error checkpoint about `folder` if it has scores that no pair of this engine has.
checkpoint::SlabTile checked(checkpoint::SlabTile && tile, checkpoint::Folder const * folder);

// `end`, a score and an end, with begin and runs.  `last` is the slab with the matrix's last row; `folder` has those
// above it, null: there are none.
PairResult walk_special_rows(Task const & task, checkpoint::SlabReader const & reader, checkpoint::Slab const & last,
                             checkpoint::Folder * folder, PairResult const & end);

} // namespace nwgpu::published
