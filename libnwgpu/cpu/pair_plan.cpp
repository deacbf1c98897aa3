// SPDX-License-Identifier: BSD-3-Clause
#include "cpu/pair_plan.hpp"

#include <algorithm>
#include <cmath>

#include "base/ceil_div.hpp"
#include "base/error.hpp"
#include "checkpoint/swept.hpp"
#include "cpu/field.hpp"
#include "cpu/masked_field.hpp"
#include "cpu/small_codes.hpp"
#include "cpu/sweep.hpp"
#include "cpu/wave_pair.hpp"
#include "cpu/with_field.hpp"

namespace nwgpu::cpu {

namespace {

constexpr std::uint64_t default_trace_bytes = 4 << 20; // about what the caches hold
constexpr std::uint64_t first_cuts = 64;
// Of a tile that another engine has swept; its blocks are wide, since most tiles are opened for one alignment.  What
// open tiles may take where there is no limit, if the kept boundaries take less; what any tile takes.
constexpr std::uint64_t tile_cuts = 32, narrowest_tile_block = 512, least_open_bytes = std::uint64_t{1} << 30,
                        tile_bytes = 96;
// Beside its rows and columns: what a Sweep has for each strip, and the traced strips of a region; small objects.
constexpr std::uint64_t bytes_of_strip = 128, bytes_of_thread = 8192;
constexpr std::uint64_t band_from = 1024; // shorter pairs are not tried; pair.cpp also weighs the probe itself

struct Sizes {
    std::uint64_t cell = 0, kept = 0, strip_rows = 0, lanes = 0, max_cols = 0;
    std::uint64_t narrowest = 0;   // block, in columns
    std::uint64_t least_trace = 0; // bytes of the smallest block that is not cut further
    double all_trace = 0;          // bytes of the whole matrix's trace, if it is computed at once
    std::uint64_t at_once = 1;     // strips, in a sweep
    std::uint64_t sweep_cols = 0;  // as max_cols, of such a sweep
};

template <class Field>
Sizes sizes_of(Field const & field, std::uint64_t m, std::uint64_t n)
{
    Sizes size;
    size.cell = sizeof(typename Field::Cell);
    size.kept = sizeof(typename Field::Kept);
    size.strip_rows = field.strip_rows();
    size.lanes = static_cast<std::uint64_t>(field.lanes());
    size.max_cols = size.sweep_cols = field.max_cols();
    size.narrowest = narrowest_block(field);
    // With bits: several alignments always need them.
    size.least_trace =
        static_cast<std::uint64_t>(std::max(trace_bytes(field.traced(), size.strip_rows, size.narrowest),
                                            trace_bytes(path_field(field), size.strip_rows, size.narrowest)));
    if (m > 0 && n > 0)
        size.all_trace = keeps_lanes(field) || n <= size.max_cols ? trace_bytes(path_field(field), m, n) : HUGE_VAL;
    return size;
}

Sizes sizes(PairPlan const & plan, Scheme const & scheme, KernelTable const & kernels, bool local, std::uint64_t m,
            std::uint64_t n)
{
    return with_field(plan, scheme, kernels, local, [&](auto const & field) { return sizes_of(field, m, n); });
}

// Bytes of the grid that grid_shape() makes of `cuts`, of the one below it, and of the working boundaries.
std::uint64_t grid_bytes(std::uint64_t m, std::uint64_t n, std::uint64_t cuts, std::uint64_t narrowest,
                         Sizes const & size)
{
    std::uint64_t const strips = ceil_div(m, size.strip_rows);
    std::uint64_t const apart = strips_apart(strips, cuts, size.at_once);
    std::uint64_t const cols_apart = std::min({size.sweep_cols, std::max(narrowest, ceil_div(n, cuts)), n});
    std::uint64_t const block_rows = std::min(m, apart * size.strip_rows);
    std::uint64_t bytes = 2 * size.kept * (ceil_div(strips, apart) * n + ceil_div(n, cols_apart) * m);
    bytes += 2 * size.cell * (block_rows + cols_apart);
    if (block_rows < m || cols_apart < n) // the block is cut in its turn, by 32
        bytes += 2 * size.kept *
                 (std::min<std::uint64_t>(64, ceil_div(block_rows, size.strip_rows)) * cols_apart +
                  std::min<std::uint64_t>(33, ceil_div(cols_apart, size.narrowest)) * block_rows);
    return bytes;
}

// What threads and strips of a sweep need.
std::uint64_t work_bytes(std::uint64_t rows, Scheme const & scheme, Sizes const & size, int threads)
{
    return static_cast<std::uint64_t>(threads) * (profile_bytes(scheme.scoring().size()) + bytes_of_thread) +
           bytes_of_strip * ceil_div(rows, size.strip_rows);
}

// Field, width and tiles; all but the memory.
PairPlan plan_field(std::uint64_t m, std::uint64_t n, Scheme const & scheme, KernelTable const & kernels,
                    Request const & request, int threads, Tuning const & tuning)
{
    Mode const & mode = request.mode;
    PairPlan plan;
    bool const fits8 = mode.local ? scheme.fits_local(kernels.lanes) : scheme.fits_diff();
    int const proven = scheme.score_width(kernels.lanes);
    bool const narrow = tuning.score_width == 0 ? fits8 : tuning.score_width == 8;
    if (narrow ? !fits8 : tuning.score_width != 0 && tuning.score_width < proven)
        throw Error{Status::invalid_argument, "the forced score width is not proven for this scoring scheme and mode"};
    plan.width = narrow ? 8 : std::max(proven, tuning.score_width);
    bool const diff = narrow && !mode.local;
    if (!diff) {
        Scoring const & scoring = scheme.scoring();
        // |H|, |E| and |F| of the whole matrix, for the boundaries that are kept.
        double const most = static_cast<double>(std::max(scoring.max_score(), -lowest_useful_score(scoring))) *
                            (static_cast<double>(m) + static_cast<double>(n) + 4);
        plan.kind = most < 2e9 ? FieldKind::score32 : FieldKind::score64;
    }

    Sizes const size = sizes(plan, scheme, kernels, mode.local, m, n);
    plan.threads = threads;
    plan.slab_rows = tuning.slab_strips * size.strip_rows;
    plan.most_slabs = tuning.most_slabs;
    plan.max_trace_bytes = tuning.max_trace_bytes > 0 ? tuning.max_trace_bytes : default_trace_bytes;
    // Tiles short enough for progress and cancellation, and enough of them for all threads.
    plan.tile_cols = std::uint64_t{1} << 16;
    if (threads > 1)
        plan.tile_cols = std::min(
            plan.tile_cols, std::max<std::uint64_t>(16 * size.lanes, n / (8 * static_cast<std::uint64_t>(threads))));
    if (tuning.tile_cols > 0)
        plan.tile_cols = tuning.tile_cols;
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

// How many strips to compute at once with the scan kernel: the more they are, the less time each row takes, but the
// fewer there are to divide among threads.  A path's blocks are as high, and more than 1024 rows lose what is gained;
// for differences as many do. Nanoseconds a column, measured with 64 lanes.
int choose_scan(std::uint64_t m, Scheme const & scheme, Sizes const & size, int lanes8, int threads, bool diff,
                bool keep_grid, int tuned)
{
    auto const most_rows = static_cast<std::uint64_t>(lanes8 * most_scan_rows);
    auto const fits = [&](int strips) {
        std::uint64_t const rows = static_cast<std::uint64_t>(strips) * size.strip_rows;
        return rows <= most_rows && scheme.max_scan_cols(rows) > 0;
    };
    if (tuned != 0)
        return tuned > 0 && fits(tuned) ? tuned : 0;
    if (m <= (diff ? 1024 : 448)) // the other kernels take shorter vectors
        return 0;
    if (keep_grid) {
        int const strips = std::max(1, static_cast<int>(1024 / size.strip_rows));
        return !diff && fits(strips) ? strips : 0;
    }
    auto const time = [&](int strips) {
        std::uint64_t const rows = static_cast<std::uint64_t>(strips) * size.strip_rows, full = (m - 1) / rows;
        auto const of_rows = [&](std::uint64_t n) {
            return 8 + 37 * static_cast<double>(4 * n) / static_cast<double>(most_rows);
        };
        auto const all_threads = static_cast<std::uint64_t>(threads);
        return static_cast<double>(ceil_div(full, all_threads)) * of_rows(rows) +
               (full % all_threads == 0 ? of_rows(m - full * rows) : 0);
    };
    int best = 0;
    for (int strips = static_cast<int>(most_rows / size.strip_rows); strips >= 1; --strips)
        if (fits(strips) && (best == 0 || time(strips) < time(best)))
            best = strips;
    return best;
}

// For a local end, too, the way goes back to where it was found.
bool needs_path(Request const & request)
{
    return request.top > 1 || request.output >= Output::span || (request.mode.local && request.output == Output::end);
}

} // namespace

PairPlan plan_pair(std::uint64_t m, std::uint64_t n, Scheme const & scheme, KernelTable const & kernels,
                   Request const & request, int threads, std::uint64_t max_bytes, Tuning const & tuning)
{
    Mode const & mode = request.mode;
    if (needs_waves(m, n, mode))
        return plan_waves(m, n, scheme.scoring(), request, max_bytes, tuning);
    PairPlan plan = plan_field(m, n, scheme, kernels, request, threads, tuning);
    bool const diff = plan.kind == FieldKind::diff;
    Sizes size = sizes(plan, scheme, kernels, mode.local, m, n);
    if (request.top > 1)
        plan.block_cols = size.narrowest = std::min(size.narrowest, narrowest_masked_block);
    double const cells = static_cast<double>(m) * static_cast<double>(n);

    bool const many = request.top > 1, needs_path = cpu::needs_path(request);
    plan.try_band = diff && mode.global() && !request.every_cell && tuning.band >= 0 &&
                    (tuning.band > 0 || std::min(m, n) >= band_from);
    plan.force_band = tuning.band > 0;
    plan.number_letters =
        plan.width == 8 && !many && request.checkpoint.folder.empty() && pays_for_small_codes(m, n, scheme);
    std::uint64_t const fixed_bytes = 2 * size.cell * (m + n) + work_bytes(m, scheme, size, threads) +
                                      (request.output == Output::cigar ? 8 * (m + n + 16) : 64) +
                                      (plan.number_letters ? SmallCodes::bytes(m, n) : 0);
    // A trace is made by one thread.  With less memory: no scan, fewer trace bits at a time, then fewer kept
    // boundaries.
    bool may_scan = (mode.local || diff) && !many && request.checkpoint.folder.empty() &&
                    (tuning.score_width == 0 || tuning.scan > 0);
    auto const lay_out = [&] {
        plan.keep_grid =
            m > 0 && n > 0 &&
            (many || (needs_path && (threads > 1 || size.all_trace > static_cast<double>(plan.max_trace_bytes))));
        plan.bytes = fixed_bytes;
        plan.scan_strips = may_scan && (plan.keep_grid || !needs_path)
                               ? choose_scan(m, scheme, size, kernels.lanes, threads, diff, plan.keep_grid, tuning.scan)
                               : 0;
        size.at_once = static_cast<std::uint64_t>(std::max(1, plan.scan_strips));
        size.sweep_cols =
            plan.scan_strips > 0 && !diff ? scheme.max_scan_cols(size.at_once * size.strip_rows) : size.max_cols;
        if (plan.scan_strips > 0)
            plan.bytes += std::min(static_cast<std::uint64_t>(threads), ceil_div(m, size.at_once * size.strip_rows)) *
                          (scan_profile_bytes(scheme.scoring().size()) + (diff ? ScanBorders::bytes : 0));
        if (needs_path)
            plan.bytes += std::max(plan.max_trace_bytes, size.least_trace);
        if (plan.keep_grid)
            plan.bytes += grid_bytes(m, n, plan.cuts, size.narrowest, size);
        else if (needs_path && mode.local)
            plan.bytes += 2 * size.kept * (ceil_div(m, size.strip_rows) * n + m) + 2 * size.cell * (m + n);
        return max_bytes == 0 || plan.bytes <= max_bytes;
    };
    plan.cuts = first_cuts;
    std::uint64_t least = UINT64_MAX; // blocks of very few cuts need more again
    while (!lay_out() &&
           (plan.scan_strips > 0 || (needs_path && (plan.max_trace_bytes > size.least_trace || plan.cuts > 2)))) {
        least = std::min(least, plan.bytes);
        if (plan.scan_strips > 0)
            may_scan = false;
        else if (plan.max_trace_bytes > size.least_trace)
            plan.max_trace_bytes /= 2;
        else
            plan.cuts /= 2;
    }
    if (max_bytes > 0 && plan.bytes > max_bytes)
        throw too_large(m, n, std::min(least, plan.bytes), max_bytes);
    if (max_bytes > 0)
        plan.spare_bytes = max_bytes - plan.bytes;
    plan.keep_diagonals = needs_path && m > 0 && n > 0 && plan.width == 8 &&
                          plan.max_trace_bytes == default_trace_bytes && pays_for_diagonals(m, n, scheme) &&
                          with_field(plan, scheme, kernels, mode.local, [&](auto field) {
                              field.use_diagonals();
                              return trace_bytes(field, m, n) <= static_cast<double>(plan.max_trace_bytes);
                          });
    plan.work = cells * (plan.keep_grid    ? 1 + 1.5 / static_cast<double>(plan.cuts)
                         : !needs_path     ? 1
                         : plan.width == 8 ? 1.2
                         : mode.local      ? 2.5
                                           : 1.6);
    if (many) // some blocks again for each alignment
        plan.work += std::min(cells, 4.0 * static_cast<double>(std::max(size.strip_rows, m / plan.cuts)) *
                                         static_cast<double>(std::max(size.narrowest, n / plan.cuts))) *
                     request.top;
    return plan;
}

std::string describe(PairPlan const & plan, std::uint64_t m, std::uint64_t n, Request const & request)
{
    if (plan.kind == FieldKind::wave)
        return describe_waves(plan, m, n, request);
    return (plan.scan_strips > 0
                ? "8-bit scores by a scan"
                : std::to_string(plan.width) + "-bit " + (plan.kind == FieldKind::diff ? "differences" : "scores")) +
           (!needs_path(request) ? ", score only"
            : plan.keep_grid     ? ", boundaries kept on a grid of " + std::to_string(plan.cuts)
                                 : ", full trace") +
           (request.top > 1 ? ", the best " + std::to_string(request.top) : "") +
           (plan.try_band ? ", proven band if similar" : "");
}

PairPlan plan_swept(checkpoint::SlabShape const & shape, Scheme const & scheme, KernelTable const & kernels,
                    Request const & request, int threads, std::uint64_t max_bytes, Tuning const & tuning)
{
    std::uint64_t const m = shape.rows, n = shape.cols;
    std::uint64_t const rows = std::min(shape.tile_rows, m), cols = std::min(shape.tile_cols, n);
    PairPlan plan = plan_field(m, n, scheme, kernels, request, threads, tuning);
    Sizes size = sizes(plan, scheme, kernels, true, rows, cols);
    size.narrowest = std::min(size.narrowest, narrowest_masked_block);
    plan.keep_grid = true;
    plan.cuts = tile_cuts;
    plan.block_cols = tuning.block_cols > 0 ? tuning.block_cols : narrowest_tile_block;
    std::uint64_t const tiles = checkpoint::tiles_of(shape), kept = checkpoint::kept_bytes(shape);
    // Beside the tiles that are open: the swept matrix, a tile's boundaries while it is opened, the first alignment.
    std::uint64_t const fixed =
        kept + tile_bytes * tiles + 2 * (2 * size.cell + sizeof(checkpoint::Entry)) * (rows + cols) +
        work_bytes(rows, scheme, size, threads) + 8 * (m + n + 16) + std::max(plan.max_trace_bytes, size.least_trace);
    std::uint64_t const open = grid_bytes(rows, cols, plan.cuts, plan.block_cols, size) +
                               2 * size.kept * (rows + cols) +
                               2 * sizeof(TileBest) * ceil_div(rows, size.strip_rows) * (tile_cuts + 1);
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
