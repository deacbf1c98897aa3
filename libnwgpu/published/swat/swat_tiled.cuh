// SPDX-License-Identifier: BSD-3-Clause
// Paper C, 4.3: tiled wavefront.  Each tile lies in memory by itself, with room for the row above and the column to the
// left; one block computes a tile in shared memory, diagonal by diagonal with a barrier of the block after each; one
// launch for each diagonal of tiles.  Three states a cell (see swat_serial.cpp for the recurrence).
//
//     +-------+        1 tile and its boundary into shared memory
//     |b b b b|        2 compute it
//     |b . . .|        3 write it back
//     |b . . x|        4 its last row becomes the boundary of the tile below, its last column that of the tile to the
//     +-------+          right
#pragma once

#include "base/ceil_div.hpp"
#include "published/parts/launch.cuh"
#include "published/parts/stored_matrix.hpp"
#include "published/parts/tile_grid.hpp"

namespace nwgpu::published {

namespace swat_tiled_kernels {

struct Tiles {
    std::uint8_t const * query;
    std::uint8_t const * target;
    Score const * scores;
    std::uint32_t target_letters;
    Affine affine;
    std::uint64_t m, n;
    TileGrid grid;
    unsigned side;
    Score * cells; // [tiles][3 states][side + 1][side + 1]
    Best * best;   // [tiles]

    __host__ __device__ unsigned state_size() const { return (side + 1) * (side + 1); }
    __host__ __device__ Score * tile(std::uint64_t ti, std::uint64_t tj) const
    {
        return cells + (ti * grid.across + tj) * 3 * state_size();
    }
    __host__ __device__ Score & at(Score * tile, unsigned state, unsigned r, unsigned c) const
    {
        return tile[state * state_size() + r * (side + 1) + c];
    }
    __host__ __device__ Score h(Score * tile, unsigned r, unsigned c) const
    {
        return larger(at(tile, 2, r, c), larger(at(tile, 0, r, c), at(tile, 1, r, c)));
    }
};
constexpr unsigned north = 0, west = 1, north_west = 2;

__device__ void set_border(Tiles const & t, Score * tile, unsigned r, unsigned c, std::uint64_t distance)
{
    t.at(tile, north, r, c) = t.at(tile, west, r, c) = minus_infinity;
    t.at(tile, north_west, r, c) = t.affine.border(static_cast<std::int64_t>(distance));
}

// Boundaries of the first row and column of tiles.  The corners of the first column belong to the tiles above.
__global__ void borders(Tiles t)
{
    for (std::uint64_t k = thread_number(); k < std::uint64_t{t.grid.across} * (t.side + 1); k += thread_count()) {
        std::uint64_t const tj = k / (t.side + 1);
        unsigned const c = static_cast<unsigned>(k % (t.side + 1));
        set_border(t, t.tile(0, tj), 0, c, tj * t.side + c);
    }
    for (std::uint64_t k = thread_number(); k < std::uint64_t{t.grid.down} * t.side; k += thread_count()) {
        std::uint64_t const ti = k / t.side;
        unsigned const r = static_cast<unsigned>(k % t.side) + 1;
        set_border(t, t.tile(ti, 0), r, 0, ti * t.side + r);
    }
}

__device__ void copy(Score * to, Score const * from, unsigned n)
{
    for (unsigned k = threadIdx.x; k < n; k += blockDim.x)
        to[k] = from[k];
}

// One thread a row.
__global__ void tiles_of_diagonal(Tiles t, std::uint32_t d)
{
    Score * const tile = shared_memory<Score>();
    Best * const bests = reinterpret_cast<Best *>(tile + 3 * t.state_size());
    std::uint32_t const ti = t.grid.first(d) + blockIdx.x, tj = d - ti;
    copy(tile, t.tile(ti, tj), 3 * t.state_size());
    __syncthreads();

    unsigned const r = threadIdx.x + 1;
    std::uint64_t const i = std::uint64_t{ti} * t.side + r;
    Best best;
    for (unsigned step = 0; step < 2 * t.side - 1; ++step) {
        unsigned const c = step - threadIdx.x + 1;
        if (step >= threadIdx.x && c <= t.side) {
            std::uint64_t const j = std::uint64_t{tj} * t.side + c;
            Score const score = t.scores[t.query[i - 1] * t.target_letters + t.target[j - 1]];
            t.at(tile, north, r, c) = t.affine.gap(t.h(tile, r - 1, c), t.at(tile, north, r - 1, c));
            t.at(tile, west, r, c) = t.affine.gap(t.h(tile, r, c - 1), t.at(tile, west, r, c - 1));
            t.at(tile, north_west, r, c) = larger(t.h(tile, r - 1, c - 1) + score, t.affine.floor);
            if (i <= t.m && j <= t.n)
                best.consider(t.h(tile, r, c), static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j));
        }
        __syncthreads();
    }

    bests[threadIdx.x] = best;
    copy(t.tile(ti, tj), tile, 3 * t.state_size());
    for (unsigned state = 0; state < 3; ++state) {
        if (ti + 1 < t.grid.down)
            for (unsigned c = threadIdx.x; c <= t.side; c += blockDim.x)
                t.at(t.tile(ti + 1, tj), state, 0, c) = t.at(tile, state, t.side, c);
        // Its corner is the business of the tile above it, if there is one.
        if (tj + 1 < t.grid.across)
            t.at(t.tile(ti, tj + 1), state, r, 0) = t.at(tile, state, r, t.side);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        for (unsigned k = 1; k < t.side; ++k)
            best.consider(bests[k]);
        t.best[std::uint64_t{ti} * t.grid.across + tj] = best;
    }
}

} // namespace swat_tiled_kernels

PairResult swat_tiled(GpuTask const & task)
{
    using namespace swat_tiled_kernels;
    PairView const & pair = task.task.pair;
    auto const side = static_cast<unsigned>(task.value("tile"));
    TileGrid const grid{static_cast<std::uint32_t>(ceil_div(pair.m, side)),
                        static_cast<std::uint32_t>(ceil_div(pair.n, side))};
    std::uint64_t const scores = grid.tiles() * 3 * (side + 1) * (side + 1);
    DeviceArray<Score> const cells{task.device, scores};
    DeviceArray<Best> const bests{task.device, grid.tiles()};
    clear(task.device, cells); // tiles are copied before they are computed
    Tiles t{task.query, task.target, task.scores, task.target_letters, affine_of(task.task), pair.m,
            pair.n,     grid,        side,        cells.data(),        bests.data()};
    std::size_t const shared = 3 * t.state_size() * sizeof(Score) + side * sizeof(Best);
    std::uint64_t const longest = std::uint64_t{std::max(grid.down, grid.across)} * (side + 1);
    launch(task.device, borders, {ceil_div(longest, 256), 256}, t);
    for (std::uint32_t d = 0; d < grid.diagonals(); ++d)
        launch(task.device, tiles_of_diagonal, {grid.on(d), side, shared}, t, d);

    std::vector<Best> found(grid.tiles());
    task.device.download(found.data(), bests.data(), bests.bytes());
    Best best;
    for (Best const & of_tile : found)
        best.consider(of_tile);
    // All of it for a path, else the last tile.
    std::uint64_t const first = task.task.traced() ? 0 : scores - 3 * t.state_size();
    auto const host = std::make_unique_for_overwrite<Score[]>(scores - first);
    task.device.download(host.get(), cells.data() + first, (scores - first) * sizeof(Score));
    t.cells = host.get() - first;
    auto const in_tile = [&](std::uint64_t i, std::uint64_t j, auto const & what) {
        std::uint64_t const ti = i == 0 ? 0 : (i - 1) / side, tj = j == 0 ? 0 : (j - 1) / side;
        return what(t.tile(ti, tj), static_cast<unsigned>(i - ti * side), static_cast<unsigned>(j - tj * side));
    };
    auto const h = [&](std::uint64_t i, std::uint64_t j) {
        return in_tile(i, j, [&](Score * tile, unsigned r, unsigned c) { return t.h(tile, r, c); });
    };
    auto const e = [&](std::uint64_t i, std::uint64_t j) {
        return in_tile(i, j, [&](Score * tile, unsigned r, unsigned c) { return t.at(tile, west, r, c); });
    };
    auto const f = [&](std::uint64_t i, std::uint64_t j) {
        return in_tile(i, j, [&](Score * tile, unsigned r, unsigned c) { return t.at(tile, north, r, c); });
    };
    PairResult result = affine_end(task.task, h(pair.m, pair.n), best);
    if (task.task.traced())
        trace_plain(task.task, AffineBits<decltype(h), decltype(e), decltype(f)>{h, e, f, pair, task.task.scoring},
                    result);
    return result;
}

} // namespace nwgpu::published
