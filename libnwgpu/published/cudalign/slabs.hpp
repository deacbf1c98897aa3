// SPDX-License-Identifier: BSD-3-Clause
// The rows of a pair, slab by slab: as one slab, or, where the caller asks for checkpoints (paper D, 5.4.4), as many as
// are saved on the way.  A saved slab is that of the engines (checkpoint/slab.hpp): the row below it, and the special
// rows in it.  So a run goes on with other blocks and threads, on another GPU, and with any engine, and so does a run
// that an engine has begun.
#pragma once

#include <cstdint>
#include <vector>

#include "model/result.hpp"
#include "published/parts/recurrence.hpp"
#include "published/parts/task.hpp"

namespace nwgpu::published {

// Of the horizontal bus: H and F of a cell.
struct alignas(8) BusEntry {
    Score h, f;
};

// What is known after a slab.
struct Swept {
    Best best;                     // of all rows so far
    Score corner = 0;              // H of the last row in the last column
    std::vector<BusEntry> bottom;  // of the last row, [letters of the target]
    std::vector<BusEntry> special; // [special rows][width]
    std::uint64_t width = 0;
};

// A GPU that computes the rows.
class RowSweeper {
public:
    virtual ~RowSweeper() = default;
    virtual std::uint64_t strip_rows() const = 0;
    virtual std::uint64_t diagonals_to_drain() const = 0; // that a slab has in addition to its strips
    // The row above the first slab, and the best cell above it; not for the matrix's own first row.
    virtual void start_below(std::vector<BusEntry> const & row, Best const & best) = 0;
    // The next rows, `row` of them done; whole strips, but for the last rows of the matrix.  A special row is kept
    // below every `apart`-th strip but the last one; 0: none.
    virtual Swept sweep(std::uint64_t row, std::uint64_t rows, std::uint64_t apart, bool with_bottom) = 0;
};

// Throws Error checkpoint, memory_limit, and cancelled between two slabs.
PairResult align_by_slabs(Task const & task, RowSweeper & sweeper);

} // namespace nwgpu::published
