// SPDX-License-Identifier: BSD-3-Clause
// End and path of a swept pair.
#pragma once

#include "cuda/batch/walk.cuh"

namespace nwgpu::cuda::batch {

// One pair, whose residues begin at `stored`.  What the sweep has found of it is in `answer`, which gets the rest; no
// score: its path is not known.
// Runs lie before `top`.
template <int bits, bool chains>
__host__ __device__ void find_path(Matrix<bits, chains> const & matrix, PathArgs const & args, std::uint32_t * top,
                                   Answer & answer)
{
    WalkScheme const & scheme = matrix.scheme;
    Cell end{matrix.m, matrix.n};
    if (scheme.local) {
        end = {answer.query_end, answer.target_end};
    } else if (scheme.free_query_end || scheme.free_target_end) {
        answer.score = find_end(matrix, end);
    }
    answer.query_end = static_cast<std::uint16_t>(end.i);
    answer.target_end = static_cast<std::uint16_t>(end.j);
    if (!args.path)
        return;
    Runs runs{top};
    Cell begin = end;
    if (end.i > 0 && end.j > 0 && !walk(matrix, begin, runs)) {
        answer.score = no_score;
        answer.set_half_width(UINT32_MAX);
        return;
    }
    begin = finish(scheme, begin, runs);
    answer.query_begin = static_cast<std::uint16_t>(begin.i);
    answer.target_begin = static_cast<std::uint16_t>(begin.j);
    answer.runs = runs.count;
}

} // namespace nwgpu::cuda::batch
