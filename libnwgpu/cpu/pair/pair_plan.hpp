// SPDX-License-Identifier: BSD-3-Clause
// How one pair is computed alone (not in a lane of a batch): pure decisions from lengths, scheme and limits.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "checkpoint/slab.hpp"
#include "cpu/furthest/furthest_plan.hpp"
#include "cpu/kernels/kernels.hpp"
#include "cpu/kernels/scheme.hpp"
#include "cpu/options.hpp"
#include "model/mode.hpp"
#include "path/band.hpp"

namespace nwgpu::cpu {

// Strips of differences, strips of scores, or antidiagonals (align_antidiagonals.hpp).
enum class FieldKind { diff, score, antidiagonals };

// Of several alignments per pair; narrower than others: what is computed cell by cell (top/masked_field.hpp) should be
// small.
constexpr std::uint64_t narrowest_masked_block = 128;

struct PairPlan {
    FieldKind kind = FieldKind::diff;
    int width = 8;
    int threads = 1;
    FurthestPlan furthest; // what is tried first
    bool try_band = false, force_band = false;
    bool may_skip = false, force_skip = false; // cells of a path with free ends, where a score is known
    std::int64_t known = 0;                    // that score, once it has been looked for; 0: none
    std::optional<path::Band> band;            // of all paths with that score, with free ends
    std::uint64_t skip_cols = 0;               // columns that are computed, or skipped, together
    bool keep_grid = false;                    // boundaries are kept for the path; else all trace bits fit
    std::uint64_t cuts = 0;                    // of the grid, each way; antidiagonals: kept antidiagonals
    std::uint64_t path_cuts = 0;               // of the grids of blocks
    std::uint64_t blocks_ahead = 0;            // of the path, that other threads sweep meanwhile
    std::uint64_t line_bytes = 0;              // of the grid's lines, at most: a band has more and shorter ones
    bool number_letters = false;               // as SmallCodes, if there are no more kinds
    bool keep_diagonals = false;               // 8-bit strips keep diagonals for the path
    std::uint64_t max_trace_bytes = 0;
    std::uint64_t tile_cols = UINT64_MAX;
    std::uint64_t tile_cols_alone = UINT64_MAX; // while other threads have not come
    std::uint64_t slab_rows = 0;                // between two checkpoints; 0: as time goes
    std::uint64_t most_slabs = 0;               // Tuning
    std::uint64_t bytes = 0;                // upper bound of what the pair needs beyond its letters, result included
    std::uint64_t spare_bytes = UINT64_MAX; // what several alignments a pair may take beyond `bytes`
    double work = 0;                        // cells, those computed twice included
    std::uint64_t block_cols = 0;           // several alignments: the narrowest blocks of the grid
    std::uint64_t open_tiles = 1;           // of a matrix that another engine has swept: so many are kept open
    int strips_scan = 0;                    // use_scan() of the field
};

// Throws Error memory_limit when no plan stays below max_bytes (0: no limit).  `is_share`: m of the pair's rows, with
// boundaries kept where a path is asked for (row_share.hpp).
PairPlan plan_pair(std::uint64_t m, std::uint64_t n, Scheme const & scheme, KernelTable const & kernels,
                   Request const & request, int threads, std::uint64_t max_bytes, Tuning const & tuning,
                   bool is_share = false);
// A plan of a pair, for people.
std::string describe(PairPlan const & plan, std::uint64_t m, std::uint64_t n, Request const & request);

// Of request.top alignments in a matrix that another engine has swept, in the tiles of `shape`.
PairPlan plan_swept(checkpoint::SlabShape const & shape, Scheme const & scheme, KernelTable const & kernels,
                    Request const & request, int threads, std::uint64_t max_bytes, Tuning const & tuning);

} // namespace nwgpu::cpu
