// SPDX-License-Identifier: BSD-3-Clause
// Paper A, 7: Gpu10, which the paper proposes and does not build.  The matrix is cut into super-tiles of side x side
// tiles.  The sweep keeps the headers of the tiles on the current diagonal, one row and one column of them for the
// whole matrix, and stores what lies on the borders of super-tiles.  On the way back the super-tile that the path is in
// is computed again from those, with the headers of all its tiles, and walked by Trace2-Sparse.
//
//     S---+---S---+---+      S: stored rows and columns.  Tiles are those of gpu8 (register_tile.cuh); the paper says
//     |   |   |   |          gpu7, which differs in where a tile lives
//     +---+---+---+---+
//     |   |   |   |
//     S---+---S---+---+
#pragma once

#include "published/parts/register_tile.cuh"

namespace nwgpu::published {

namespace gpu10 {

struct SuperTiles {
    Score * row_front; // [across][width + 1]: headers of the next tile of each column of tiles
    Score * col_front; // [down][33]
    Score * rows;      // [super-tiles down][across][width + 1]
    Score * cols;      // [super-tiles across][down][33]
    TileGrid grid;
    std::uint32_t side, width;

    constexpr std::uint64_t row_scores() const { return std::uint64_t{grid.across} * (width + 1); }
    constexpr std::uint64_t col_scores() const { return std::uint64_t{grid.down} * (register_rows + 1); }
    constexpr Score * row(std::uint32_t super, std::uint32_t tj) const
    {
        return rows + super * row_scores() + std::uint64_t{tj} * (width + 1);
    }
    constexpr Score * col(std::uint32_t super, std::uint32_t ti) const
    {
        return cols + super * col_scores() + std::uint64_t{ti} * (register_rows + 1);
    }
};

__global__ void border_fronts(LinearPair p, SuperTiles s)
{
    for (std::uint64_t k = thread_number(); k < s.row_scores(); k += thread_count())
        s.row_front[k] = p.border(k / (s.width + 1) * s.width + k % (s.width + 1));
    for (std::uint64_t k = thread_number(); k < s.col_scores(); k += thread_count())
        s.col_front[k] = p.border(k / (register_rows + 1) * register_rows + k % (register_rows + 1));
}

__device__ void copy(Score * to, Score const * from, unsigned n)
{
    for (unsigned k = threadIdx.x; k < n; k += blockDim.x)
        to[k] = from[k];
}

__global__ void fronts_of_diagonal(LinearPair p, SuperTiles s, std::uint32_t d)
{
    RegisterTile const tile{p, s.width, register_rows};
    std::uint32_t const ti = s.grid.first(d) + blockIdx.x, tj = d - ti;
    Score * const above = s.row_front + std::uint64_t{tj} * (s.width + 1);
    Score * const left = s.col_front + std::uint64_t{ti} * (register_rows + 1);
    tile.load(above, left);
    __syncthreads();
    if (ti % s.side == 0)
        copy(s.row(ti / s.side, tj), tile.row, s.width + 1);
    if (tj % s.side == 0)
        copy(s.col(tj / s.side, ti), tile.col, register_rows + 1);
    Score const corner_below = tile.col[register_rows], corner_right = tile.row[s.width];
    __syncthreads();
    compute_register_tile(p, tile, std::uint64_t{ti} * register_rows, std::uint64_t{tj} * s.width);
    tile.store(above, left, corner_below, corner_right);
}

// The headers of the first row and column of tiles of the super-tile that begins at tile (ti, tj).
__global__ void enter_super_tile(SuperTiles s, Headers headers, std::uint32_t ti, std::uint32_t tj)
{
    if (blockIdx.x < headers.grid.across)
        copy(headers.row(0, blockIdx.x), s.row(ti / s.side, tj + blockIdx.x), s.width + 1);
    if (blockIdx.x < headers.grid.down)
        copy(headers.col(blockIdx.x, 0), s.col(tj / s.side, ti + blockIdx.x), register_rows + 1);
}

// The headers of all tiles of the super-tile that tile (ti, tj) lies in, and the letters before it.
struct Inside {
    LinearPair pair;
    Headers headers;
    std::uint64_t row, col;

    Inside(LinearPair const & whole, SuperTiles const & s, std::uint32_t ti, std::uint32_t tj) : pair{whole}
    {
        std::uint32_t const top = ti / s.side * s.side, left = tj / s.side * s.side;
        row = std::uint64_t{top} * register_rows;
        col = std::uint64_t{left} * s.width;
        TileGrid const grid{std::min(s.side, s.grid.down - top), std::min(s.side, s.grid.across - left)};
        headers = {nullptr, nullptr, grid, register_rows, s.width};
        pair.query += row;
        pair.target += col;
        pair.rows = std::uint64_t{grid.down} * register_rows;
        pair.cols = std::uint64_t{grid.across} * s.width;
    }
};

PairResult walk_back(GpuTask const & task, LinearPair const & pair, SuperTiles const & s)
{
    SparseTrace trace{task.task};
    Score score = 0;
    bool first = true;
    while (first || (task.task.traced() && trace.cursor().i > 0 && trace.cursor().j > 0)) {
        auto const ti = static_cast<std::uint32_t>((trace.cursor().i - 1) / register_rows);
        auto const tj = static_cast<std::uint32_t>((trace.cursor().j - 1) / s.width);
        Inside inside{pair, s, ti, tj};
        DeviceHeaders const memory{task.device, inside.headers};
        TileGrid const & grid = inside.headers.grid;
        launch(task.device, enter_super_tile, {std::max(grid.down, grid.across), 64}, s, inside.headers,
               ti / s.side * s.side, tj / s.side * s.side);
        launch_register_tiles(task, inside.pair, inside.headers);
        HostHeaders const headers{task.device, inside.headers};
        if (first)
            score = trace.last_score(headers.get(), inside.row, inside.col);
        first = false;
        if (task.task.traced())
            trace.walk(headers.get(), inside.row, inside.col);
    }
    return trace.finish(score);
}

} // namespace gpu10

PairResult gpu10_mlsp_supertile(GpuTask const & task)
{
    using namespace gpu10;
    auto const width = static_cast<unsigned>(task.value("cols")), side = static_cast<unsigned>(task.value("side"));
    LinearPair const pair = linear_pair(task, register_rows, width);
    SuperTiles s{};
    s.grid = tile_grid(pair, register_rows, width);
    s.side = side;
    s.width = width;
    DeviceArray<Score> const row_front{task.device, s.row_scores()}, col_front{task.device, s.col_scores()};
    DeviceArray<Score> const rows{task.device, ceil_div(s.grid.down, side) * s.row_scores()};
    DeviceArray<Score> const cols{task.device, ceil_div(s.grid.across, side) * s.col_scores()};
    s.row_front = row_front.data();
    s.col_front = col_front.data();
    s.rows = rows.data();
    s.cols = cols.data();
    LaunchGraph graph{task.device};
    std::uint64_t const most = std::max(s.row_scores(), s.col_scores());
    launch(task.device, border_fronts, {ceil_div(most, 256), 256}, pair, s);
    for (std::uint32_t d = 0; d < s.grid.diagonals(); ++d)
        launch(task.device, fronts_of_diagonal,
               {s.grid.on(d), register_threads, RegisterTile::bytes(pair, width, register_rows)}, pair, s, d);
    graph.run();
    return walk_back(task, pair, s);
}

} // namespace nwgpu::published
