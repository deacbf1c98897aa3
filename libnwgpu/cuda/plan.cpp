// SPDX-License-Identifier: BSD-3-Clause
#include "cuda/plan.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/error.hpp"
#include "cuda/kernels.hpp"
#include "path/cuts.hpp"

namespace nwgpu::cuda {

namespace {

constexpr std::uint64_t trace_tile = 512;        // both ways; half as wide where a level cuts tiles for it alone
constexpr std::uint64_t most_traced = 16u << 20; // cells of a pair that is traced at once
constexpr std::uint64_t warp_bytes = 1280;       // of shared memory, beside the profile
constexpr std::uint32_t most_plain_warps = 8;    // a multiprocessor
constexpr std::uint64_t first_cuts = 80;         // of the whole matrix: 2 / cuts of it are computed again
constexpr std::uint64_t most_cuts = 96;          // of a tile
constexpr std::uint64_t band_cuts = 256, least_band_tile = 2048, most_band_tile = 16384;

// Seconds of one step when every scheduler has so many warps, and columns by which a strip follows the one above;
// fitted on an H200 (nwgpu_gpu_benchmark --calibrate).
double step_seconds(int pairs, PairShape const & pair, double sharers)
{
    if (pairs == 0)
        return pair.wide ? std::max(200e-9, 200e-9 * sharers) : std::max(110e-9, 80e-9 * sharers);
    double const per_pair = pair.mode.local ? pair.linear ? 4.2e-9 : 6.2e-9 : pair.linear ? 3.2e-9 : 4.75e-9;
    double const fetch = pairs > 40 && !pair.linear ? 1.1 : 1.0; // the loop leaves the nearest instruction cache
    return 57e-9 + per_pair * fetch * pairs * sharers;
}
constexpr double lag_steps = 220, slack_share = 0.02;
// Of the path: tiles' worth of cells computed for each tile that the straight way crosses; bytes that a level's tiles
// may keep; what starting a sweep and tracing a cell take, its copy to the host and the walk included.
constexpr double tiles_beside = 1.25, level_bytes = 640 << 20, launch_seconds = 100e-6, trace_cell_seconds = 40e-12;

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

std::uint64_t kept_entry(PairShape const & pair)
{
    return pair.wide ? sizeof(Kept<std::int64_t>) : sizeof(Kept<std::int32_t>);
}

SweepShape plan_sweep(std::uint64_t rows, std::uint64_t cols, std::uint64_t count, PairShape const & pair,
                      DeviceShape const & device, std::uint64_t most_strip_rows)
{
    // In a band tiles are computed with strips that divide those of the matrix, trace_strip_rows or more: then every
    // boundary that a tile reads was computed.
    bool const banded = !pair.band.everything();
    int const least_pairs = banded ? static_cast<int>(trace_strip_rows) / 64 : packed_pairs[0];
    SweepShape best;
    best.seconds = 1e300;
    auto const consider = [&](int pairs, SweepKernel const & kernel) {
        auto const block = static_cast<int>(kernel.warps_per_block);
        std::uint64_t const shared =
            kernel.warps_per_block * ((pair.letters + std::uint64_t{1}) * kernel.letter_bytes + warp_bytes);
        if (shared > device.shared_bytes_per_block)
            return;
        std::uint64_t const strip_rows = kernel.strip_rows;
        // More packed warps than these gain nothing: one fills its scheduler.
        std::uint32_t const most = pairs == 0 ? most_plain_warps : kernel.warps_per_multiprocessor;
        int const resident =
            static_cast<int>(std::min<std::uint64_t>(most, kernel.warps_per_block * (device.shared_bytes / shared)));
        double const strips_of_job = static_cast<double>(ceil_div(rows, strip_rows));
        double const strips = strips_of_job * static_cast<double>(count);
        for (int warps = block; warps <= resident; warps += block) {
            if (pair.tuning.warps != 0 && warps != pair.tuning.warps)
                continue;
            double const resident_warps = static_cast<double>(warps) * device.multiprocessors;
            // A strip in a band begins when the one above is ahead by its height.
            double const width = std::min(static_cast<double>(cols), pair.strip_columns(strip_rows));
            double const advance = width < static_cast<double>(cols) ? static_cast<double>(strip_rows) : 0;
            double const at_a_time =
                std::max(1.0, std::min(strips_of_job, width / (advance + lag_steps))) * static_cast<double>(count);
            double const running = std::min(advance > 0 ? at_a_time : strips, resident_warps);
            // A multiprocessor has four schedulers; the fullest one sets the pace of the pipeline.
            double const sharers = std::ceil(running / device.multiprocessors / 4);
            double const step = step_seconds(pairs, pair, sharers), rounds = std::ceil(strips / running);
            double const steps = rounds * (width + 64);
            // Slack costs its share of the steps, once.
            double const slack = advance > 0 ? 1 : std::clamp(slack_share * steps / running / steps_at_once, 1.0, 16.0);
            double const lag = lag_steps + slack * steps_at_once;
            double const seconds =
                advance > 0 && at_a_time < resident_warps
                    ? step * (strips_of_job * (advance + lag_steps) + width) + 8e-6
                    : step * steps + lag * step_seconds(pairs, pair, 1) * std::min(strips_of_job, running) + 8e-6;
            if (seconds < best.seconds)
                best = {pairs, warps, static_cast<std::uint32_t>(slack) * steps_at_once, strip_rows, seconds};
        }
    };
    for (int const pairs : packed_pairs) {
        SweepKernel const kernel = packed_kernel(pair.mode.local, pair.linear, pairs);
        if (banded && (pairs < least_pairs || !std::has_single_bit(static_cast<unsigned>(pairs))))
            continue;
        if (kernel.function != nullptr && pairs <= pair.most_pairs && !pair.wide &&
            (pairs == least_pairs || pairs == pair.tuning.pairs || kernel.strip_rows <= most_strip_rows) &&
            (pair.tuning.pairs == 0 || pair.tuning.pairs == pairs))
            consider(pairs, kernel);
    }
    if (best.pairs == 0)
        consider(0, pair.wide ? plain_kernel<std::int64_t>(false) : plain_kernel<std::int32_t>(false));
    if (best.seconds > 1e299)
        throw Error{Status::device, "the score table does not fit the device's shared memory"};
    return best;
}

namespace {

// Of tiles that keep boundaries for smaller ones: enough to fill the device, but not more than lie on the way or than
// `most_bytes` hold.
void plan_tiles(Level & level, std::uint64_t rows, std::uint64_t cols, double parts, double on_the_way,
                PairShape const & pair, DeviceShape const & device, std::uint64_t most_strip_rows, double most_bytes)
{
    double const bytes = static_cast<double>(kept_entry(pair)) *
                         (2 * parts * static_cast<double>(std::max(rows, cols)) + static_cast<double>(cols));
    double best = 1e300;
    for (std::uint64_t count = 2; count <= 512; count += count < 16 ? 2 : count / 4) {
        if (count > 2 &&
            (bytes * static_cast<double>(count) > most_bytes || static_cast<double>(count) > std::max(2.0, on_the_way)))
            break;
        SweepShape const sweep = plan_sweep(rows, cols, count, pair, device, most_strip_rows);
        double const each = sweep.seconds / static_cast<double>(count);
        if (each < best) {
            best = each;
            level.tiles_at_once = count;
            level.sweep = sweep;
        }
    }
}

// The sizes of the levels' tiles, down to the traced ones, and what the path through them costs.
void plan_levels(PairPlan & plan, PairShape const & pair, DeviceShape const & device, std::uint64_t cuts, int attempt)
{
    bool const banded = !pair.band.everything();
    double const first = static_cast<double>(std::max(pair.m, pair.n)) / static_cast<double>(cuts);
    double const rest = std::max(1.0, first / static_cast<double>(trace_tile));
    double const base = static_cast<double>(std::max<std::uint64_t>(8, most_cuts >> attempt));
    int const below = rest <= 3 ? 0 : static_cast<int>(std::ceil(std::log(rest) / std::log(base)));
    double const ratio = below ? std::pow(rest, 1.0 / below) : 1;
    double size_rows = static_cast<double>(pair.m) / static_cast<double>(cuts),
           size_cols = static_cast<double>(pair.n) / static_cast<double>(cuts);
    std::uint64_t rows = pair.m, cols = pair.n, strip_rows = plan.sweep.strip_rows, tiles = 1;
    for (int k = 0; k <= below; ++k, size_rows /= ratio, size_cols /= ratio) {
        Level level;
        level.tile_rows =
            ceil_div(std::max<std::uint64_t>(1, static_cast<std::uint64_t>(size_rows)), strip_rows) * strip_rows;
        level.tile_cols = std::max<std::uint64_t>(trace_tile, static_cast<std::uint64_t>(std::ceil(size_cols)));
        if (k > 0 && k == below)
            level.tile_cols /= 2;
        plan.bytes += tiles * cut_bytes(rows, cols, level, {pair.band, strip_rows}, kept_entry(pair));
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

} // namespace

std::uint64_t slab_rows(PairPlan const & plan, PairShape const & pair, DeviceShape const & device, double seconds)
{
    std::uint64_t const strip_rows = plan.sweep.strip_rows;
    if (pair.tuning.slab_rows != 0)
        return ceil_div(pair.tuning.slab_rows, strip_rows) * strip_rows;
    std::uint64_t const warps = static_cast<std::uint64_t>(plan.sweep.warps_per_multiprocessor) *
                                static_cast<std::uint64_t>(device.multiprocessors);
    std::uint64_t const round =
        strip_rows * (pair.band.everything() ? std::min(warps, ceil_div(pair.m, strip_rows)) : 1);
    double const round_seconds = plan.sweep.seconds * static_cast<double>(round) / static_cast<double>(pair.m);
    double const rounds = std::clamp(std::ceil(seconds / round_seconds), 1.0, 1e9);
    return static_cast<std::uint64_t>(rounds) * round;
}

PairPlan plan_pair(PairShape const & pair, DeviceShape const & device)
{
    PairPlan plan;
    std::uint64_t const m = pair.m, n = pair.n;
    std::uint64_t const lines = kept_entry(pair) * (2 * n + 2 * m + 64) + m + n;
    double const cells = static_cast<double>(m) * static_cast<double>(n);

    std::uint64_t const traced = pair.tuning.max_traced_cells ? pair.tuning.max_traced_cells : most_traced;
    if (pair.path && cells <= static_cast<double>(traced)) {
        plan.traced = true;
        plan.bytes = lines + 4 * job_trace_words(m, n) + 64 * ceil_div(m, trace_strip_rows);
        PairShape plain = pair;
        plain.most_pairs = 0;
        plan.sweep = plan_sweep(m, n, 1, plain, device, m);
        plan.seconds = plan.sweep.seconds;
        plan.text = std::string{pair.wide ? "64" : "32"} + "-bit scores, full trace";
    }
    // With less memory: fewer cuts, and fewer tiles at once.
    bool const banded = !pair.band.everything();
    std::uint64_t const whole = std::max(m, n);
    // In a band a cut is short, so there may be more of them.
    std::uint64_t const most =
        banded ? whole / std::clamp<std::uint64_t>(whole / band_cuts, least_band_tile, most_band_tile) + 1
               : std::clamp<std::uint64_t>(whole / trace_tile, 1, first_cuts);
    for (int attempt = 0; !plan.traced; ++attempt) {
        std::uint64_t const cuts = pair.path ? std::max(std::min<std::uint64_t>(2, most), most >> attempt) : 0;
        plan = {};
        plan.band = pair.band;
        plan.sweep = plan_sweep(m, n, 1, pair, device, pair.path ? std::max<std::uint64_t>(m / cuts, 1) : m);
        plan.sweep.skip = pair.mode.local && plan.sweep.pairs > 0 && pair.tuning.skip >= 0;
        plan.seconds = plan.sweep.seconds;
        plan.bytes =
            lines + (pair.mode.free_target_end ? (pair.wide ? 8 : 4) * n : 0) + ceil_div(m, plan.sweep.strip_rows) * 40;
        if (pair.path)
            plan_levels(plan, pair, device, cuts, attempt);
        plan.text =
            (plan.sweep.pairs ? std::string{"16"} : std::string{pair.wide ? "64" : "32"}) + "-bit scores, " +
            std::to_string(plan.sweep.strip_rows) + " rows a warp, " +
            std::to_string(plan.sweep.warps_per_multiprocessor) + " warps a multiprocessor" +
            (banded ? ", in a band of " + std::to_string(pair.band.high - pair.band.low + 1) + " diagonals" : "") +
            (pair.path ? ", boundaries kept on a grid of " + std::to_string(cuts) : ", no path");
        if (plan.bytes <= device.budget)
            break;
        if (cuts <= 2 && attempt > 5)
            throw Error{Status::memory_limit, "a pair of " + std::to_string(m) + " x " + std::to_string(n) +
                                                  " letters needs " + std::to_string(plan.bytes) +
                                                  " bytes of device memory, " + std::to_string(device.budget) +
                                                  " may be used"};
    }
    return plan;
}

} // namespace nwgpu::cuda
