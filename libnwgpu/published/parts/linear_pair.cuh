// SPDX-License-Identifier: BSD-3-Clause
// What the GPU algorithms of paper A share: the problem on the device, the whole matrix with its borders, and its way
// back.  Matrices reach to the ends of whole tiles; cells beyond the sequences belong to letter 0 and harm nobody.
#pragma once

#include "base/ceil_div.hpp"
#include "published/parts/launch.cuh"
#include "published/parts/stored_matrix.hpp"
#include "published/parts/tile_grid.hpp"

namespace nwgpu::published {

struct LinearPair {
    std::uint8_t const * query;
    std::uint8_t const * target;
    Score const * scores;
    std::uint32_t target_letters;
    std::uint32_t shared_scores; // of the table, that blocks copy to shared memory: all or none
    Score extend;
    std::uint64_t rows, cols; // of whole tiles
    Score * H = nullptr;      // [rows + 1][cols + 1], or nothing

    __device__ Score & at(std::uint64_t i, std::uint64_t j) const { return H[i * (cols + 1) + j]; }
    // Of the letters of row i and column j, counted from 1.
    __device__ Score score(Score const * table, std::uint64_t i, std::uint64_t j) const
    {
        return table[query[i - 1] * target_letters + target[j - 1]];
    }
    __host__ __device__ Score border(std::uint64_t k) const
    {
        return static_cast<Score>(-static_cast<std::int64_t>(k) * extend);
    }
    __host__ __device__ std::size_t shared_bytes() const { return shared_scores * sizeof(Score); }
};

// A larger table stays in global memory.
constexpr std::uint32_t most_shared_scores = 4096;

inline LinearPair linear_pair(GpuTask const & task, std::uint64_t tile_rows, std::uint64_t tile_cols)
{
    PairView const & pair = task.task.pair;
    return {task.query,
            task.target,
            task.scores,
            task.target_letters,
            task.score_count <= most_shared_scores ? task.score_count : 0,
            task.task.extend(),
            ceil_div(pair.m, tile_rows) * tile_rows,
            ceil_div(pair.n, tile_cols) * tile_cols};
}

inline TileGrid tile_grid(LinearPair const & pair, std::uint64_t tile_rows, std::uint64_t tile_cols)
{
    return {static_cast<std::uint32_t>(pair.rows / tile_rows), static_cast<std::uint32_t>(pair.cols / tile_cols)};
}

// The block's copy of the score table, for after the next barrier; or the table itself.
__device__ inline Score const * shared_table(LinearPair const & p, Score * shared)
{
    if (p.shared_scores == 0)
        return p.scores;
    for (unsigned k = threadIdx.x; k < p.shared_scores; k += blockDim.x)
        shared[k] = p.scores[k];
    return shared;
}

// Row 0 and column 0 of the whole matrix.
__device__ inline void write_borders(LinearPair const & p)
{
    for (std::uint64_t k = thread_number(); k <= p.cols; k += thread_count())
        p.at(0, k) = p.border(k);
    for (std::uint64_t k = thread_number() + 1; k <= p.rows; k += thread_count())
        p.at(k, 0) = p.border(k);
}

inline DeviceArray<Score> allocate_matrix(GpuTask const & task, LinearPair & pair)
{
    DeviceArray<Score> matrix{task.device, (pair.rows + 1) * (pair.cols + 1)};
    pair.H = matrix.data();
    return matrix;
}

// Copies the whole matrix to the host, as the paper does, and walks back over it; for the score alone one cell.
inline PairResult finish_whole(GpuTask const & task, LinearPair const & pair)
{
    PairView const & view = task.task.pair;
    if (!task.task.traced()) {
        Score last = 0;
        task.device.download(&last, pair.H + view.m * (pair.cols + 1) + view.n, sizeof last);
        return finish_linear(task.task, [&](std::uint64_t, std::uint64_t) { return last; });
    }
    StoredMatrix const H{pair.rows, pair.cols};
    task.device.download(H.row(0), pair.H, (pair.rows + 1) * (pair.cols + 1) * sizeof(Score));
    return finish_linear(task.task, H);
}

} // namespace nwgpu::published
