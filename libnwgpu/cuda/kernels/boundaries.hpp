// SPDX-License-Identifier: BSD-3-Clause
// The first boundaries of matrices, and their best ends on the last ones.
#pragma once

#include <cstdint>
#include <vector>

#include "cuda/device/device.hpp"
#include "cuda/kernels/sweep_job.hpp"
#include "path/skipped.hpp"

namespace nwgpu::cuda {

// Fills `top` and `left` of whole matrices: cells reached by one gap, or free.
template <class S>
void fill_borders(Device & device, std::vector<SweepJob<S>> const & jobs, bool free_top, bool free_left,
                  KeptCode<S> const & code);

template <class S>
void fill_entries(Device & device, Kept<S> * entries, std::uint64_t count, Kept<S> entry);

// Zeros that stand for skipped cells in the boundaries of jobs: each cell is raised to what its neighbours prove
// (path/skipped.hpp), from the lowest one of `left` over the corner to the last one of `top`, and back.
void raise_skipped(Device & device, std::vector<SweepJob<std::int32_t>> const & jobs, path::MostSteps const & steps,
                   KeptCode<std::int32_t> const & code);

struct Peak {
    std::int64_t score;
    std::uint64_t index; // the first of the best
};

// Of the last row and column of a job: best of all cells but the last, and the last one.
struct LastCells {
    Peak bottom, right; // score: the lowest number where there are no such cells, or they were not kept
    std::int64_t corner;
};

// After a sweep of jobs with `right` and, where free, `bottom`.  Waits.
template <class S>
std::vector<LastCells> find_last_cells(Device & device, std::vector<SweepJob<S>> const & jobs,
                                       KeptCode<S> const & code);

} // namespace nwgpu::cuda
