// SPDX-License-Identifier: BSD-3-Clause
// How one pair is computed: pure decisions from lengths, scheme, device and limits, without a device.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/ceil_div.hpp"
#include "cuda/kernels/kernels.hpp"
#include "cuda/options.hpp"
#include "model/mode.hpp"
#include "path/cuts.hpp"

namespace nwgpu::cuda {

struct PairFacts;

// What sweeps cost on a chip, the one value that is fitted to it (nwgpu_gpu_benchmark --calibrate); nwgpu_gpu_sizes
// prints it.  Other chips have it multiplied by device_speed().
struct Chip {
    char const * name;
    // Seconds of one step of a packed kernel, and in each step those of a half's row and of each warp that shares a
    // scheduler; the latter are `uncached` times as many where the loop leaves the nearest instruction cache.
    double step, global_affine, global_linear, local_affine, local_linear;
    int cached_rows;
    double uncached;
    struct PlainStep { // of a plain kernel: of one warp alone, of each that shares a scheduler
        double alone, each;
    };
    PlainStep narrow, wide;        // 32 and 64 bits
    double lag_steps, slack_share; // by which a strip follows the one above; of the steps, that slack may cost
    double begin;                  // seconds until a strip knows where it begins, where the ones above have to tell it

    double step_seconds(int rows_per_half, PairFacts const & pair, double sharers) const;
};
constexpr Chip hopper{
    .name = "H200",
    .step = 57e-9,
    .global_affine = 4.75e-9,
    .global_linear = 3.2e-9,
    .local_affine = 6.2e-9,
    .local_linear = 4.2e-9,
    .cached_rows = 40,
    .uncached = 1.1,
    .narrow = {110e-9, 80e-9},
    .wide = {200e-9, 200e-9},
    .lag_steps = 220,
    .slack_share = 0.02,
    .begin = 30e-6,
};

struct DeviceFacts {
    int multiprocessors = 0;
    std::uint64_t shared_bytes = 0, shared_bytes_per_block = 0; // of a multiprocessor, of a block
    std::uint64_t budget = 0;                                   // bytes of device memory
    std::uint64_t host_budget = UINT64_MAX;                     // bytes that kept boundaries may take
    Chip chip = hopper;
    std::span<int const> rows_per_half = packed_rows; // of the packed kernels that there are
};

struct PairFacts {
    std::uint64_t m = 0, n = 0; // both >= 1
    std::uint32_t letters = 0;  // of the target
    int most_rows_per_half = 0; // most_packed_rows()
    bool wide = false;          // 64-bit scores
    bool linear = false, path = false;
    Mode mode;
    path::Band band; // of the matrix
    // Of a share of a pair's rows: its parts, 0 for a whole pair; rows between them, whose letters and left boundary
    // are there, too; and what strips must divide, as each part ends where a strip does (0: nothing).
    std::uint64_t parts = 0, rows_between = 0, unit_rows = 0;
    // Of the matrix, where a share's kept boundaries are saved beside those of other rows: tiles are as high as is
    // usual for it, and divide the parts (0: they are not saved).
    std::uint64_t saved_rows = 0;
    // That some alignment has (0: none is known), and the columns in which a strip can still reach it, on the average
    // (0: all of them).
    std::int64_t known_score = 0;
    double columns_in_reach = 0;
    Tuning tuning;

    // Columns that a strip of the matrix computes.
    double strip_columns(std::uint64_t strip_rows) const
    {
        double const band_width =
            columns_in_reach > 0 ? columns_in_reach : static_cast<double>(band.high) - static_cast<double>(band.low);
        return std::min(static_cast<double>(n), band_width + static_cast<double>(strip_rows));
    }
};

// Rows a strip and warps of one sweep.
struct SweepPlan {
    int rows_per_half = 0; // of a lane; 0: plain kernel
    int warps_per_multiprocessor = 0;
    std::uint32_t slack = steps_at_once; // SweepArgs::slack
    std::uint64_t strip_rows = 0;
    double seconds = 0;
    bool alone = false; // strips wait for those above, rather than for warps: more devices would not make it quicker
    bool skip = false;  // SkipArgs
};

// A level of the path: tiles of this size, of which a sweep with this plan keeps boundaries; the last level is traced.
struct Level {
    std::uint64_t tile_rows = 0, tile_cols = 0;
    SweepPlan sweep;                 // of the tiles of this level
    std::uint64_t tiles_at_once = 0; // or more of them that are smaller, as long as they do not take more memory
};

// Where the kept boundaries of the whole matrix are.  Those that leave the device do so slab by slab.
enum class KeptIn { device = 0, host = 1, files = 2 };

struct PairPlan {
    SweepPlan sweep;              // of the whole matrix; unused if traced
    bool traced = false;          // all trace bits at once
    std::int64_t known_score = 0; // of PairFacts, for a sweep that skips cells
    std::vector<Level> levels;    // of the path
    path::Band band;
    std::uint64_t bytes = 0; // upper bound of device memory
    double seconds = 0;
    std::string text;
    KeptIn kept_in = KeptIn::device;
    std::uint64_t slab_rows = 0;  // if not on the device
    std::uint64_t host_bytes = 0; // of kept boundaries
};

// Bytes of an entry of a boundary.
std::uint64_t kept_entry(PairFacts const & pair);
// Device memory of a tile that is cut into `parts`, or traced.
std::uint64_t cut_bytes(std::uint64_t rows, std::uint64_t cols, Level const & parts, path::BandPart const & part,
                        std::uint64_t entry);
std::uint64_t trace_bytes(std::uint64_t rows, std::uint64_t cols, std::uint64_t entry);

// What a sweep of `count` jobs of rows x cols costs at its best, with strips not much higher than asked for.
SweepPlan plan_sweep(std::uint64_t rows, std::uint64_t cols, std::uint64_t count, PairFacts const & pair,
                     DeviceFacts const & device, std::uint64_t most_strip_rows);
// Rows between two checkpoints that are about so many seconds apart, or less where memory is scarce: whole rounds of
// strips.
std::uint64_t checkpoint_rows(PairPlan const & plan, PairFacts const & pair, DeviceFacts const & device,
                              double seconds);
// Throws Error memory_limit when no plan stays within the budgets.
PairPlan plan_pair(PairFacts const & pair, DeviceFacts const & device);

} // namespace nwgpu::cuda
