// SPDX-License-Identifier: BSD-3-Clause
// The tile of gpu8 to gpu10: only its header row and column lie in shared memory, the cells live in registers.  A warp
// computes 32 rows, a thread a row, one column behind the thread above; what a thread hands down is one shuffle.
//
//     c h h h h h h      thread 0 takes UP from the header row, the others from the thread above, by shuffle
//     h 0 1 2 3 4 5      LEFT and UP-LEFT are what CURR and UP were a step ago
//     h 1 2 3 4 5 6      the last thread writes CURR into the header row, behind thread 0, which has read it
//     h 2 3 4 5 6 7      every thread writes its last CURR into the header column
//
// When the tile is done the header row is its last row and the header column its last column, but for the corners.
#pragma once

#include "published/parts/tile_headers.cuh"

namespace nwgpu::published {

// Shared memory of a block: the score table, the header row, the header column.
struct RegisterTile {
    Score const * table;
    Score * row; // [width + 1]
    Score * col; // [height + 1]
    unsigned width, height;

    __device__ RegisterTile(LinearPair const & p, unsigned width, unsigned height) :
        table{shared_table(p, shared_memory<Score>())},
        row{shared_memory<Score>() + p.shared_scores},
        col{row + width + 1},
        width{width},
        height{height}
    {}
    static std::size_t bytes(LinearPair const & p, unsigned width, unsigned height)
    {
        return p.shared_bytes() + sizeof(Score) * (width + height + 2);
    }

    // All threads.  The corners of the next headers are known before the first step.
    __device__ void load(Score const * header_row, Score const * header_col) const
    {
        for (unsigned c = threadIdx.x; c <= width; c += blockDim.x)
            row[c] = header_row[c];
        for (unsigned r = threadIdx.x; r <= height; r += blockDim.x)
            col[r] = header_col[r];
    }
    __device__ void store(Score * below, Score * right, Score corner_below, Score corner_right) const
    {
        if (below)
            for (unsigned c = threadIdx.x; c <= width; c += blockDim.x)
                below[c] = c == 0 ? corner_below : row[c];
        if (right)
            for (unsigned r = threadIdx.x; r <= height; r += blockDim.x)
                right[r] = r == 0 ? corner_right : col[r];
    }
};

// One thread's row of a tile, counted from 0.
struct RegisterRow {
    Score current, up_left; // LEFT is the CURR of the step before

    __device__ RegisterRow(RegisterTile const & tile, unsigned r) : current{tile.col[r + 1]}, up_left{tile.col[r]} {}

    // Steps begin .. end - 1 of the warp whose first row is first_row; the tile's cells begin below row i and right of
    // column j.
    __device__ void march(LinearPair const & p, RegisterTile const & tile, unsigned first_row, std::uint64_t i,
                          std::uint64_t j, unsigned begin, unsigned end)
    {
        unsigned const lane = threadIdx.x % 32, r = first_row + lane;
        for (unsigned step = begin; step < end; ++step) {
            __syncwarp(); // for the header row: a shuffle orders no memory
            Score up = __shfl_up_sync(0xffffffff, current, 1);
            unsigned const c = step - lane;
            if (step < lane || c >= tile.width)
                continue; // all lanes meet again at the next shuffle
            if (lane == 0)
                up = tile.row[c + 1];
            current = linear_cell(up_left, up, current, p.score(tile.table, i + r + 1, j + c + 1), p.extend);
            up_left = up;
            if (lane == 31)
                tile.row[c + 1] = current;
            if (c + 1 == tile.width)
                tile.col[r + 1] = current;
        }
    }
};

constexpr unsigned register_rows = 32, register_threads = 64;

// Of a block whose first warp computes: from the shared headers to the shared last row and column.
__device__ inline void compute_register_tile(LinearPair const & p, RegisterTile const & tile, std::uint64_t i,
                                             std::uint64_t j)
{
    if (threadIdx.x < 32) {
        RegisterRow row{tile, threadIdx.x};
        __syncwarp(); // all have read the header column
        row.march(p, tile, 0, i, j, 0, tile.width + 31);
    }
    __syncthreads();
}

namespace {

// One launch of gpu8: a block a tile.
__global__ void register_tiles_of_diagonal(LinearPair p, Headers headers, std::uint32_t d)
{
    RegisterTile const tile{p, headers.width, headers.height};
    std::uint32_t const ti = headers.grid.first(d) + blockIdx.x, tj = d - ti;
    tile.load(headers.row(ti, tj), headers.col(ti, tj));
    __syncthreads();
    Score const corner_below = tile.col[tile.height], corner_right = tile.row[tile.width];
    __syncthreads();
    compute_register_tile(p, tile, std::uint64_t{ti} * tile.height, std::uint64_t{tj} * tile.width);
    tile.store(ti + 1 < headers.grid.down ? headers.row(ti + 1, tj) : nullptr,
               tj + 1 < headers.grid.across ? headers.col(ti, tj + 1) : nullptr, corner_below, corner_right);
}

} // namespace

// All tiles of `headers`, whose first row and column are there.
inline void launch_register_tiles(GpuTask const & task, LinearPair const & pair, Headers const & headers)
{
    for (std::uint32_t d = 0; d < headers.grid.diagonals(); ++d)
        launch(task.device, register_tiles_of_diagonal,
               {headers.grid.on(d), register_threads, RegisterTile::bytes(pair, headers.width, headers.height)}, pair,
               headers, d);
}

} // namespace nwgpu::published
