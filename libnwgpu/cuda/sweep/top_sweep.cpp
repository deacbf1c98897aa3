// SPDX-License-Identifier: BSD-3-Clause
#include "cuda/sweep/top_sweep.hpp"

#include <algorithm>

#include "cuda/device/pinned_copy.hpp"
#include "cuda/sweep/boundary_memory.hpp"
#include "cuda/sweep/path_finder.hpp"

namespace nwgpu::cuda {

namespace {

template <class S>
std::int64_t score_of(std::vector<StripBest<S>> const & best)
{
    return best.empty() ? 0 : best.front().score;
}

} // namespace

template <class S>
checkpoint::SweptMatrix sweep_top(Sweeper<S> const & sweeper, DevicePair const & pair, TopPlan const & plan,
                                  Monitor & monitor)
{
    Device & device = sweeper.device();
    checkpoint::SlabShape const & shape = plan.shape;
    std::uint64_t const m = pair.pair.m, n = pair.pair.n, tiles = checkpoint::tiles_of(shape);
    std::vector<SweepJob<S>> whole(1, whole_matrix<S>(pair, {}));
    Borders<S> const borders{device, whole, false, false};
    fill_borders(device, whole, true, true, sweeper.args().code);
    CutTile<S> const cut{
        device, {0, 0, m, n, whole[0].top, whole[0].left}, shape.tile_rows, shape.tile_cols, shape.strip_rows, {}};
    SweepJob<S> job = whole[0];
    cut.describe(job);
    std::vector<std::vector<StripBest<S>>> best;
    // Half of the cells that are reported are those of the tiles.
    sweeper.run(sweeper.kernel(plan.sweep.rows_per_half), {job}, plan.sweep, monitor, tiles > 1 ? m * n / 2 : m * n,
                tiles > 1 ? nullptr : &best);

    checkpoint::SweptMatrix matrix;
    matrix.slab.shape = shape;
    if (tiles == 1)
        matrix.bests.push_back(score_of(best[0]));
    std::uint64_t const rows_in_all = tiles > 1 ? ceil_div(m, shape.tile_rows) : 0;
    DeviceArray<Kept<S>> const work{device, rows_in_all > 0 ? plan.rows_at_once * n : 0};
    for (std::uint64_t row = 0; row < rows_in_all; row += plan.rows_at_once) {
        std::uint64_t const rows = std::min(plan.rows_at_once, rows_in_all - row);
        std::vector<SweepJob<S>> jobs;
        std::uint64_t cells = 0;
        for (std::uint64_t r = 0; r < rows; ++r)
            for (std::uint64_t col = 0; col < n; col += shape.tile_cols) {
                Tile<S> const tile = cut.part((row + r) * shape.tile_rows + 1, col + 1);
                SweepJob<S> & part = jobs.emplace_back(whole[0]);
                part.query += tile.row;
                part.target += tile.col;
                part.rows = static_cast<std::uint32_t>(tile.rows);
                part.cols = static_cast<std::uint32_t>(tile.cols);
                part.top = tile.top;
                part.left = tile.left;
                part.work = work.data() + r * n + col;
                cells += tile.rows * tile.cols;
            }
        sweeper.run(sweeper.kernel(plan.tiles.rows_per_half), std::move(jobs), plan.tiles, monitor, cells / 2, &best);
        std::transform(best.begin(), best.end(), std::back_inserter(matrix.bests), score_of<S>);
    }
    matrix.slab.row_cuts = fetch(device, cut.row_cuts().data(), cut.row_cuts().bytes(), monitor);
    matrix.slab.col_cuts = fetch(device, cut.col_cuts().data(), cut.col_cuts().bytes(), monitor);
    return matrix;
}

template checkpoint::SweptMatrix sweep_top(Sweeper<std::int32_t> const &, DevicePair const &, TopPlan const &,
                                           Monitor &);
template checkpoint::SweptMatrix sweep_top(Sweeper<std::int64_t> const &, DevicePair const &, TopPlan const &,
                                           Monitor &);

} // namespace nwgpu::cuda
