// SPDX-License-Identifier: BSD-3-Clause
// Paper B, 13.3.5: kernel 2, the path to an end that kernel 1 has found.  One block computes the part of the matrix
// that the path can cross once more, diagonal by diagonal, keeps it in global memory, and the host walks back.
//
//     . . . . . . . . |      = columns from which no alignment reaches the end: left out
//     = = = . . . . . |      .
//     = = = . . . . e |      . every cell that the path can touch is exact here
//
// The paper takes "a short distance"; here it is proven: an alignment of positive score spans at most longest_span()
// letters of the target.  Twice as many columns are computed, so that all of the last half have their exact scores.
#pragma once

#include "path/overlap.hpp"
#include "published/parts/affine_pair.cuh"
#include "published/swat/swat.cuh"

namespace nwgpu::published {

namespace {

__global__ void diagonals_of_window(Swat s)
{
    for (std::uint64_t d = 0; d <= s.m + s.n; ++d) {
        compute_diagonal(s, d);
        __syncthreads();
    }
}

} // namespace

// The same result, with begin and runs where they are asked for.
inline PairResult with_path(GpuTask const & task, PairResult const & end, unsigned threads)
{
    Task const & whole = task.task;
    if (!whole.traced() || (whole.request.mode.local && end.score == 0)) {
        PairResult result = end;
        if (end.score == 0 && whole.request.mode.local)
            result.span = {0, 0, 0, 0};
        return result;
    }
    PairView window = whole.pair;
    window.m = end.span.query_end;
    window.n = end.span.target_end;
    std::uint64_t first = 0;
    if (whole.request.mode.local)
        if (std::optional<std::uint64_t> const span = path::longest_span(window, whole.scoring))
            first = window.n - std::min(window.n, 2 * (*span + 2));
    window.target += first;
    window.n -= first;
    check_path_memory(task, 12.0 * static_cast<double>(window.m + 1) * static_cast<double>(window.n + 1));
    Task const part{window, whole.scoring, whole.request, whole.choice, whole.monitor, whole.max_host_bytes};
    GpuTask const gpu_part{part,        task.device,         task.query,      task.target + first,
                           task.scores, task.target_letters, task.score_count};
    SwatMemory const memory{gpu_part, true, threads};
    launch(task.device, diagonals_of_window, {1, threads}, memory.swat());
    PairResult result = memory.finish();
    result.span.target_begin += first;
    result.span.target_end += first;
    return result;
}

} // namespace nwgpu::published
