// SPDX-License-Identifier: BSD-3-Clause
#include "cuda/plan/top_plan.hpp"

#include <algorithm>

namespace nwgpu::cuda {

namespace {

// A tile is opened on the host as a whole: with more cuts that is less work, but more boundaries come from the device.
constexpr std::uint64_t first_cuts = 80, least_tile = 2048, narrowest_tile = 128;
constexpr std::uint64_t launch_bytes = 256 << 20; // of the working boundaries of one launch
constexpr double bytes_per_second = 4e9;          // from the device

// Of a launch: jobs, tickets, progress, best scores.
std::uint64_t launch_items(std::uint64_t jobs, std::uint64_t rows, std::uint64_t strip_rows)
{
    return jobs * (sizeof(SweepJob<std::int64_t>) + 40 * ceil_div(rows, strip_rows));
}

} // namespace

TopPlan plan_top(PairFacts const & pair, DeviceFacts const & device, HostCost const & host_cost)
{
    std::uint64_t const m = pair.m, n = pair.n, whole = std::max(m, n), entry = kept_entry(pair);
    for (std::uint64_t size = pair.tuning.top_tile ? pair.tuning.top_tile
                                                   : std::max(least_tile, ceil_div(whole, first_cuts));
         ; size *= 2) {
        TopPlan plan;
        plan.sweep = plan_sweep(m, n, 1, pair, device, std::min(size, m));
        plan.shape.rows = m;
        plan.shape.cols = n;
        plan.shape.strip_rows = plan.sweep.strip_rows;
        plan.shape.tile_rows = ceil_div(std::min(size, m), plan.sweep.strip_rows) * plan.sweep.strip_rows;
        plan.shape.tile_cols = std::max(narrowest_tile, std::min(size, n));
        plan.shape.entry_bytes = entry;
        std::uint64_t const tile_rows = ceil_div(m, plan.shape.tile_rows),
                            tile_cols = ceil_div(n, plan.shape.tile_cols);
        plan.rows_at_once = std::clamp<std::uint64_t>(launch_bytes / (entry * n), 1, tile_rows);
        std::uint64_t const at_once = plan.rows_at_once * tile_cols, rows = std::min(m, plan.shape.tile_rows);
        plan.tiles = plan_sweep(rows, std::min(n, plan.shape.tile_cols), at_once, pair, device, rows);
        // First and working boundaries, kept ones, those of the tiles of a launch.
        plan.bytes = entry * (2 * n + 2 * m + 64) + m + n + checkpoint::kept_bytes(plan.shape) + entry * n +
                     launch_items(1, m, plan.sweep.strip_rows) + entry * n * plan.rows_at_once +
                     launch_items(at_once, rows, plan.tiles.strip_rows);
        std::string why;
        if (plan.bytes > device.budget)
            why = std::to_string(plan.bytes) + " bytes of device memory, " + std::to_string(device.budget) +
                  " may be used";
        else
            try {
                auto const [bytes, seconds] = host_cost(plan.shape);
                plan.host_bytes = bytes;
                plan.seconds = seconds + plan.sweep.seconds +
                               static_cast<double>(ceil_div(tile_rows, plan.rows_at_once)) * plan.tiles.seconds +
                               static_cast<double>(checkpoint::kept_bytes(plan.shape)) / bytes_per_second;
            } catch (Error const & error) {
                if (error.status != Status::memory_limit)
                    throw;
                why = error.what();
            }
        if (why.empty()) {
            plan.text = std::string{plan.sweep.rows_per_half ? "16"
                                    : pair.wide              ? "64"
                                                             : "32"} +
                        "-bit scores, " + std::to_string(plan.sweep.strip_rows) + " rows a warp, tiles of " +
                        std::to_string(plan.shape.tile_rows) + " x " + std::to_string(plan.shape.tile_cols) +
                        ", in which the CPU finds the best alignments";
            return plan;
        }
        if (size >= whole)
            throw Error{Status::memory_limit, "the best alignments of a pair of " + std::to_string(m) + " x " +
                                                  std::to_string(n) + " letters need " + why};
    }
}

} // namespace nwgpu::cuda
