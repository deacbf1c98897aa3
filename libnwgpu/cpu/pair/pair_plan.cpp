// SPDX-License-Identifier: BSD-3-Clause
#include "cpu/pair/pair_plan.hpp"

#include <algorithm>
#include <cmath>

#include "base/ceil_div.hpp"
#include "base/error.hpp"
#include "checkpoint/swept_matrix.hpp"
#include "cpu/pair/align_antidiagonals.hpp"
#include "cpu/pair/antidiagonals_plan.hpp"
#include "cpu/pair/field.hpp"
#include "cpu/pair/pair_memory.hpp"
#include "cpu/pair/scan_plan.hpp"
#include "cpu/pair/similar_part.hpp"
#include "cpu/pair/skipping.hpp"
#include "cpu/pair/small_codes.hpp"
#include "cpu/pair/sweep.hpp"
#include "cpu/pair/with_field.hpp"
#include "cpu/pair/word_band.hpp"
#include "path/common_words.hpp"
#include "path/kept.hpp"
#include "path/most_runs.hpp"

namespace nwgpu::cpu {

namespace {

constexpr std::uint64_t default_trace_bytes = 4 << 20; // about what the caches hold
// Cuts of the matrix, each way; fewer where entries are long, so that all cuts have this many bytes per letter.
constexpr std::uint64_t most_cuts = 64, cuts_bytes = 256;
constexpr std::uint64_t most_path_cuts = 32;       // of a block
constexpr std::uint64_t top_trace_bytes = 1 << 17; // several alignments: beside used cells it is computed cell by cell
// Of a tile that another engine has swept; its blocks are wide, since most tiles are opened for one alignment.  What
// open tiles may take where there is no limit, if the kept boundaries take less; what any tile takes.
constexpr std::uint64_t tile_cuts = 32, narrowest_tile_block = 512, least_open_bytes = std::uint64_t{1} << 30,
                        tile_bytes = 96;
constexpr std::uint64_t tile_cols_alone = 8192;      // few enough columns for a thread that comes to wait for
constexpr std::uint64_t blocks_ahead_per_thread = 2; // of the path
constexpr std::uint64_t bytes_of_thread = 8192;      // small objects
constexpr std::uint64_t trace_alignment = 64;
// Shorter pairs are computed before a score is known, which one thread looks for.
constexpr std::uint64_t skip_from = 4096, skip_from_per_thread = 2048;
constexpr std::uint64_t band_from = 1024; // shorter pairs are not tried; align_strips.cpp also weighs the probe itself

// Field, width and tiles; all but the memory.
PairPlan plan_field(std::uint64_t n, Scheme const & scheme, KernelTable const & kernels, Request const & request,
                    int threads, Tuning const & tuning)
{
    Mode const & mode = request.mode;
    PairPlan plan;
    bool const best = mode.may_be_empty(); // or the floor of 0: scores, not differences
    bool const fits8 = best ? scheme.fits_local(kernels.lanes) : scheme.fits_diff();
    int const proven = scheme.score_width(kernels.lanes);
    bool const narrow = tuning.score_width == 0 ? fits8 : tuning.score_width == 8;
    if (narrow ? !fits8 : tuning.score_width != 0 && tuning.score_width < proven)
        throw Error{Status::invalid_argument, "the forced score width is not proven for this scoring scheme and mode"};
    plan.width = narrow ? 8 : std::max(proven, tuning.score_width);
    bool const diff = narrow && !best;
    plan.kind = diff ? FieldKind::diff : FieldKind::score;
    plan.threads = threads;
    plan.most_slabs = tuning.most_slabs;
    plan.max_trace_bytes = tuning.max_trace_bytes > 0 ? tuning.max_trace_bytes : default_trace_bytes;
    if (request.top > 1)
        plan.max_trace_bytes = std::min(plan.max_trace_bytes, top_trace_bytes);
    with_field(plan, scheme, kernels, mode, [&](auto const & field) {
        plan.slab_rows = tuning.slab_strips * field.strip_rows();
        plan.cuts = std::min(most_cuts, cuts_bytes / field.kept_code().bytes);
        // Tiles short enough for progress and cancellation, and enough of them for all threads.
        plan.tile_cols = std::uint64_t{1} << 16;
        if (threads > 1)
            plan.tile_cols =
                std::min(plan.tile_cols, std::max<std::uint64_t>(16 * static_cast<std::uint64_t>(field.lanes()),
                                                                 n / (8 * static_cast<std::uint64_t>(threads))));
        plan.tile_cols_alone = std::max(plan.tile_cols, tile_cols_alone);
        auto const lanes = static_cast<std::uint64_t>(field.lanes());
        plan.skip_cols = std::min(field.max_tile_cols(), std::clamp(n / 512, 8 * lanes, 64 * lanes));
        if (tuning.tile_cols > 0) {
            plan.tile_cols = plan.tile_cols_alone = tuning.tile_cols;
            plan.skip_cols = std::min(field.max_tile_cols(), tuning.tile_cols);
        }
    });
    return plan;
}

Error too_large(std::uint64_t m, std::uint64_t n, std::uint64_t bytes, std::uint64_t limit)
{
    return {Status::memory_limit, "a pair of " + std::to_string(m) + " x " + std::to_string(n) + " letters needs " +
                                      std::to_string(bytes) + " bytes, the limit is " + std::to_string(limit)};
}

// Whether strips also keep diagonals, so that only the tiles where the path has gaps are computed again; measured.
bool pays_for_diagonals(std::uint64_t m, std::uint64_t n, Scheme const & scheme)
{
    std::uint64_t const most = std::uint64_t{1} << (scheme.scoring().is_uniform() ? 18 : 22);
    return m * n <= most && m <= 4 * n + 64 && n <= 4 * m + 64;
}

// A letter takes as long to number as the lookup saves in some hundred cells.
bool pays_for_small_codes(std::uint64_t m, std::uint64_t n, Scheme const & scheme)
{
    return scheme.scoring().is_uniform() && !scheme.small_codes() && std::min(m, n) >= 1000;
}

template <class Field>
bool fits_with_diagonals(Field field, Lengths const & pair)
{
    field.use_diagonals();
    return trace_bytes(field, pair.rows, pair.cols) <= static_cast<double>(default_trace_bytes);
}

// For an end that may be anywhere, too, the way goes back to where it was found.
bool needs_path(Request const & request)
{
    return request.top > 1 || request.output >= Output::span ||
           (request.mode.ends_anywhere() && request.output == Output::end);
}

// Of the grid of the first sweep.
template <class Field>
Lengths largest_block(Field const & field, PairPlan const & plan, Lengths const & pair)
{
    if (!plan.try_band) {
        auto const at_once = static_cast<std::uint64_t>(std::max(1, plan.strips_scan));
        return PairMemory{field, plan, false}.block(pair, plan.cuts, narrowest_block(field), at_once);
    }
    // That of a band has as many lines of its own, or more.
    std::uint64_t const narrowest = 4 * narrowest_block(field),
                        cuts = std::min({plan.cuts, ceil_div(pair.rows, field.strip_rows()),
                                         ceil_div(pair.cols, narrowest_block(field))});
    return {std::min(pair.rows, ceil_div(pair.rows, cuts) + field.strip_rows()),
            std::min(pair.cols, std::max(narrowest, ceil_div(pair.cols, cuts)))};
}

// What align_one() allocates with this field.  `profile`: of a thread of the first sweep; `grid`: what that may keep.
template <class Field>
std::uint64_t pair_bytes(Field const & field, PairPlan const & plan, Lengths const & pair, Request const & request,
                         std::uint64_t profile, Grid::Size const & grid)
{
    PairMemory const memory{field, plan, false};
    std::uint64_t const sweep = memory.sweep(pair, profile);
    if (!needs_path(request))
        return sweep;
    bool const walks = request.output >= Output::span;
    std::uint64_t const cigar = walks ? CigarBuilder::bytes(path::most_runs(pair.rows, pair.cols, false)) : 0;
    std::uint64_t trace = std::max(plan.max_trace_bytes, memory.least_trace());
    if (plan.keep_grid) {
        return grid.all + std::max(sweep, allocated(trace + trace_alignment) +
                                              memory.walk(largest_block(field, plan, pair)) + cigar);
    }
    // All bits in one sweep; or the boundaries of all strips, if bits have to wait for an end that may be anywhere, or
    // those of a band do not fit.
    trace = allocated(std::min(trace, static_cast<std::uint64_t>(memory.trace(pair))) + trace_alignment);
    std::uint64_t const at_once = trace + memory.trace_layout(pair) + std::max(sweep, cigar);
    if (!plan.try_band && (!request.mode.ends_anywhere() || (walks && keeps_lanes(field))))
        return at_once;
    std::uint64_t const lines =
        Grid::size(field.kept_code(), ceil_div(pair.rows, field.strip_rows()), 1, pair.rows, pair.cols).all;
    Lengths const strip{std::min(pair.rows, field.strip_rows()), pair.cols};
    return std::max(at_once, lines + std::max(sweep, trace + memory.walk(strip) + cigar));
}

// What align_slabs.cpp has beyond that: the boundaries from which it goes on, twice, and slabs, which are written while
// the next one is made, or read; no two of them have the same rows.
template <class Field>
std::uint64_t slab_bytes(Field const & field, PairPlan const & plan, Lengths const & pair, Scoring const & scoring)
{
    auto const [m, n] = pair;
    std::uint64_t const entry =
        path::keeps_in_32_bits(scoring, m, n) ? sizeof(path::Kept<std::int32_t>) : sizeof(path::Kept<std::int64_t>);
    std::uint64_t const starts = sizeof(checkpoint::Entry) * (2 * (m + n) + m);
    std::uint64_t const rows = std::min(plan.cuts, ceil_div(m, field.strip_rows())),
                        cols = std::min(plan.cuts, ceil_div(n, narrowest_block(field)));
    std::uint64_t const slabs = entry * (n * ((plan.keep_grid ? rows : 0) + 3) + m * (plan.keep_grid ? cols : 0));
    return allocated(starts + slabs, 16) + PairMemory<Field>::borders({m, n});
}

// The same of several alignments; further ones may take PairPlan::spare_bytes.
template <class Field>
std::uint64_t top_bytes(Field const & field, PairPlan const & plan, Lengths const & pair)
{
    PairMemory const memory{field, plan, true};
    Lengths const block = memory.block(pair, plan.cuts, plan.block_cols);
    std::uint64_t const trace = allocated(std::max(plan.max_trace_bytes, memory.least_trace()) + trace_alignment);
    return memory.top_region(pair) + std::max(memory.make_top_region(pair),
                                              trace + std::max(memory.walk(block), memory.update_top_region(pair)) +
                                                  CigarBuilder::bytes(path::most_runs(pair.rows, pair.cols, false)));
}

// The same of all that align_one() may try.
template <class Field>
std::uint64_t all_bytes(Field field, PairPlan & plan, Lengths const & pair, Scoring const & scoring,
                        Request const & request)
{
    if (pair.rows == 0 || pair.cols == 0)
        return CigarBuilder::bytes(1);
    if (request.top > 1)
        return top_bytes(field, plan, pair);
    Field scanning = field;
    scanning.use_scan(plan.strips_scan);
    Grid::Size const grid = PairMemory{field, plan, false}.grid(pair, plan.cuts, narrowest_block(field));
    plan.line_bytes = grid.lines;
    if (plan.keep_diagonals || plan.try_band)
        field.use_diagonals();
    std::uint64_t bytes = pair_bytes(field, plan, pair, request, scanning.profile_size(), grid);
    if (!request.checkpoint.folder.empty())
        return bytes + slab_bytes(field, plan, pair, scoring);
    if constexpr (Field::relative)
        for (bool const high : {true, false})
            if (plan.try_band) {
                field.fit_band(0, high, 1);
                bytes = std::max(bytes, pair_bytes(field, plan, pair, request, field.profile_size(), grid));
            }
    return bytes;
}

// Furthest-reaching points may take what the other way takes, or a little.
void add_furthest(PairPlan & plan, std::uint64_t m, std::uint64_t n, Scheme const & scheme, KernelTable const & kernels,
                  Request const & request, std::uint64_t max_bytes, Tuning const & tuning)
{
    std::uint64_t const fixed = Scheme::bytes(scheme.scoring()) + bytes_of_thread +
                                (needs_path(request) ? CigarBuilder::bytes(path::most_runs(m, n, false)) : 0);
    std::uint64_t most = std::max(plan.bytes, fixed + little_bytes);
    if (max_bytes > 0)
        most = std::min(most, max_bytes);
    if (most <= fixed)
        return;
    plan.furthest = plan_furthest_within(most - fixed, m, n, Penalties::of(scheme.scoring()), kernels, request,
                                         plan.threads, tuning);
    if (plan.furthest.tried)
        plan.bytes = std::max(plan.bytes, fixed + plan.furthest.bytes);
}

// Where memory has no limit.
void add_blocks_ahead(PairPlan & plan, Lengths const & pair, Scheme const & scheme, KernelTable const & kernels,
                      Mode const & mode)
{
    plan.blocks_ahead = blocks_ahead_per_thread * static_cast<std::uint64_t>(plan.threads);
    with_field(plan, scheme, kernels, mode, [&](auto field) {
        if (plan.keep_diagonals || plan.try_band)
            field.use_diagonals();
        Lengths const block = largest_block(field, plan, pair);
        plan.bytes += plan.blocks_ahead * PairMemory{field, plan, false}.traced_block(block, trace_alignment);
    });
}

} // namespace

PairPlan plan_pair(std::uint64_t m, std::uint64_t n, Scheme const & scheme, KernelTable const & kernels,
                   Request const & request, int threads, std::uint64_t max_bytes, Tuning const & tuning, bool is_share)
{
    Mode const & mode = request.mode;
    if (needs_antidiagonals(mode))
        return plan_antidiagonals(m, n, scheme.scoring(), request, max_bytes, tuning);
    PairPlan plan = plan_field(n, scheme, kernels, request, threads, tuning);
    bool const diff = plan.kind == FieldKind::diff, many = request.top > 1, needs_path = cpu::needs_path(request);
    plan.try_band = diff && mode.global() && !request.every_cell && !is_share && tuning.band >= 0 &&
                    (tuning.band > 0 || std::min(m, n) >= band_from);
    plan.force_band = tuning.band > 0;
    bool const one_free =
        (mode.free_query_begin || mode.free_query_end) != (mode.free_target_begin || mode.free_target_end);
    plan.may_skip = (diff ? one_free : mode.local) && !many && !request.every_cell && !is_share &&
                    request.checkpoint.folder.empty() && max_bytes == 0 && tuning.skip >= 0 && tuning.scan == 0 &&
                    (tuning.skip > 0 ||
                     std::min(m, n) >= std::max(skip_from, skip_from_per_thread * static_cast<std::uint64_t>(threads)));
    plan.force_skip = tuning.skip > 0;
    plan.number_letters =
        plan.width == 8 && !many && request.checkpoint.folder.empty() && pays_for_small_codes(m, n, scheme);
    std::uint64_t const fixed_bytes = Scheme::bytes(scheme.scoring()) +
                                      static_cast<std::uint64_t>(threads) * bytes_of_thread +
                                      (plan.number_letters ? allocated(SmallCodes::bytes(m, n)) : 0);
    double const cells = static_cast<double>(m) * static_cast<double>(n);
    bool may_scan = (mode.begins_anywhere() || diff) && !many && request.checkpoint.folder.empty() &&
                    (tuning.score_width == 0 || tuning.scan > 0);

    with_field(plan, scheme, kernels, mode, [&](auto const & field) {
        PairMemory const memory{field, plan, many};
        std::uint64_t const least_trace = memory.least_trace();
        double const all_trace = cells == 0 ? 0 : memory.can_trace(n) ? memory.trace({m, n}) : HUGE_VAL;
        if (many)
            plan.block_cols = std::min(narrowest_block(field), narrowest_masked_block);
        auto const lay_out = [&] {
            // A trace is made by one thread.
            plan.keep_grid =
                cells > 0 && (many || (needs_path && (is_share || threads > 1 ||
                                                      all_trace > static_cast<double>(plan.max_trace_bytes))));
            plan.strips_scan = may_scan && (plan.keep_grid || !needs_path)
                                   ? choose_scan(m, scheme, field.strip_rows(), kernels.lanes, threads, diff,
                                                 plan.keep_grid, tuning.scan)
                                   : 0;
            plan.path_cuts = std::min(plan.cuts, most_path_cuts);
            plan.keep_diagonals = needs_path && !many && cells > 0 && plan.width == 8 &&
                                  plan.max_trace_bytes == default_trace_bytes && pays_for_diagonals(m, n, scheme) &&
                                  fits_with_diagonals(field, {m, n});
            plan.bytes = fixed_bytes + all_bytes(field, plan, {m, n}, scheme.scoring(), request);
            return max_bytes == 0 || plan.bytes <= max_bytes;
        };
        // With less memory: no scan, fewer trace bits at a time, then fewer kept boundaries.
        std::uint64_t least = UINT64_MAX; // blocks of very few cuts need more again
        while (!lay_out() &&
               (plan.strips_scan > 0 || (needs_path && (plan.max_trace_bytes > least_trace || plan.cuts > 2)))) {
            least = std::min(least, plan.bytes);
            if (plan.strips_scan > 0)
                may_scan = false;
            else if (plan.max_trace_bytes > least_trace)
                plan.max_trace_bytes /= 2;
            else
                plan.cuts /= 2;
        }
        if (max_bytes > 0 && plan.bytes > max_bytes)
            throw too_large(m, n, std::min(least, plan.bytes), max_bytes);
        if (many) // some blocks again for each alignment
            plan.work = std::min(cells, 4.0 * static_cast<double>(std::max(field.strip_rows(), m / plan.cuts)) *
                                            static_cast<double>(std::max(plan.block_cols, n / plan.cuts))) *
                        request.top;
    });
    if (!is_share && may_try_furthest(scheme.scoring(), request, tuning))
        add_furthest(plan, m, n, scheme, kernels, request, max_bytes, tuning);
    if (plan.may_skip)
        plan.bytes += Skipping::bytes(m, n) + similar_part_bytes(m, n);
    if (max_bytes == 0 && (plan.may_skip || plan.try_band))
        plan.bytes += std::max(word_band_bytes(m, n), path::common_words_bytes(m, n));
    if (max_bytes > 0)
        plan.spare_bytes = max_bytes - plan.bytes;
    else if (threads > 1 && plan.keep_grid && !many && !is_share && request.checkpoint.folder.empty())
        add_blocks_ahead(plan, {m, n}, scheme, kernels, mode);
    plan.work += cells * (plan.keep_grid         ? 1 + 1.5 / static_cast<double>(plan.cuts)
                          : !needs_path          ? 1
                          : plan.width == 8      ? 1.2
                          : mode.ends_anywhere() ? 2.5
                                                 : 1.6);
    return plan;
}

std::string describe(PairPlan const & plan, std::uint64_t m, std::uint64_t n, Request const & request)
{
    if (plan.kind == FieldKind::antidiagonals)
        return describe_antidiagonals(plan, m, n, request);
    return (plan.strips_scan > 0
                ? "8-bit scores by a scan"
                : std::to_string(plan.width) + "-bit " + (plan.kind == FieldKind::diff ? "differences" : "scores")) +
           (!needs_path(request) ? ", score only"
            : plan.keep_grid     ? ", boundaries kept on a grid of " + std::to_string(plan.cuts)
                                 : ", full trace") +
           (request.top > 1 ? ", the best " + std::to_string(request.top) : "") +
           (plan.try_band ? ", proven band if similar" : "") + (plan.may_skip ? ", cells skipped if similar" : "") +
           (plan.furthest.tried ? ", furthest-reaching points if very similar" : "");
}

PairPlan plan_swept(checkpoint::SlabShape const & shape, Scheme const & scheme, KernelTable const & kernels,
                    Request const & request, int threads, std::uint64_t max_bytes, Tuning const & tuning)
{
    std::uint64_t const m = shape.rows, n = shape.cols;
    std::uint64_t const rows = std::min(shape.tile_rows, m), cols = std::min(shape.tile_cols, n);
    PairPlan plan = plan_field(n, scheme, kernels, request, threads, tuning);
    plan.keep_grid = true;
    plan.cuts = plan.path_cuts = tile_cuts;
    plan.block_cols = tuning.block_cols > 0 ? tuning.block_cols : narrowest_tile_block;
    std::uint64_t const tiles = checkpoint::tiles_of(shape), kept = checkpoint::kept_bytes(shape);
    ScoreField const field{scheme, kernels, true, plan.width};
    PairMemory const memory{field, plan, true};
    Lengths const tile{rows, cols};
    Lengths const block = memory.block(tile, plan.cuts, plan.block_cols);
    // Beside the tiles that are open: the swept matrix, a tile's boundaries while it is opened, the first alignment.
    std::uint64_t const open = memory.top_region(tile);
    std::uint64_t const fixed =
        Scheme::bytes(scheme.scoring()) + static_cast<std::uint64_t>(threads) * bytes_of_thread + kept +
        tile_bytes * tiles + memory.borders(tile) + allocated(sizeof(checkpoint::Entry) * (rows + cols), 2) +
        std::max({memory.make_top_region(tile), memory.update_top_region(tile), memory.walk(block)}) +
        allocated(std::max(plan.max_trace_bytes, memory.least_trace()) + trace_alignment) +
        CigarBuilder::bytes(path::most_runs(m, n, false));
    if (max_bytes > 0 && fixed + open > max_bytes)
        throw too_large(m, n, fixed + open, max_bytes);
    std::uint64_t const for_open = max_bytes > 0 ? (max_bytes - fixed) / 2 : std::max(least_open_bytes, kept);
    plan.open_tiles = std::clamp<std::uint64_t>(for_open / open, 1, tiles);
    if (tuning.open_tiles > 0)
        plan.open_tiles = tuning.open_tiles;
    plan.bytes = fixed + plan.open_tiles * open;
    if (max_bytes > 0)
        plan.spare_bytes = max_bytes - std::min(max_bytes, plan.bytes);
    plan.work = static_cast<double>(rows) * static_cast<double>(cols) * request.top;
    return plan;
}

} // namespace nwgpu::cpu
