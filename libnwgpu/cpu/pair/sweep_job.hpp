// SPDX-License-Identifier: BSD-3-Clause
// What a sweep is given, what it leaves behind, and what it knows of each strip meanwhile.
#pragma once

#include <atomic>
#include <cstdint>

#include "backend/monitor.hpp"
#include "cpu/pair/extent.hpp"
#include "cpu/pair/field.hpp"
#include "cpu/pair/grid.hpp"
#include "cpu/pair/pair_plan.hpp"
#include "cpu/pair/region_trace.hpp"
#include "cpu/pair/skipping.hpp"

namespace nwgpu::cpu {

template <class Field>
struct SweepJob {
    using Cell = typename Field::Cell;
    PairView pair;
    Region region;
    Extent extent;                // a band only with DiffField, what a sweep has left only with ScoreField
    BoundaryView<Cell> top, left; // of the region; replaced by its bottom and right boundary
    std::int64_t corner = 0;      // H at the region's upper left corner
    // A panel of the region, without a band: its columns from begin on are computed, those before are done, as left,
    // corner, keep and best say.
    std::uint64_t panel_begin = 0, panel_end = UINT64_MAX;
    int threads = 1;
    std::uint64_t tile_cols = UINT64_MAX;
    std::uint64_t tile_cols_alone = UINT64_MAX; // of several threads, while one has come: nobody waits for it
    Grid * keep = nullptr;                      // sized by the caller
    RegionTrace * trace = nullptr;              // laid out by plan_trace(); tiles are its parts then
    Monitor * monitor = nullptr;                // never null
    TileBest best;                              // out, ScoreField
    TileBest * part_bests = nullptr;            // out, [strips][col_cuts of `keep`], where wanted
    Skipping * skipping = nullptr; // of a whole local matrix of which nothing is kept: cells may be skipped
    std::int64_t end_score =
        0; // out, banded DiffField: H at the region's lower right corner, relative to the upper left

    // Threads and tiles.
    void use(PairPlan const & plan)
    {
        threads = plan.threads;
        tile_cols = plan.tile_cols;
        tile_cols_alone = plan.tile_cols_alone;
    }
};

// A strip while it is computed: on a line of the cache of its own, as neighbours are computed by other threads.
struct alignas(64) StripState {
    std::atomic<std::uint64_t> done{0};  // columns before it are finished
    std::int64_t corner = 0;             // H above the strip, at the left of what is not computed yet
    std::int64_t corner_step = 0;        // banded: from the strip above's lower left corner to this one's
    std::int64_t below = 0;              // H at the lower left corner, where that is an edge of the extent
    std::atomic<std::uint64_t> first{0}; // of strips that may skip columns: the first that was computed
    TileBest best;
};
static_assert(sizeof(StripState) == 128);

} // namespace nwgpu::cpu
