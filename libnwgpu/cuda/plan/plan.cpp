// SPDX-License-Identifier: BSD-3-Clause
#include "cuda/plan/plan.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>

#include "base/error.hpp"
#include "path/cuts.hpp"

namespace nwgpu::cuda {

namespace {

constexpr std::uint64_t trace_tile = 512;        // both ways; half as wide where a level cuts tiles for it alone
constexpr std::uint64_t most_traced = 16u << 20; // cells of a pair that is traced at once
constexpr std::uint64_t first_cuts = 80;         // of the whole matrix: 2 / cuts of it are computed again
constexpr std::uint64_t most_cuts = 96;          // of a tile
// Where a known score leaves few cells to the sweep, tiles should not be most of the work: more cuts, in between.
constexpr std::uint64_t reach_tile = 65536, reach_cuts = 256;
constexpr std::uint64_t band_cuts = 256, least_band_tile = 2048, most_band_tile = 16384;

// Of the path: tiles' worth of cells computed for each tile that the straight way crosses; bytes that a level's tiles
// may keep; what starting a sweep and tracing a cell take, its copy to the host and the walk included.
constexpr double tiles_beside = 1.25, level_bytes = 640 << 20, launch_seconds = 100e-6, trace_cell_seconds = 40e-12;
// And what is seen beside all that: waiting for each other, wrong guesses of the way; at all, and for each letter.
constexpr double path_seconds = 3e-3, path_letter_seconds = 15e-9;
constexpr std::uint64_t copy_bytes = 40 << 20; // page-locked, cuda/device/pinned_copy.cpp
// Boundaries that leave the device after each slab: from pageable memory and back, to files and back; what a slab takes
// until all its warps have work, and until the last one is done.
constexpr double host_seconds_per_byte = 1 / 3e9, file_seconds_per_byte = 1 / 1e9, slab_seconds = 40e-3;

} // namespace

std::uint64_t cut_bytes(std::uint64_t rows, std::uint64_t cols, Level const & parts, path::BandPart const & part,
                        std::uint64_t entry)
{
    return entry * (path::row_cuts(rows, cols, parts.tile_rows, part).entries +
                    path::col_cuts(rows, cols, parts.tile_cols, part).entries + cols);
}

std::uint64_t trace_bytes(std::uint64_t rows, std::uint64_t cols, std::uint64_t entry)
{
    return 4 * job_trace_words(rows, cols) + entry * cols;
}

std::uint64_t kept_entry(PairFacts const & pair)
{
    return pair.wide ? sizeof(Kept<std::int64_t>) : sizeof(Kept<std::int32_t>);
}

namespace {

std::uint64_t grid_rows(PairFacts const & pair) { return pair.saved_rows > 0 ? pair.saved_rows : pair.m; }

// Of tiles that keep boundaries for smaller ones: enough to fill the device, but not more than lie on the way or than
// `most_bytes` hold.
void plan_tiles(Level & level, std::uint64_t rows, std::uint64_t cols, double parts, double on_the_way,
                PairFacts const & pair, DeviceFacts const & device, std::uint64_t most_strip_rows, double most_bytes)
{
    double const bytes = static_cast<double>(kept_entry(pair)) *
                         (2 * parts * static_cast<double>(std::max(rows, cols)) + static_cast<double>(cols));
    double best = 1e300;
    for (std::uint64_t count = 2; count <= 512; count += count < 16 ? 2 : count / 4) {
        if (count > 2 &&
            (bytes * static_cast<double>(count) > most_bytes || static_cast<double>(count) > std::max(2.0, on_the_way)))
            break;
        SweepPlan const sweep = plan_sweep(rows, cols, count, pair, device, most_strip_rows);
        double const each = sweep.seconds / static_cast<double>(count);
        if (each < best) {
            best = each;
            level.tiles_at_once = count;
            level.sweep = sweep;
        }
    }
}

// So many rows, or a few more, or all, that divide the unit.
std::uint64_t dividing_rows(std::uint64_t rows, std::uint64_t unit, std::uint64_t strip_rows)
{
    std::uint64_t strips = std::min(rows, unit) / strip_rows;
    while (unit / strip_rows % strips != 0)
        ++strips;
    return strips * strip_rows;
}

// The sizes of the levels' tiles, down to the traced ones, and what the path through them costs.
void plan_levels(PairPlan & plan, PairFacts pair, DeviceFacts const & device, std::uint64_t cuts, int attempt)
{
    pair.columns_in_reach = 0; // tiles are computed whole
    bool const banded = !pair.band.everything();
    double const first = static_cast<double>(std::max(grid_rows(pair), pair.n)) / static_cast<double>(cuts);
    double const rest = std::max(1.0, first / static_cast<double>(trace_tile));
    double const base = static_cast<double>(std::max<std::uint64_t>(8, most_cuts >> attempt));
    plan.seconds += path_seconds + path_letter_seconds * static_cast<double>(pair.m + pair.n);
    int const below = rest <= 3 ? 0 : static_cast<int>(std::ceil(std::log(rest) / std::log(base)));
    double const ratio = below ? std::pow(rest, 1.0 / below) : 1;
    double size_rows = static_cast<double>(grid_rows(pair)) / static_cast<double>(cuts),
           size_cols = static_cast<double>(pair.n) / static_cast<double>(cuts);
    std::uint64_t rows = pair.m, cols = pair.n, strip_rows = plan.sweep.strip_rows, tiles = 1;
    for (int k = 0; k <= below; ++k, size_rows /= ratio, size_cols /= ratio) {
        Level level;
        level.tile_rows =
            ceil_div(std::max<std::uint64_t>(1, static_cast<std::uint64_t>(size_rows)), strip_rows) * strip_rows;
        if (k == 0 && pair.saved_rows > 0)
            level.tile_rows = dividing_rows(level.tile_rows, pair.unit_rows, strip_rows);
        level.tile_cols = std::max<std::uint64_t>(trace_tile, static_cast<std::uint64_t>(std::ceil(size_cols)));
        if (k > 0 && k == below)
            level.tile_cols /= 2;
        if (k > 0) // those of the whole matrix: place_boundaries()
            plan.bytes += tiles * (cut_bytes(rows, cols, level, {pair.band, strip_rows}, kept_entry(pair)) +
                                   (k == 1 && pair.mode.local ? (rows + 1) * kept_entry(pair) : 0)); // own_left()
        rows = std::min(rows, level.tile_rows);
        cols = std::min(cols, level.tile_cols);
        double const on_the_way = tiles_beside * std::max(static_cast<double>(pair.m) / static_cast<double>(rows),
                                                          static_cast<double>(pair.n) / static_cast<double>(cols));
        double const area = static_cast<double>(rows) * static_cast<double>(cols);
        if (k < below) {
            auto const most_rows = static_cast<std::uint64_t>(std::max(size_rows / ratio, 1.0));
            plan_tiles(level, rows, cols, ratio, on_the_way, pair, device,
                       banded ? std::min(most_rows, strip_rows) : most_rows, std::ldexp(level_bytes, -2 * attempt));
            plan.seconds += std::ceil(on_the_way / static_cast<double>(level.tiles_at_once)) *
                            (level.sweep.seconds + launch_seconds);
            strip_rows = level.sweep.strip_rows;
        } else {
            level.tiles_at_once = static_cast<std::uint64_t>(
                std::max(2.0, std::ldexp(std::clamp((48 << 20) / area, 16.0, 512.0), -2 * attempt)));
            plan.bytes += level.tiles_at_once * trace_bytes(rows, cols, kept_entry(pair));
            plan.seconds += on_the_way * area * trace_cell_seconds;
        }
        tiles = level.tiles_at_once;
        plan.levels.push_back(level);
    }
}

// Rows of which all warps of the sweep have a strip each; in a band any strip will do.
std::uint64_t round_rows(PairPlan const & plan, PairFacts const & pair, DeviceFacts const & device)
{
    std::uint64_t const warps = static_cast<std::uint64_t>(plan.sweep.warps_per_multiprocessor) *
                                static_cast<std::uint64_t>(device.multiprocessors);
    return plan.sweep.strip_rows *
           (pair.band.everything() ? std::min(warps, ceil_div(pair.m, plan.sweep.strip_rows)) : 1);
}

std::uint64_t slab_bytes(std::uint64_t rows, PairPlan const & plan, PairFacts const & pair)
{
    std::uint64_t const entry = kept_entry(pair);
    if (plan.levels.empty())
        return entry * pair.n;
    return cut_bytes(rows, pair.n, plan.levels[0], {pair.band, plan.sweep.strip_rows}, entry);
}

// Of a slab: some rounds, as many as they are or fewer, until what it keeps fits; or what tests ask for.
template <class Fits>
std::uint64_t rows_that_fit(std::uint64_t rounds, std::uint64_t round, PairPlan const & plan, PairFacts const & pair,
                            Fits const & fits)
{
    if (pair.tuning.slab_rows != 0)
        return ceil_div(pair.tuning.slab_rows, plan.sweep.strip_rows) * plan.sweep.strip_rows;
    while (rounds > 1 && !fits(slab_bytes(std::min(rounds * round, pair.m), plan, pair)))
        rounds -= ceil_div(rounds, 8);
    return rounds * round;
}

// Adds the kept boundaries of the whole matrix to a plan: all of them on the device, or those of a slab at a time,
// whose rows are as many as the budget allows.
void place_boundaries(PairPlan & plan, PairFacts const & pair, DeviceFacts const & device, KeptIn kept_in)
{
    plan.kept_in = kept_in;
    if (kept_in == KeptIn::device) {
        plan.bytes += slab_bytes(pair.m, plan, pair);
        return;
    }
    std::uint64_t const round = round_rows(plan, pair, device), top = kept_entry(pair) * pair.n;
    plan.slab_rows =
        rows_that_fit(std::max<std::uint64_t>(1, pair.m / (2 * round)), round, plan, pair, [&](std::uint64_t slab) {
            return plan.bytes + top + slab <= device.budget &&
                   (kept_in == KeptIn::host || 2 * slab <= device.host_budget);
        });
    // In a band each slab keeps its part of all columns, whether the band crosses them there or not.
    std::uint64_t const slab = slab_bytes(std::min(plan.slab_rows, pair.m), plan, pair),
                        slabs = ceil_div(pair.m, plan.slab_rows);
    plan.bytes += top + slab;
    // A file is written while the next slab is computed; then they are read one by one, with the one above.
    plan.host_bytes = (kept_in == KeptIn::host ? slabs : 2) * slab + top + copy_bytes;
    plan.seconds +=
        static_cast<double>(slabs) * slab_seconds +
        static_cast<double>(slabs * slab) * (kept_in == KeptIn::host ? host_seconds_per_byte : file_seconds_per_byte);
    plan.text += std::string{kept_in == KeptIn::host ? " in host memory" : " in files"} + ", " + std::to_string(slabs) +
                 " slabs";
}

// With full trace bits of all cells.
PairPlan plan_traced(PairFacts pair, DeviceFacts const & device, std::uint64_t lines)
{
    PairPlan plan;
    plan.traced = true;
    plan.bytes = lines + 4 * job_trace_words(pair.m, pair.n) + 64 * ceil_div(pair.m, trace_strip_rows);
    pair.most_rows_per_half = 0;
    pair.columns_in_reach = 0;
    plan.sweep = plan_sweep(pair.m, pair.n, 1, pair, device, pair.m);
    plan.seconds = plan.sweep.seconds;
    plan.text = std::string{pair.wide ? "64" : "32"} + "-bit scores, full trace";
    return plan;
}

// Of the whole matrix, or of a share's parts.
SweepPlan plan_rows(PairFacts pair, DeviceFacts device, std::uint64_t most_strip_rows)
{
    std::vector<int> dividing;
    if (pair.unit_rows > 0) {
        std::copy_if(device.rows_per_half.begin(), device.rows_per_half.end(), std::back_inserter(dividing),
                     [&](int half) { return pair.unit_rows % packed_shape(half).strip_rows == 0; });
        if (dividing.empty()) {
            pair.tuning.rows_per_half = -1;
            pair.columns_in_reach = 0;
        } else {
            device.rows_per_half = dividing;
        }
    }
    return plan_sweep(pair.m, pair.n, 1, pair, device, most_strip_rows);
}

// A sweep that keeps boundaries on a grid of `cuts`, or none for 0.
PairPlan plan_swept(PairFacts const & pair, DeviceFacts const & device, std::uint64_t lines, std::uint64_t cuts,
                    int attempt, KeptIn kept_in)
{
    PairPlan plan;
    plan.band = pair.band;
    plan.sweep = plan_rows(pair, device, pair.path ? std::max<std::uint64_t>(grid_rows(pair) / cuts, 1) : pair.m);
    plan.sweep.skip = pair.mode.local && plan.sweep.rows_per_half > 0 && pair.tuning.skip >= 0;
    plan.known_score = plan.sweep.skip ? pair.known_score : 0;
    plan.seconds = plan.sweep.seconds;
    plan.bytes = lines + (pair.mode.free_target_end ? (pair.wide ? 8 : 4) * pair.n : 0) +
                 ceil_div(pair.m, plan.sweep.strip_rows) * 40;
    if (pair.path)
        plan_levels(plan, pair, device, cuts, attempt);
    plan.text = (plan.sweep.rows_per_half ? std::string{"16"} : std::string{pair.wide ? "64" : "32"}) +
                "-bit scores, " + std::to_string(plan.sweep.strip_rows) + " rows a warp, " +
                std::to_string(plan.sweep.warps_per_multiprocessor) + " warps a multiprocessor" +
                (pair.band.everything()
                     ? ""
                     : ", in a band of " + std::to_string(pair.band.high - pair.band.low + 1) + " diagonals") +
                (!plan.sweep.skip || pair.columns_in_reach == 0
                     ? ""
                     : ", some " + std::to_string(static_cast<std::uint64_t>(pair.columns_in_reach)) +
                           " columns of each row in reach of a known score") +
                (pair.path ? ", boundaries kept on a grid of " + std::to_string(cuts) : ", no path");
    if (pair.path)
        place_boundaries(plan, pair, device, kept_in);
    return plan;
}

} // namespace

std::uint64_t checkpoint_rows(PairPlan const & plan, PairFacts const & pair, DeviceFacts const & device, double seconds)
{
    std::uint64_t const round = round_rows(plan, pair, device);
    double const round_seconds = plan.sweep.seconds * static_cast<double>(round) / static_cast<double>(pair.m);
    auto rounds = static_cast<std::uint64_t>(std::clamp(std::ceil(seconds / round_seconds), 1.0, 1e9));
    if (plan.kept_in != KeptIn::device)
        rounds = std::min(rounds, plan.slab_rows / round);
    return rows_that_fit(rounds, round, plan, pair, [&](std::uint64_t slab) { return 2 * slab <= device.host_budget; });
}

PairPlan plan_pair(PairFacts const & pair, DeviceFacts const & device)
{
    std::uint64_t const m = pair.m, n = pair.n;
    bool const is_share = pair.parts > 0;
    std::uint64_t const lines =
        kept_entry(pair) * (2 * std::max<std::uint64_t>(1, pair.parts) * n + 2 * m + pair.rows_between + 64) + m + n +
        pair.rows_between;
    std::uint64_t const traced = pair.tuning.max_traced_cells ? pair.tuning.max_traced_cells : most_traced;
    if (pair.path && !is_share && static_cast<double>(m) * static_cast<double>(n) <= static_cast<double>(traced))
        if (PairPlan plan = plan_traced(pair, device, lines); plan.bytes <= device.budget)
            return plan;

    std::uint64_t const whole = std::max(grid_rows(pair), n);
    // In a band a cut is short, so there may be more of them.
    std::uint64_t const usual = pair.tuning.cuts > 0        ? pair.tuning.cuts
                                : pair.columns_in_reach > 0 ? std::clamp(whole / reach_tile, first_cuts, reach_cuts)
                                                            : first_cuts;
    std::uint64_t const most =
        pair.band.everything()
            ? std::clamp<std::uint64_t>(whole / trace_tile, 1, usual)
            : whole / std::clamp<std::uint64_t>(whole / band_cuts, least_band_tile, most_band_tile) + 1;
    std::optional<PairPlan> best;
    std::uint64_t least_bytes = UINT64_MAX, least_host_bytes = UINT64_MAX; // the latter with enough of the device
    // With less memory: fewer cuts, and fewer tiles at once.  Whether it was enough for the first choice.
    auto const consider = [&](KeptIn kept_in) {
        for (int attempt = 0;; ++attempt) {
            std::uint64_t const cuts = pair.path ? std::max(std::min<std::uint64_t>(2, most), most >> attempt) : 0;
            PairPlan const plan = plan_swept(pair, device, lines, cuts, attempt, kept_in);
            bool const fits = plan.bytes <= device.budget && plan.host_bytes <= device.host_budget;
            least_bytes = std::min(least_bytes, plan.bytes);
            if (plan.bytes <= device.budget)
                least_host_bytes = std::min(least_host_bytes, plan.host_bytes);
            if (fits && (!best || plan.seconds < best->seconds))
                best = plan;
            if (fits || (cuts <= 2 && attempt > 5))
                return fits && attempt == 0;
        }
    };
    if (is_share)
        consider(KeptIn::device);
    else if (pair.path && pair.tuning.kept_in != 0)
        consider(static_cast<KeptIn>(pair.tuning.kept_in));
    else if (!consider(KeptIn::device) && pair.path)
        for (KeptIn const kept_in : {KeptIn::host, KeptIn::files})
            consider(kept_in);
    if (!best) {
        bool const host = least_bytes <= device.budget;
        throw Error{Status::memory_limit,
                    "a pair of " + std::to_string(m) + " x " + std::to_string(n) + " letters needs " +
                        std::to_string(host ? least_host_bytes : least_bytes) + " bytes of " +
                        (host ? "host" : "device") + " memory, " +
                        std::to_string(host ? device.host_budget : device.budget) + " may be used"};
    }
    return *best;
}

} // namespace nwgpu::cuda
